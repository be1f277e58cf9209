package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/law"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/speed"
	"tarry/traces"
	"tarry/traces/predict"
)

// spy is a predictor that notes the jobs it was fitted on.
type spy struct{ fitted map[string]bool }

func (s *spy) Fit(jobs []sim.Job) {
	s.fitted = map[string]bool{}
	for i := range jobs {
		s.fitted[jobs[i].ID] = true
	}
}
func (s *spy) Predict(sim.JobID, *sim.Job) law.Law       { return law.Law{} }
func (s *spy) Ended(_ sim.JobID, j *sim.Job, _ sim.Time) { s.fitted[j.ID] = true }
func (s *spy) Clone() sim.Predictor                      { return s }

// known is what the tests name.
func known() Catalogues {
	return Catalogues{Traces: traces.All(), Speeds: speed.All(), Predictors: predict.All()}
}

// traceFile writes a trace of n jobs, 600 s apart.
func traceFile(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("id,submit_s,gpus,work_s,user\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,%d,%d,%d,u%d\n", i, i*600, 1+i%4, 1000+i%977, i%9)
	}
	path := filepath.Join(t.TempDir(), "trace.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A predictor is never fitted on a job of the window that it is for, and on no job of validation or test.
func TestPredictorsAreNotFittedOnTheirWindow(t *testing.T) {
	from := known()
	from.Predictors = append(from.Predictors, predict.Entry{Name: "spy", New: func(s *param.Set) (predict.Predictor, error) { return &spy{}, s.Err() }})
	csv := traceFile(t, 4000)
	for name, change := range map[string]func(c *Scenario){
		"cut":   func(c *Scenario) { c.Trace = "csv:" + csv; c.Cuts.Warm, c.Cuts.Horizon = 2, 20 },
		"thin":  func(c *Scenario) { c.Trace = "csv:" + csv; c.Cuts.Warm, c.Cuts.Horizon, c.Cuts.Thin = 2, 60, 3 },
		"dealt": func(c *Scenario) { c.Trace = "csv:" + csv; c.Cuts.BatchJobs, c.Cuts.Copies = 300, 2 },
		"drawn": func(c *Scenario) { c.Cuts.Windows = 12; c.Cuts.Warm, c.Cuts.Horizon = 2, 20 },
	} {
		t.Run(name, func(t *testing.T) {
			c := Default()
			c.Cluster, c.Speed, c.Predict, c.Cuts.Part = "2x2x8", "counting", "spy", Train
			change(&c)
			s, err := c.Build(from)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []Part{Train, Validation, Test} {
				for i := range min(12, s.Windows.Windows(part)) {
					p, err := s.Predictor(part, i)
					if err != nil {
						t.Fatal(err)
					}
					w, err := s.Windows.Window(part, i)
					if err != nil {
						t.Fatal(err)
					}
					fitted := p.(*spy).fitted
					if len(fitted) < 300 {
						t.Errorf("window %d of %s: fitted on %d jobs, expected hundreds", i, part, len(fitted))
					}
					for _, j := range w.Jobs {
						id, _, _ := strings.Cut(j.ID, "#")
						if fitted[id] || fitted[fmt.Sprintf("%d/%s", i, id)] && part == Train {
							t.Fatalf("window %d of %s: fitted on its own job %s", i, part, j.ID)
						}
					}
				}
			}
		})
	}
}

// Users that are simulated ask for the same in every window, and predictors see what they ask.
func TestRequestsAreGuessed(t *testing.T) {
	c := Default()
	c.Cluster, c.Speed, c.Trace, c.Cuts.Part, c.Predict = "2x2x8", "counting", "csv:"+traceFile(t, 6000), Test, "request:sigma=0,raw=true"
	s, err := c.Build(known())
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Windows.Window(Test, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Predictor(Test, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if l := p.Predict(sim.JobID(i), j); j.Request != j.RunTime() || l.Sigma() != 0 || sim.Seconds(l.Median()) != j.RunTime() {
			t.Fatalf("job %s: runs %v, asks for %v, predicted %v", j.ID, j.RunTime(), j.Request, l.Median())
		}
	}
}

func TestPredictorsByName(t *testing.T) {
	c := Default()
	c.Speed, c.Predict = "counting", "rigde"
	if _, err := c.Build(known()); err == nil || !strings.Contains(err.Error(), "ridge") {
		t.Errorf("%v, expected a hint", err)
	}
	c.Predict = "none"
	s, err := c.Build(known())
	if err != nil || s.Predicts() {
		t.Errorf("none: %v, predicts %v", err, s.Predicts())
	}
	if p, err := s.PredictorOf(nil, rng.Source{}); p != nil || err != nil {
		t.Errorf("none gives %v, %v", p, err)
	}
}
