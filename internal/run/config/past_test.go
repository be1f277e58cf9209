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

// A policy that reads the true work beside a predictor is named, once; those that read predictions, or nothing, are not.
func TestTrueWorkBesideAPredictorIsSaid(t *testing.T) {
	notes := func(predict string, policies ...string) (out []string) {
		c := Default()
		c.Trace, c.Policies, c.Cluster, c.Speed, c.Replicates, c.Predict = "synth:demo,jobs=60", policies, "2x2x8", "counting", 2, predict
		s, err := Build(c, shipped.All())
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range s.Notes {
			if strings.Contains(n, "true run times") {
				out = append(out, n)
			}
		}
		return out
	}
	got := notes("global", "sjf", "srtf:by=left", "srsf", "dally:order=srpt,evict=later", "las", "easy")
	if len(got) != 1 || !strings.HasPrefix(got[0], "predict: sjf, srsf, dally:order=srpt,evict=later: warning: the true run times are read, not what global predicts") {
		t.Errorf("%q", got)
	}
	for _, predict := range []string{"", "none"} {
		if got := notes(predict, "sjf", "srtf"); got != nil {
			t.Errorf("predict %q: %q", predict, got)
		}
	}
	if got := notes("size", "sjf:by=estimate", "srtf:by=gittins", "dally", "artist-tiresias"); len(got) != 1 || !strings.HasPrefix(got[0], "predict: artist-tiresias:") {
		t.Errorf("%q", got)
	}
}
