package jobtable

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim/tabular"
	"tarry/traces/intake"
	"tarry/traces/jobcell"
)

// words is a front end for the test: a line of columns, then lines of cells, between blanks.
func words() *Format {
	return &Format{Name: "words", Ends: []string{".w"}, Parse: func(r *Reading, name string, f *os.File) error {
		lines := bufio.NewScanner(f)
		lines.Scan()
		if _, err := r.Match(strings.Fields(lines.Text())); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for n := 2; lines.Scan(); n++ {
			cells := strings.Fields(lines.Text())
			if err := r.Limit(1); err != nil {
				return err
			}
			if err := r.Row(tabular.NewRow(name, n, n-1, nil, nil), func(i int) jobcell.Value {
				return jobcell.Value{Kind: jobcell.Text, Text: cells[i]}
			}); err != nil {
				return err
			}
		}
		return nil
	}}
}

// A folder is one list in the order of its names; hidden and other files are no parts.
func TestFolder(t *testing.T) {
	const head = "id submit_s gpus work_s\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		opt   intake.Options
		want  string
	}{
		{"parts", map[string]string{"b.w": head + "x 1 1 1\n", "a.w": "gpus work_s submit_s id note\n2 3 1 y n\n",
			".c.w": "x", "_SUCCESS": "x", "d.txt": "x", "part-3": head + "z 0 4 1\n"}, intake.Options{},
			"z 4, x 1, y 2: column \"note\" is no column of jobs and not read; --trace-columns OWN=NAME would read it"},
		{"none", map[string]string{"a.txt": "x"}, intake.Options{}, "DIR: a folder without files that end in .w"},
		{"a folder in it", map[string]string{"a.w": head, "k=1/b.w": head}, intake.Options{}, "DIR/k=1: is a folder " +
			"among the parts of DIR, expected files alone: write the table without partitions by column"},
		{"an id twice", map[string]string{"a.w": head + "x 1 1 1\n", "b.w": head + "x 2 1 1\n"},
			intake.Options{Strict: true}, `DIR/b.w:2: job id "x" appears twice, expected unique ids`},
		{"too many", map[string]string{"a.w": head + "x 1 1 1\n", "b.w": head + "y 2 1 1\n"}, intake.Options{MaxJobs: 1},
			"2 jobs, more than the limit of 1 that keeps memory bounded: read a part of the trace or raise the limit"},
		{"wrong", map[string]string{"a.w": head + "x 1 0 1\n"}, intake.Options{Strict: true},
			`DIR/a.w:2: column "gpus" is "0", expected a whole number from 1 to 1000000`},
		{"columns", map[string]string{"a.w": head + "x 1 1 1\n", "b.w": "id gpus work_s\n"}, intake.Options{},
			`DIR/b.w: column "submit_s" is missing, expected at least submit_s, gpus and work_s or duration_s; the ` +
				`columns are id,gpus,work_s; --trace-columns submit=NAME reads another one`},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		if w, report, err := words().Read(dir, c.opt); err != nil {
			got = strings.ReplaceAll(err.Error(), dir, "DIR")
		} else {
			for _, j := range w.Jobs {
				got += fmt.Sprintf("%s %d, ", j.ID, j.GPUs)
			}
			got = strings.TrimSuffix(got, ", ") + ": " + strings.Join(report.Notes, "; ")
		}
		if got != c.want {
			t.Errorf("%s gives\n%s\nexpected\n%s", c.name, got, c.want)
		}
	}
}
