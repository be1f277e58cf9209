package runs

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/run/lock"
)

func file(t testing.TB, text string, path ...string) {
	t.Helper()
	name := filepath.Join(path...)
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func table[T results.Row](t testing.TB, dir string, rows ...T) {
	t.Helper()
	var zero T
	if err := results.Write(t.Context(), results.Target{Path: filepath.Join(dir, zero.Table(), "part-0.parquet")},
		rows); err != nil {
		t.Fatal(err)
	}
}

// comparison writes three replicates of two policies; the second is the better one.
func comparison(t testing.TB, dir, config string, finished int64) {
	t.Helper()
	file(t, config, dir, "config.json")
	var rows []results.Trial
	for p, policy := range []string{"dally:t_rack=6", "fifo"} {
		for r := range 3 {
			n := int64(10)
			if p == 1 {
				n = finished
			}
			rows = append(rows, results.Trial{Keys: results.Keys{Policy: policy, Seed: 1, Replicate: int64(r)},
				Summary: results.Summary{Jobs: 10, Finished: n, Unfinished: 10 - n, JCTMean: 100 + float64(r)*float64(r) -
					float64(p)*10*float64(r+1)}})
		}
	}
	table(t, dir, rows...)
}

// TestList reads the main number of each kind.
func TestList(t *testing.T) {
	dir := t.TempDir()
	comparison(t, filepath.Join(dir, "a"), `{"policies": ["dally:t_rack=6", "fifo"], "seed": 1, "costs": {"x": 2}}`, 10)
	comparison(t, filepath.Join(dir, "b"), `{"policies": ["dally:t_rack=6", "fifo"], "seed": 2, "costs": {"x": 2}}`, 9)
	train := filepath.Join(dir, "c")
	file(t, `{"agent": "ppo", "seed": 1, "costs": {"x": 2}}`, train, "config.json")
	for i, v := range []float64{-3, -2, math.NaN()} {
		rows := []results.Curve{{Update: int64(i), Validation: v}}
		if err := results.Write(t.Context(), results.Target{Path: filepath.Join(train, "curves",
			fmt.Sprintf("part-%d.parquet", i))}, rows); err != nil {
			t.Fatal(err)
		}
	}
	tune := filepath.Join(dir, "d")
	file(t, `{"policy": "dally-manual", "seed": 1, "costs": {"x": 2}}`, tune, "config.json")
	table(t, tune, results.Tune{Stage: "reference", Diff: 0, Best: math.NaN()},
		results.Tune{Stage: "search", Diff: -0.5, Best: -0.5}, results.Tune{Stage: "validation", Diff: -0.25, Best: -0.5})
	file(t, `{"name": "few"}`, dir, "s/sweep.json")
	file(t, "{\"id\": \"x=1\"}\n{\"id\": \"x=2\"}\n", dir, "s/cells.jsonl")
	file(t, `{"state": "done"}`, dir, "s/cells/x=2/STATUS")
	all, err := List(t.Context(), dir, 2)
	if err != nil || len(all) != 5 {
		t.Fatalf("%d runs, %v", len(all), err)
	}
	for i, want := range []string{"a compare dally:t_rack=6, fifo", "b compare dally:t_rack=6, fifo", "c train ppo",
		"d tune dally-manual", "s sweep few"} {
		if r := all[i]; r.Err != nil || r.Name+" "+r.Kind+" "+r.What != want || r.Date.IsZero() {
			t.Errorf("%+v, want %s", r, want)
		}
	}
	h := all[0].Headline
	want := stats.Student([]float64{-10, -20, -30})
	if h.Best != "fifo" || h.First != "dally:t_rack=6" || math.Abs(h.Value-(305.0/3-20)) > 1e-9 ||
		math.Abs(h.Diff.Point+20) > 1e-9 || math.Abs(h.Diff.Lo-want.Lo) > 1e-9 {
		t.Errorf("%+v", h)
	}
	if d := all[1].Headline.Diff.Point; !math.IsNaN(d) {
		t.Errorf("a difference of %v between policies that finished different jobs", d)
	}
	if all[2].Headline.Value != -2 || all[3].Headline.Value != -0.25 || all[4].Headline.Done != 1 ||
		all[4].Headline.Cells != 2 {
		t.Errorf("%+v %+v %+v", all[2].Headline, all[3].Headline, all[4].Headline)
	}
	differ, common := Differing(all)
	if !slices.Equal(differ, []string{"agent", "policy", "seed"}) || !slices.Equal(common, []string{"costs.x"}) {
		t.Errorf("differ %q, common %q", differ, common)
	}
	for _, c := range []struct {
		key, value string
		want       int
	}{{"kind", "compare", 2}, {"policy", "fifo", 2}, {"policy", "dally", 2}, {"agent", "ppo", 1}, {"seed", "2", 1},
		{"costs.x", "2", 4}, {"none", "", 0}} {
		n := 0
		for i := range all {
			if all[i].Matches(c.key, c.value) {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s=%s passes %d runs, want %d", c.key, c.value, n, c.want)
		}
	}
}

// TestStatus: what a run left in its folder states how far it is.
func TestStatus(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"over", "cut", "held", "gone"} {
		comparison(t, filepath.Join(dir, name), `{"policies": ["dally:t_rack=6", "fifo"]}`, 10)
	}
	file(t, `{}`, dir, "over/manifest.json")
	file(t, `{}`, dir, "gone/manifest.json")
	if err := os.RemoveAll(filepath.Join(dir, "gone/config.json")); err != nil {
		t.Fatal(err)
	}
	for name, states := range map[string][]string{"s-done": {"done", "cancelled"}, "s-left": {"done", "requeue"},
		"s-failed": {"done", "failed"}, "s-both": {"failed", ""}} {
		file(t, `{"name": "few"}`, dir, name, "sweep.json")
		file(t, "{\"id\": \"x=0\"}\n{\"id\": \"x=1\"}\n", dir, name, "cells.jsonl")
		for i, s := range states {
			if s != "" {
				file(t, `{"state": "`+s+`"}`, dir, name, "cells", fmt.Sprintf("x=%d", i), "STATUS")
			}
		}
	}
	release, err := lock.Folder(filepath.Join(dir, "held"))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	all, err := List(t.Context(), dir, 1)
	var got []string
	for _, r := range all {
		got = append(got, r.Name+" "+string(r.Status))
		if (r.Status == Broken) != (r.Err != nil) {
			t.Errorf("%s is %s, its error is %v", r.Name, r.Status, r.Err)
		}
	}
	want := "cut interrupted, gone broken, held running, over finished, s-both broken, s-done finished, " +
		"s-failed broken, s-left interrupted"
	if s := strings.Join(got, ", "); err != nil || s != want {
		t.Errorf("%s, %v, want %s", s, err, want)
	}
}

// TestBroken: a run that cannot be read is a row with its error, and others are read.
func TestBroken(t *testing.T) {
	dir := t.TempDir()
	comparison(t, filepath.Join(dir, "good"), `{"policies": ["fifo"]}`, 10)
	comparison(t, filepath.Join(dir, "no-config"), "", 10)
	if err := os.Remove(filepath.Join(dir, "no-config/config.json")); err != nil {
		t.Fatal(err)
	}
	comparison(t, filepath.Join(dir, "bad-json"), `{"policies": [`, 10)
	comparison(t, filepath.Join(dir, "odd-types"), `{"policies": {"a": 1}, "agent": 3}`, 10)
	file(t, `{}`, dir, "no-table/config.json")
	file(t, ``, dir, "no-table/trials/x")
	file(t, `{}`, dir, "garbage/config.json")
	file(t, `PAR1 garbage PAR1`, dir, "garbage/trials/part-0.parquet")
	file(t, `{}`, dir, "half/config.json")
	file(t, ``, dir, "half/curves/part-0.parquet")
	file(t, `{"name": 3}`, dir, "sweep/sweep.json")
	file(t, `{}`, dir, "escape/sweep.json")
	file(t, `{"id": "../../good"}`, dir, "escape/cells.jsonl")
	if err := os.Symlink(dir, filepath.Join(dir, "loop")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("trials", filepath.Join(dir, "half/trials")); err != nil {
		t.Fatal(err)
	}
	all, err := List(t.Context(), dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	var broken, whole []string
	for _, r := range all {
		if r.Err != nil {
			broken = append(broken, r.Name)
		} else {
			whole = append(whole, r.Name)
		}
	}
	if got := strings.Join(broken, " "); got != "bad-json escape garbage half no-config no-table sweep" ||
		strings.Join(whole, " ") != "good odd-types" {
		t.Errorf("broken %s, whole %q", got, whole)
	}
	if _, err := List(t.Context(), filepath.Join(dir, "none"), 1); err == nil {
		t.Error("a folder that is not there is listed")
	}
}

// BenchmarkList reads a thousand comparisons.
func BenchmarkList(b *testing.B) {
	dir := b.TempDir()
	for i := range 1000 {
		comparison(b, filepath.Join(dir, fmt.Sprint(i)), fmt.Sprintf(`{"policies": ["fifo"], "seed": %d}`, i), 10)
	}
	for b.Loop() {
		if all, err := List(b.Context(), dir, 2); err != nil || len(all) != 1000 {
			b.Fatal(len(all), err)
		}
	}
}
