package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/predictors"
	"tarry/catalogue/speeds"
	"tarry/catalogue/traces"
	"tarry/sim"
	"tarry/sim/law"
	"tarry/sim/param"
	"tarry/sim/rng"
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
	return Catalogues{Traces: traces.All(), Speeds: speeds.All(), Predictors: predictors.All()}
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

// A predictor is never fitted on a job of the window that it is for, and on no job of validation or
// test.
func TestPredictorsAreNotFittedOnTheirWindow(t *testing.T) {
	from := known()
	from.Predictors = append(from.Predictors, predict.Entry{Name: "spy",
		New: func(s *param.Set) (predict.Predictor, error) { return &spy{}, s.Err() }})
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
					p, err := s.Predictor(part, i, "")
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

// Nothing that ends after a window of validation or test begins is in the fit of its predictor:
// other run times of jobs that outlast the trace change nothing, and of the jobs that have ended
// none is left out.
func TestPredictorsAreFittedOnWhatHasEnded(t *testing.T) {
	from, fits := known(), map[string]map[string]sim.Time{}
	from.Predictors = append(from.Predictors, predict.Entry{Name: "spy",
		New: func(s *param.Set) (predict.Predictor, error) { return &spy{}, s.Err() }})
	rows := func(last int) string {
		var b strings.Builder
		b.WriteString("id,submit_s,gpus,work_s,user\n")
		for i := range 400 {
			work := 1000 + i%977
			switch {
			case i >= 150 && i < 160:
				work = last
			case i == 140: // into the test part
				work = 65 * 600
			}
			fmt.Fprintf(&b, "%d,%d,1,%d,u\n", i, i*600, work)
		}
		return b.String()
	}
	for name, last := range map[string]int{"as they are": 400_000, "three times as long": 1_200_000} {
		path := filepath.Join(t.TempDir(), "trace.csv")
		if err := os.WriteFile(path, []byte(rows(last)), 0o600); err != nil {
			t.Fatal(err)
		}
		for kind, change := range map[string]func(c *Scenario){
			"cut":  func(c *Scenario) { c.Cuts.Warm, c.Cuts.Horizon, c.Cuts.Gap = 0, 4, 1 },
			"thin": func(c *Scenario) { c.Cuts.Warm, c.Cuts.Horizon, c.Cuts.Gap, c.Cuts.Thin = 0, 8, 1, 2 },
			"jobs": func(c *Scenario) { c.Cuts.Warm, c.Cuts.Horizon, c.Cuts.WindowJobs = 0, 0, 30 },
		} {
			c := Default()
			c.Cluster, c.Speed, c.Predict, c.Trace, c.Cuts.Part, c.Cuts.Shares = "1x8x8", "counting", "spy",
				"csv:"+path, Test, [3]float64{40, 20, 40}
			change(&c)
			s, err := c.Build(from)
			if err != nil {
				t.Fatal(err)
			}
			dated := s.Windows.(Dated)
			for _, part := range []Part{Validation, Test} {
				for i := range min(5, s.Windows.Windows(part)) {
					p, err := s.Predictor(part, i, "")
					if err != nil {
						t.Fatal(err)
					}
					begins, ended := dated.Begins(part, i), map[string]sim.Time{}
					for _, j := range dated.Jobs(Train).Jobs {
						if end := j.Submit + j.RunTime(); end <= begins {
							ended[j.ID] = end
						}
					}
					key, fitted := fmt.Sprintf("%s, window %d of %s", kind, i, part), p.(*spy).fitted
					if len(fitted) != len(ended) || len(ended) < 100 || fitted["150"] {
						t.Errorf("%s, %s: fitted on %d jobs, %d have ended at %v", name, key, len(fitted), len(ended),
							begins)
					}
					if was := fits[key]; was != nil && len(was) != len(ended) {
						t.Errorf("%s: jobs that run still change what is fitted on", key)
					}
					if fits[key] = ended; fitted["140"] != (begins >= (140+65)*600*sim.Second) {
						t.Errorf("%s: job 140 ends at %v, the window begins at %v, fitted on it %v", key,
							205*600*sim.Second, begins, fitted["140"])
					}
				}
			}
		}
	}
}

// Users that are simulated ask for the same in every window, and predictors see what they ask.
func TestRequestsAreGuessed(t *testing.T) {
	c := Default()
	c.Cluster, c.Speed, c.Trace, c.Cuts.Part, c.Predict = "2x2x8", "counting", "csv:"+traceFile(t, 6000), Test,
		"request:sigma=0,raw=true"
	s, err := c.Build(known())
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Windows.Window(Test, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Predictor(Test, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if l := p.Predict(sim.JobID(i), j); j.Request != j.RunTime() || l.Sigma() != 0 ||
			sim.Seconds(l.Median()) != j.RunTime() {
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
