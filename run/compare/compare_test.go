package compare

import (
	"math"
	"strings"
	"testing"

	"tarry/output/results"
	"tarry/run/config"
	"tarry/run/printed"
	"tarry/run/trial"
)

// done is a trial whose jobs took these times; NaN = it did not finish.
func done(policy string, replicate int64, jct ...float64) *trial.Result {
	r := &trial.Result{JCT: jct}
	r.Row.Keys = results.Keys{Policy: policy, Replicate: replicate}
	r.Row.Jobs = int64(len(jct))
	for _, v := range jct {
		if math.IsNaN(v) {
			r.Row.Unfinished++
		} else {
			r.Row.Finished++
			r.Row.JCTMean += v
		}
	}
	r.Row.JCTMean /= float64(r.Row.Finished)
	return r
}

// Differences are over the jobs that all policies finished, in pairs of replicates, and worked out
// by hand here.
func TestDifferenceByHand(t *testing.T) {
	nan := math.NaN()
	s := &config.Setup{Runs: make([]config.Run, 2)}
	all := []*trial.Result{done("fifo", 0, 10, 20, 30), done("fifo", 1, 4, 6, 8), done("las", 0, 13, 20, nan),
		done("las", 1, 5, 6, 10)}
	rows := Rows(s, []string{"fifo", "las"}, all)
	if err := WithFirst(s, rows); err != nil {
		t.Fatal(err)
	}
	// Replicate 0: (13+20)/2 - (10+20)/2 = 1.5; replicate 1: 7 - 6 = 1.
	if d := rows[1].Diff; math.Abs(d.Point-1.25) > 1e-12 || !(d.Lo < 1.25 && d.Hi > 1.25) ||
		rows[1].Over != "replicates" || rows[1].Same {
		t.Errorf("difference %+v over %s", rows[1].Diff, rows[1].Over)
	}
	if !math.IsNaN(rows[0].Diff.Point) {
		t.Errorf("the first differs from itself by %v", rows[0].Diff.Point)
	}
	values := map[string]Cell{}
	for _, c := range rows[1].Cells(true) {
		values[c.Name] = c
	}
	if values["jobs_compared"].Number != 2.5 || values["jct_mean_compared_s"].Number != (16.5+7)/2 ||
		values["policy"].Text != "las" || values["replicates"].Digits() != "2" {
		t.Errorf("cells %+v", values)
	}
	var text strings.Builder
	if err := Table(&text, rows, true, printed.Shown{}); err != nil || !strings.Contains(text.String(), "+1 [") ||
		!strings.Contains(text.String(), "differences are over the 5 of 6 jobs") {
		t.Errorf("%v: %s", err, text.String())
	}
	if notes := LeftOver(all[2]); len(notes) != 1 || !strings.HasPrefix(notes[0],
		"las, replicate 0: 1 jobs had not finished") {
		t.Errorf("notes %q", notes)
	}
	all[0].Refused = []trial.Refusal{{Job: "big", Why: "too large"}, {Job: "odd", Why: "no such type"},
		{Job: "vast", Why: "too large"}}
	if notes := LeftOver(all[0]); len(notes) != 2 || notes[0] != "fifo: 2 jobs refused, too large: big, vast" ||
		notes[1] != "fifo: 1 jobs refused, no such type: odd" {
		t.Errorf("notes %q", notes)
	}
}
