package trial

import (
	"context"
	"math"
	"os"
	"testing"

	"tarry/output/results"
	"tarry/sim"
	"tarry/sim/law"
)

// hour foretells an hour, within a factor of e, for every job.
type hour struct{}

func (hour) Predict(sim.JobID, *sim.Job) law.Law {
	return law.Law{LogMedian: math.Log(3600), Shape: law.LogNormal(1)}
}
func (hour) Ended(sim.JobID, *sim.Job, sim.Time) {}
func (hour) Clone() sim.Predictor                { return hour{} }

// A trial with a predictor has a row of predictions, over the jobs that came and fit; one without
// has no such table. Without its row a trial is run again.
func TestPredictionsAreMeasured(t *testing.T) {
	job := func(id string, runS float64, gpus int32) sim.Job {
		return sim.Job{ID: id, Work: sim.Seconds(runS * float64(gpus)), GPUs: gpus}
	}
	w := workload(t, job("a", 3600/math.E, 1), job("b", 3600, 2), job("c", 3600*math.E, 1), job("d", 36000*math.E, 1),
		job("too large", 60, 64))
	tr := newTrial(w, topology(t, 1, 1, 4), 0)
	tr.Predictor, tr.PredictorName = hour{}, "hour"
	dir := t.TempDir()
	run := func() *Result {
		out, err := Run(context.Background(), []Trial{tr}, Options{Out: dir})
		if err != nil {
			t.Fatal(err)
		}
		return out[0]
	}
	first := run()
	rows, err := results.ReadDir[results.Prediction](context.Background(), dir+"/predictions")
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	r := rows[0]
	if r.Keys != tr.Keys || r.Predictor != "hour" || r.Jobs != 4 || r.Below50 != 0.5 || r.Below90 != 0.75 {
		t.Errorf("%+v", r)
	}
	ln10 := math.Log(10)
	near(t, "mean error", r.ErrorMean, (1+ln10)/4)
	near(t, "mean log run", r.LogRunMean, math.Log(3600)+(1+ln10)/4)
	near(t, "spread stated", r.SpreadMean, 1)
	near(t, "spread left", r.ErrorSD, r.LogRunSD)
	near(t, "R2 of one constant", r.R2, -r.ErrorMean*r.ErrorMean/(r.ErrorSD*r.ErrorSD))
	if n := len(Files(dir, []*Result{first})); n != 5 {
		t.Errorf("%d files, expected 5 with the predictions", n)
	}
	if again := run(); !again.Reused || !again.Predicted {
		t.Errorf("run again: %+v", again)
	}
	if err := os.RemoveAll(dir + "/predictions"); err != nil {
		t.Fatal(err)
	}
	if again := run(); again.Reused {
		t.Error("the trial without its predictions counts as complete")
	}
	tr.Predictor, dir = nil, t.TempDir()
	if r := run(); r.Predicted || len(Files(dir, []*Result{r})) != 4 {
		t.Errorf("without a predictor: %+v", r)
	}
	if _, err := os.Stat(dir + "/predictions"); err == nil {
		t.Error("a table of predictions without a predictor")
	}
}
