package sim

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/law"
)

// recall predicts the run time of the job that ended last, 1 s before one has; it notes what it is
// asked.
type recall struct {
	last  Time
	notes *[]string
}

func (r *recall) Predict(id JobID, j *Job) law.Law {
	*r.notes = append(*r.notes, fmt.Sprintf("predict %d %s %v %d %v %q", id, j.User, j.Work, j.Iterations, j.IterS,
		j.State))
	return law.Law{LogMedian: math.Log(r.last.Seconds()), Shape: law.LogNormal(0.5)}
}

func (r *recall) Ended(id JobID, j *Job, run Time) {
	*r.notes = append(*r.notes, fmt.Sprintf("ended %d %s %v %v", id, j.User, j.Work, run))
	r.last = run
}

func (r *recall) Clone() Predictor { c := *r; return &c }

// runAll starts every job on its arrival, on its own GPUs.
func runAll(v *View, out []Decision) []Decision {
	for _, ev := range v.Events() {
		if ev.Kind == Arrive {
			out = append(out, Decision{Kind: Start, Job: ev.Job,
				GPUs: []cluster.GPU{cluster.GPU(2 * ev.Job), cluster.GPU(2*ev.Job + 1)}})
		}
	}
	return out
}

func recallCase(t *testing.T) (Config, *[]string) {
	t.Helper()
	secret := func(user string, submit, work Time) Job {
		return Job{User: user, Submit: submit * Second, GPUs: 2, Work: work * Second, Iterations: 7, IterS: 2,
			State: "Pass"}
	}
	notes := &[]string{}
	return Config{Workload: jobs(t, secret("a", 0, 8), secret("b", 0, 20), secret("c", 4, 6), secret("d", 12, 2),
		Job{Submit: 13 * Second, GPUs: 99, Work: 1}),
		Topology: topology(t, 1, 1, 8, 8), Speed: counting{}, Predictor: &recall{Second, notes}, Check: true}, notes
}

func TestPredictorIsAskedAtArrivalAndLearnsFromTheEnd(t *testing.T) {
	cfg, notes := recallCase(t)
	if _, err := Run(context.Background(), cfg, script{f: runAll}); err != nil {
		t.Fatal(err)
	}
	want := []string{`predict 0 a 0s 0 0 ""`, `predict 1 b 0s 0 0 ""`, "ended 0 a 0s 4s", `predict 2 c 0s 0 0 ""`,
		"ended 2 c 0s 3s", "ended 1 b 0s 10s",
		`predict 3 d 0s 0 0 ""`, "ended 3 d 0s 1s"}
	if !slices.Equal(*notes, want) {
		t.Errorf("the predictor was asked\n%q, expected\n%q", *notes, want)
	}
	if last := cfg.Predictor.(*recall).last; last != Second {
		t.Errorf("the predictor of the configuration changed to %v", last)
	}
}

func TestViewGivesWhatIsPredicted(t *testing.T) {
	for know, want := range map[know.Set]string{know.Nothing: "NaN 0 0 false NaN", know.Done: "NaN 0 0 false 3",
		know.Estimate: "8e+06 4 0.5 true NaN"} {
		cfg, _ := recallCase(t)
		looked := false
		p := script{know: know, f: func(v *View, out []Decision) []Decision {
			if v.Now() == 7*Second {
				looked = true
				l, ok := v.Job(2).Law()
				if got := fmt.Sprintf("%v %v %v %v %v", v.Job(2).Estimate(), math.Round(l.Median()*1e9)/1e9*btof(ok),
					l.Sigma(), ok, v.Run(2).Ran()); got != want {
					t.Errorf("knowing %v: %s, expected %s", know, got, want)
				}
			}
			return runAll(v, out)
		}}
		if _, err := Run(context.Background(), cfg, p); err != nil || !looked {
			t.Fatal(err, looked)
		}
	}
}

func btof(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// From a snapshot at any instant, the same is predicted as before.
func TestSnapshotHoldsThePredictor(t *testing.T) {
	cfg, _ := recallCase(t)
	medians := func(e *Engine) []string {
		var out []string
		for {
			v, ok, err := e.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				return out
			}
			out = append(out, fmt.Sprint(v.Now(), v.Job(0).Estimate(), v.Job(1).Estimate(), v.Job(2).Estimate(),
				v.Job(3).Estimate()))
			if err := e.Apply(runAll(v, nil)); err != nil {
				t.Fatal(err)
			}
		}
	}
	fresh := func() *Engine {
		e, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		e.Permit(know.Estimate)
		return e
	}
	whole := medians(fresh())
	if len(whole) != 6 {
		t.Fatalf("the run is %q", whole)
	}
	for at := range whole {
		e := fresh()
		for range at {
			v, _, _ := e.Next()
			if err := e.Apply(runAll(v, nil)); err != nil {
				t.Fatal(err)
			}
		}
		s := e.Snapshot()
		for _, into := range []*Engine{e, fresh(), e} {
			if err := into.Restore(s); err != nil {
				t.Fatal(err)
			}
			if got := medians(into); !slices.Equal(got, whole[at:]) {
				t.Errorf("from instant %d: %q, expected %q", at, got, whole[at:])
			}
		}
	}
}
