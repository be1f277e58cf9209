package traces_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tarry/catalogue/traces"
	"tarry/internal/sharedata"
	"tarry/sim/entry"
)

var update = flag.Bool("update", false, "write docs/read.csv and its table in docs/reference/data-origins.md")

// fileRead is the account of one file of the data folder.
type fileRead struct {
	format, path string
	rows, kept   int
	why          []entry.Report // one, for its reasons
}

// readAll reads every file below the folder that one format alone recognises, in order of their paths.
func readAll(folder string) ([]fileRead, error) {
	var out []fileRead
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := traces.All().Recognise(path)
		if err != nil {
			return nil // a README, a list of nodes, a curve of load
		}
		_, report, err := f.Open(path, entry.TraceOptions{})
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, path)
		out = append(out, fileRead{f.Name, filepath.ToSlash(rel), report.Rows, report.Kept, []entry.Report{*report}})
		return err
	})
	return out, err
}

// why lists the reasons for which rows were dropped, with their numbers.
func why(reports []entry.Report) string {
	var sum entry.Report
	for _, r := range reports {
		for _, d := range r.Dropped {
			for range d.Rows {
				sum.Count(d.Text, "", d.Wrong)
			}
		}
	}
	var parts []string
	for _, d := range sum.Dropped {
		parts = append(parts, fmt.Sprintf("%d %s", d.Rows, d.Text))
	}
	return strings.Join(parts, "; ")
}

// readTables are the CSV with a row for each file, and the table with a row for each format.
func readTables(files []fileRead) (byFile, byFormat string) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"format", "file", "rows", "kept", "dropped", "why"}}
	sums := map[string]fileRead{}
	for _, f := range files {
		rows = append(rows, []string{f.format, f.path, strconv.Itoa(f.rows), strconv.Itoa(f.kept),
			strconv.Itoa(f.rows - f.kept), why(f.why)})
		s := sums[f.format]
		sums[f.format] = fileRead{f.format, "", s.rows + f.rows, s.kept + f.kept, append(s.why, f.why...)}
	}
	w.WriteAll(rows)
	var t strings.Builder
	t.WriteString("| format | files | rows | kept | dropped | why |\n|---|---:|---:|---:|---:|---|\n")
	for _, f := range traces.All() {
		if s, ok := sums[f.Name]; ok {
			fmt.Fprintf(&t, "| `%s` | %d | %d | %d | %d | %s |\n", f.Name, len(s.why), s.rows, s.kept, s.rows-s.kept,
				why(s.why))
		}
	}
	return b.String(), t.String()
}

// TestRead holds what is read, kept and dropped of every list of jobs in the data folder, where that
// is: docs/read.csv and its table.
func TestRead(t *testing.T) {
	files, err := readAll(sharedata.Path(t, "traces"))
	if err != nil {
		t.Fatal(err)
	}
	byFile, byFormat := readTables(files)
	const csvPage, page = "../../docs/read.csv", "../../docs/reference/data-origins.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	section := regexp.MustCompile(`(?s)(<!-- table read -->\n).*?(<!-- end -->)`)
	want := section.ReplaceAllString(string(text), "${1}"+byFormat+"${2}")
	if *update {
		if err := os.WriteFile(csvPage, []byte(byFile), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(csvPage)
	if err != nil || string(have) != byFile || string(text) != want || !strings.Contains(want, byFormat) {
		t.Errorf("docs/read.csv or its table in docs/reference/data-origins.md are of other readers or files (%v): make "+
			"data-files writes them", err)
	}
}

// The tables count every reason once for each of its rows.
func TestReadTables(t *testing.T) {
	report := func(rows ...string) []entry.Report {
		var r entry.Report
		for _, why := range rows {
			r.Count(why, "", false)
		}
		return []entry.Report{r}
	}
	byFile, byFormat := readTables([]fileRead{
		{"swf", "a.swf", 5, 2, report("no run", "no run", "no processors")}, {"swf", "b.swf", 2, 1, report("no run")},
		{"itp", "c,d.csv", 4, 4, report()},
	})
	if want := "format,file,rows,kept,dropped,why\nswf,a.swf,5,2,3,2 no run; 1 no processors\nswf,b.swf,2,1,1,1 no run\n" +
		"itp,\"c,d.csv\",4,4,0,\n"; byFile != want {
		t.Errorf("got\n%s\nwant\n%s", byFile, want)
	}
	if want := "| format | files | rows | kept | dropped | why |\n|---|---:|---:|---:|---:|---|\n" +
		"| `swf` | 2 | 7 | 3 | 4 | 3 no run; 1 no processors |\n| `itp` | 1 | 4 | 4 | 0 |  |\n"; byFormat != want {
		t.Errorf("got\n%s\nwant\n%s", byFormat, want)
	}
}
