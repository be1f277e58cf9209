package config

import (
	"strings"
	"testing"

	"tarry/env/scenario/shipped"
	"tarry/sim"
)

// What a predictor learns before a run: of a trace the jobs that had ended, of a law other draws.
func TestPredictorsLearnFromThePast(t *testing.T) {
	job := func(at, run int) sim.Job {
		return sim.Job{Submit: sim.Time(at) * sim.Second, Work: sim.Time(run) * sim.Second, GPUs: 1}
	}
	jobs := []sim.Job{job(0, 5), job(1, 500), job(2, 8), job(10, 1)}
	if got := endedBefore(jobs, 3); len(got) != 2 || got[0].Work != jobs[0].Work || got[1].Work != jobs[2].Work {
		t.Errorf("%d jobs had ended: %v, expected the first and the third", len(got), got)
	}
	c := Default()
	c.Trace, c.Policies, c.Cluster, c.Speed, c.Replicates, c.Predict = "synth:demo,jobs=60", []string{"easy"}, "2x2x8", "counting", 2, "global"
	s, err := Build(c, shipped.All())
	if err != nil {
		t.Fatal(err)
	}
	for r := range s.Runs {
		if l := s.Runs[r].Predictor.Predict(0, &s.Runs[r].Workload.Jobs[0]); l.Median() == 3600 || l.Sigma() == 0 {
			t.Errorf("replicate %d: nothing was learned: %v", r, l)
		}
	}
	if text := s.JSON(0, 0); !strings.Contains(text, `"predict":"global"`) {
		t.Errorf("%s", text)
	}
	c.EstimateError = 0.5
	if _, err := Build(c, shipped.All()); err == nil || !strings.Contains(err.Error(), "0 with a predictor") {
		t.Errorf("%v, expected a fault", err)
	}
}
