package app

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tarry/output/results"
)

// Policies that finished different jobs are compared over the jobs that all of them finished, and
// that is reported. The run is cut, so that each policy leaves others; some jobs are larger than
// the cluster.
func TestOutcomesAreSeen(t *testing.T) {
	dir := t.TempDir()
	run := []string{"compare", "--trace", "synth:demo,gpus=128", "--cluster", "1x2x8", "--policy", "dally", "--policy",
		"fifo", "--until", "100000"}
	all, _ := objects(t, good(t, dir, append(run, "--format", "json", "--out", "o")...).out)
	number := func(i int, key string) float64 { v, _ := all[i][key].(float64); return v }
	for i := range all {
		sum := number(i, "finished") + number(i, "unfinished") + number(i, "refused") + number(i, "rejected")
		if number(i, "jobs") != sum || number(i, "finished") == 0 || number(i, "unfinished") == 0 ||
			number(i, "refused") == 0 {
			t.Errorf("outcomes do not add up: %v", all[i])
		}
	}
	jobs, err := results.ReadDir[results.Job](context.Background(), filepath.Join(dir, "o", "jobs"))
	if err != nil {
		t.Fatal(err)
	}
	jct := map[string]map[string]float64{}
	counts := map[string]float64{}
	for _, j := range jobs {
		if jct[j.ID] == nil {
			jct[j.ID] = map[string]float64{}
		}
		jct[j.ID][j.Policy] = j.JCT
		counts[j.Policy+j.Outcome]++
	}
	if counts["dallyfinished"] != number(0, "finished") || counts["fifounfinished"] != number(1, "unfinished") ||
		counts["fiforefused"] != number(1, "refused") {
		t.Errorf("the jobs say %v, the rows %v", counts, all)
	}
	n, diff := 0.0, 0.0
	for _, of := range jct {
		if d := of["fifo"] - of["dally"]; !math.IsNaN(d) {
			n, diff = n+1, diff+d
		}
	}
	if got := number(1, "jct_mean_diff_s"); number(1, "jobs_compared") != n ||
		math.Abs(got-diff/n) > 1e-6*math.Abs(got) || n == number(0, "finished") {
		t.Errorf("difference %v over %v jobs, expected %v over %v", got, number(1, "jobs_compared"), diff/n, n)
	}
	text := good(t, dir, run...).out
	for _, want := range []string{"finished  unfinished  refused  rejected",
		"means and quantiles of a row are over its finished jobs", "the policies finished different jobs: " +
			"differences are over the "} {
		if !strings.Contains(text, want) {
			t.Errorf("the table does not say %q:\n%s", want, text)
		}
	}
}
