package digest

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

// folderOf writes a comparison on two replicates of three jobs of 100, 200, 300 s, twice as long in
// replicate 1, times a factor for each policy; jobs is the hash of the jobs. With unfinished, the
// first policy leaves job c of replicate 1.
func folderOf(t *testing.T, dir, jobs string, unfinished bool, policies ...string) {
	t.Helper()
	var trials []results.Trial
	var rows []results.Job
	for p, one := range policies {
		policy, factor, _ := strings.Cut(one, "*")
		for r := range 2 {
			k := results.Keys{Policy: policy, Seed: 1, Replicate: int64(r)}
			hash := ""
			if jobs != "" {
				hash = fmt.Sprint(jobs, r)
			}
			trials = append(trials, results.Trial{Keys: k, Summary: results.Summary{WorkloadSHA256: hash}})
			for i, id := range []string{"a", "b", "c"} {
				jct := 100 * float64(i+1) * float64(r+1) * parse(t, factor)
				if unfinished && p == 0 && r == 1 && id == "c" {
					jct = math.NaN()
				}
				rows = append(rows, results.Job{Keys: k, ID: id, JCT: jct})
			}
		}
	}
	write(t, dir, trials)
	write(t, dir, rows)
}

// drawn gives the pictures of several folders, by name.
func drawn(t *testing.T, dirs ...string) map[string]sweep.Figure {
	t.Helper()
	runs, err := FindRuns(dirs...)
	if err != nil {
		t.Fatal(err)
	}
	figures, err := runs.Figures(background, shipped.All())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]sweep.Figure{}
	for _, f := range figures {
		if _, twice := out[f.Name]; twice {
			t.Errorf("two pictures are called %s", f.Name)
		}
		out[f.Name] = f
	}
	return out
}

// rowsOf are the rows of a picture without the rows of single units.
func rowsOf(f sweep.Figure) (out []string) {
	for _, r := range f.Rows {
		if row := strings.Join(r, " "); !strings.Contains(row, "(single") {
			out = append(out, row)
		}
	}
	return out
}

// Folders of the same jobs are compared with one another in pairs, a folder of others is not, and
// the note states which.
func TestFoldersTogether(t *testing.T) {
	dir := t.TempDir()
	a, b, c := filepath.Join(dir, "old/a"), filepath.Join(dir, "new/a"), filepath.Join(dir, "c")
	folderOf(t, a, "x", false, "fifo*1", "dally*0.5")
	folderOf(t, b, "x", true, "dally*0.25", "fifo*2", "srtf*1")
	folderOf(t, c, "y", false, "fifo*1", "dally*3")
	all := drawn(t, a, b, c)
	if len(all) != 11 || all["old_a_jct_cdf"].Figure == nil || all["c_relative"].Figure == nil {
		t.Errorf("%d pictures, want three of each folder and two of all", len(all))
	}
	want := []string{
		"old/a fifo 1 NaN NaN 0", "old/a dally 0.5 0.5 0.5 2", "old/a srtf NaN NaN NaN 0",
		"new/a fifo 8 8 8 2", "new/a dally 1 NaN NaN 0", "new/a srtf 4 4 4 2",
		"c fifo 1 NaN NaN 0", "c dally 3 3 3 2", "c srtf NaN NaN NaN 0",
		"new/a against old/a fifo 2 2 2 2", "new/a against old/a dally 0.5 0.5 0.5 2",
		"new/a against old/a srtf NaN NaN NaN 0",
	}
	f := all["together_relative"]
	got := rowsOf(f)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	const pairs = "Folders with the same jobs: old/a, new/a. Not paired with another folder: c (other jobs than old/a)."
	for _, name := range []string{"together_relative", "together_jct_cdf"} {
		if !strings.Contains(all[name].Note, pairs) {
			t.Errorf("%s: %s, want %s", name, all[name].Note, pairs)
		}
	}
	cdf := all["together_jct_cdf"]
	if r := cdf.Rows[0]; r[0] != "old/a: fifo" || !strings.Contains(cdf.Note, "n=5 to 6 jobs per line, of 2 replicates") ||
		!strings.Contains(cdf.Note, "jobs that all policies of a folder finished") {
		t.Errorf("%v, %s", r, cdf.Note)
	}
}

// Folders of one policy are rows with the folders' names; without a common hash of jobs nothing is
// compared, and the lines alone are drawn. One folder, given twice or with one that has no job, has
// its own pictures only.
func TestFoldersOfOnePolicy(t *testing.T) {
	dir := t.TempDir()
	a, b, c, d := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c"), filepath.Join(dir, "d")
	folderOf(t, a, "x", false, "fifo*1")
	folderOf(t, b, "x", true, "fifo*2")
	folderOf(t, c, "", false, "fifo*1")
	folderOf(t, d, "x", false, "dally*1")
	all := drawn(t, a, b, c)
	if got := rowsOf(all["together_relative"]); len(got) != 1 || got[0] != "mean JCT b 2 2 2 2" ||
		!strings.Contains(all["together_relative"].Note, "c (no hash of the jobs)") {
		t.Errorf("%q: %s", got, all["together_relative"].Note)
	}
	if f := all["together_jct_cdf"]; f.Rows[0][0] != "a" || !strings.Contains(f.Note, "All lines are fifo.") {
		t.Errorf("%v %s", f.Rows[0], f.Note)
	}
	if all := drawn(t, a, d); all["together_jct_cdf"].Rows[0][0] != "a: fifo" || len(all) != 7 {
		t.Errorf("%d pictures of two policies of which each is in one folder, want no ratios between them", len(all))
	}
	if all := drawn(t, a, a+"/."); len(all) != 3 {
		t.Errorf("%d pictures of a folder that is given twice, want its own three", len(all))
	}
}
