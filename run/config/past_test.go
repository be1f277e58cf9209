package config

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env/scenario"
	"tarry/internal/sharedata"
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
	c.Trace, c.Policies, c.Cluster, c.Speed, c.Replicates, c.Predict = "synth:demo,jobs=60", []string{"easy"}, "2x2x8",
		"counting", 2, "global"
	s, err := Build(c, simulation.All())
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
	if _, err := Build(c, simulation.All()); err == nil || !strings.Contains(err.Error(), "0 with a predictor") {
		t.Errorf("%v, expected a fault", err)
	}
}

// A policy that reads the true work beside a predictor is named, once; policies that read
// predictions, or nothing, are not.
func TestTrueWorkBesideAPredictorIsSaid(t *testing.T) {
	notes := func(predict string, policies ...string) (out []string) {
		c := Default()
		c.Trace, c.Policies, c.Cluster, c.Speed, c.Replicates, c.Predict = "synth:demo,jobs=60", policies, "2x2x8",
			"counting", 2, predict
		s, err := Build(c, simulation.All())
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
	if len(got) != 1 || !strings.HasPrefix(got[0], "predict: sjf, srsf, dally:order=srpt,evict=later: warning: the "+
		"true run times are read, not what global predicts") {
		t.Errorf("%q", got)
	}
	for _, predict := range []string{"", "none"} {
		if got := notes(predict, "sjf", "srtf"); got != nil {
			t.Errorf("predict %q: %q", predict, got)
		}
	}
	if got := notes("size", "sjf:by=estimate", "srtf:by=gittins", "dally", "artist-tiresias"); len(got) != 1 ||
		!strings.HasPrefix(got[0], "predict: artist-tiresias:") {
		t.Errorf("%q", got)
	}
}

// Made-up traces of a report: the second has the work of ten jobs of the training part, which
// outlast the trace, three times as long. The windows of part test begin with the same predictor
// for both, from which those jobs are missing (shared/cases/20-predictor-future).
func TestPredictorsDoNotSeeTheFuture(t *testing.T) {
	dir := sharedata.Path(t, "cases", "20-predictor-future")
	medians := func(file, predict string) (out []float64) {
		c := Default()
		c.Trace, c.Policies, c.Cluster, c.Replicates, c.Predict = "csv:"+filepath.Join(dir, file),
			[]string{"sjf:by=estimate"}, "1x8x8", 2, predict
		c.Cuts.Part, c.Cuts.Warm, c.Cuts.Horizon, c.Cuts.Gap, c.Cuts.Shares = scenario.Test, 0, 2, 1,
			[3]float64{40, 20, 40}
		s, err := Build(c, simulation.All())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range s.Runs {
			for j := range r.Workload.Jobs {
				law := r.Predictor.Predict(sim.JobID(j), &r.Workload.Jobs[j])
				out = append(out, law.Median(), law.Sigma())
			}
		}
		return out
	}
	for _, predict := range []string{"user-size", "global", "ridge"} {
		if a, b := medians("a.csv", predict), medians("b.csv", predict); !slices.Equal(a, b) || len(a) == 0 ||
			a[0] > 5000 {
			t.Errorf("%s: medians and spreads %v and %v, expected the same, of minutes", predict, a, b)
		}
	}
}
