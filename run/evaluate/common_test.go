package evaluate

import (
	"math"
	"testing"

	"tarry/output/results"
	"tarry/run/trial"
)

// runs makes results from completion times by policy, window and job.
func runs(jct [][][]float64) (*Setup, []*trial.Result) {
	s := &Setup{Windows: len(jct[0]), tuned: map[int]origin{}}
	var done []*trial.Result
	for p, windows := range jct {
		s.Policies = append(s.Policies, string(rune('a'+p)))
		for w, jobs := range windows {
			r := &trial.Result{JCT: jobs, Row: results.Trial{Keys: results.Keys{Policy: s.Policies[p],
				Replicate: int64(w)}}}
			all := make([]bool, len(jobs))
			for id, v := range jobs {
				all[id] = !math.IsNaN(v)
			}
			r.Row.JCTMean = r.MeanOver(all)
			done = append(done, r)
		}
	}
	return s, done
}

// Policies that finished different jobs are compared over the jobs that all of them finished.
// Policy b leaves the longest job of each window unfinished, which flatters its mean.
func TestComparedOverCommonJobs(t *testing.T) {
	none := math.NaN()
	s, done := runs([][][]float64{
		{{10, 20, 900}, {10, 30, 900}, {10, 20, 700}},
		{{11, 21, none}, {11, 31, none}, {11, 21, none}},
		{{12, 22, 901}, {12, 32, 902}, {12, 22, 703}}})
	rows, err := s.Summarise(done)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 1, 2} {
		if got := rows[i].Diff.Point; got != want {
			t.Errorf("%s differs by %v over the jobs that all finished, expected %v", rows[i].Policy, got, want)
		}
		if rows[i].Compared != 6 || rows[i].Jobs != 9 {
			t.Errorf("%s: %d of %d jobs, expected 6 of 9", rows[i].Policy, rows[i].Compared, rows[i].Jobs)
		}
	}
	if a, b := rows[0], rows[1]; a.Profile[0].Point != 1 || b.Profile[0].Point != 0 || b.IQM.Point != 53.0/3 ||
		rows[1].Improvement.Point != 1 {
		t.Errorf("profile %v and %v, interquartile mean %v, improvement %v", a.Profile[0], b.Profile[0], b.IQM,
			b.Improvement)
	}
}

// A window without a job that all finished is left out; where no window is left nothing is
// compared.
func TestNothingInCommon(t *testing.T) {
	none := math.NaN()
	s, done := runs([][][]float64{{{10, none}, {10, 20}}, {{none, 5}, {11, 22}}})
	rows, err := s.Summarise(done)
	if err != nil || rows[1].Diff.Point != 1.5 || rows[1].Compared != 2 || !math.IsNaN(rows[1].JCT[0]) ||
		rows[1].Windows() != 2 {
		t.Errorf("rows %+v, %v", rows, err)
	}
	s, done = runs([][][]float64{{{10, none}}, {{none, 5}}})
	rows, err = s.Summarise(done)
	if err != nil || len(rows) != 2 || !math.IsNaN(rows[1].Diff.Point) || !math.IsNaN(rows[0].IQM.Point) ||
		len(rows[0].Profile) != len(Taus()) || rows[0].Compared != 0 {
		t.Errorf("rows %+v, %v", rows, err)
	}
}
