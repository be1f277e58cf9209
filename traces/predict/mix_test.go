package predict

import (
	"fmt"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
)

// asking is a site whose users ask for run times that are off by a factor, off on a log scale; each
// third job asks for nothing.
func asking(n int, off float64, seed uint64) []sim.Job {
	r := rng.Source{Seed: seed}.Stream("asking")
	jobs := site(n, 0.8, seed)
	for i := range jobs {
		if i%3 > 0 {
			jobs[i].Request = sim.Seconds(jobs[i].RunTime().Seconds() * math.Exp(1+off*r.NormFloat64()))
		}
	}
	return jobs
}

// The prediction is the weighted mean of the logs of the parts; a part without anything to state
// about a job is left out. Where one part must learn in the order of submits all do, which moves the
// coefficients of ridge by what its solver leaves open.
func TestMixByHand(t *testing.T) {
	past, future := asking(400, 1, 1), asking(60, 1, 2)
	fitted := map[string]estimator{}
	for _, name := range partNames() {
		p := parse(t, name).(*online)
		p.Fit(past)
		fitted[name] = p.est
	}
	for _, c := range []struct {
		spec    string
		weights map[string]float64 // of jobs with a request
	}{
		{"mix", map[string]float64{"ridge": 0.5, "request": 0.5}},
		{"mix:of=request+ridge+global,weights=6/1/1", map[string]float64{"request": 0.75, "ridge": 0.125, "global": 0.125}},
		{"mix:of=last2+size,weights=0/3", map[string]float64{"size": 1}},
		{"mix:of=user-size", map[string]float64{"user-size": 1}},
		{"mix:of=request", map[string]float64{"request": 1}},
	} {
		p := parse(t, c.spec).(*online)
		p.Fit(past)
		for i := range future {
			var want, all float64
			for name, w := range c.weights {
				if name == "request" && future[i].Request == 0 && len(c.weights) > 1 {
					continue
				}
				y, _ := fitted[name].point(&future[i])
				want, all = want+w*y, all+w
			}
			if got, ok := p.est.point(&future[i]); !ok || math.Abs(got-want/all) > 0.01 {
				t.Fatalf("%s, job %d: %v, expected %v", c.spec, i, got, want/all)
			}
		}
	}
	of := job("z", 2, 0, 1)
	if l := parse(t, "mix").Predict(0, &of); math.Abs(l.Median()-priorMedianS) > 1e-6 || l.Sigma() != priorSigma {
		t.Errorf("knowing nothing: %v s, sigma %v", l.Median(), l.Sigma())
	}
}

// A clone learns for itself, in each part, and teaches nothing to the original.
func TestMixClonesShareNothing(t *testing.T) {
	past, future := asking(400, 1, 1), asking(300, 1, 2)
	for _, spec := range []string{"mix", "mix:of=global+size+user-size+last2+request+ridge", "stack:solve=20",
		"stack:of=global+size+user-size+last2+request+ridge", "mix:errors=alike"} {
		p := parse(t, spec)
		p.Fit(past)
		c := p.Clone()
		var before []string
		for i := range future {
			before = append(before, fmt.Sprint(p.Predict(0, &future[i]).LogMedian))
		}
		moved := 0
		for i := range future {
			c.Ended(0, hidden(&future[i]), future[i].RunTime()*50)
			if fmt.Sprint(c.Predict(0, &future[i]).LogMedian) != before[i] {
				moved++
			}
		}
		for i := range future {
			if got := fmt.Sprint(p.Predict(0, &future[i]).LogMedian); got != before[i] {
				t.Fatalf("%s: job %d has %v after a clone learned, %v before", spec, i, got, before[i])
			}
		}
		if moved < 290 {
			t.Errorf("%s: what ended moved %d of 300 predictions", spec, moved)
		}
	}
}
