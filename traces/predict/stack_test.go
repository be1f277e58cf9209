package predict

import (
	"fmt"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
)

// The weights are the least squares that are not below 0: the slope along a weight is 0, or above 0
// where the weight is 0.
func TestStackWeights(t *testing.T) {
	r := rng.Source{Seed: 3}.Stream("stack")
	for _, c := range []struct{ true []float64 }{{[]float64{0.7, 0.3}}, {[]float64{0.9, -0.4, 0.3}}, {[]float64{0, 0}},
		{[]float64{0.1, 0.2, 0.3, 0.4, -0.1, 0.3}}} {
		const n, lambda = 3000, 2.0
		s := newSums(len(c.true))
		for range n {
			x, y := make([]float64, len(c.true)), 2+0.5*r.NormFloat64()
			common := r.NormFloat64() // parts agree in most
			for k, w := range c.true {
				x[k] = 8 + common + 0.5*r.NormFloat64()
				y += w * x[k]
			}
			s.add(x, y)
		}
		w := make([]float64, len(c.true))
		s.weights(w, lambda)
		for k := range w {
			slope := lambda * (w[k] - 1/float64(len(w)))
			for l := range w {
				xx, _ := s.about(k, l)
				slope += xx * w[l]
			}
			_, xy := s.about(k, k)
			slope -= xy
			if w[k] < 0 || slope < -1e-5 || w[k] > 0 && slope > 1e-5 {
				t.Errorf("%v: weight %d of %v has slope %v", c.true, k, w, slope)
			}
			if len(w) == 2 && math.Abs(w[k]-c.true[k]) > 0.05 {
				t.Errorf("weights %v, expected about %v", w, c.true)
			}
		}
		if len(w) == 3 && w[1] != 0 {
			t.Errorf("weights %v, expected 0 for the one that is below 0", w)
		}
	}
}

// A part that repeats what it has seen explains jobs that are in its past, and none that comes. Its
// weight is by the latter: of users with one job each, and of users whose jobs all come together,
// the last runs of the user are no better than the mean of all.
func TestStackWeighsWhatWasForetold(t *testing.T) {
	for _, together := range []int{1, 3} {
		var past []sim.Job
		for i := range 300 {
			for k := range together {
				past = append(past, job(fmt.Sprint("u", i), 1, float64(i)*1e6+float64(k), math.Exp(3+float64(i*5%7))))
			}
		}
		p := parse(t, "stack:of=last2+global,lambda=1").(*online)
		p.Fit(past)
		if w := p.est.(*stack).fitted; w == nil || w[0] > 0.3 {
			t.Errorf("%d jobs of a user together: weights %v, expected next to none for the first", together, w)
		}
	}
	// The same where users return.
	var past []sim.Job
	for i := range 600 {
		past = append(past, job(fmt.Sprint("u", i%7), 1, float64(i)*1e6, math.Exp(3+float64(i%7))))
	}
	p := parse(t, "stack:of=last2+global,lambda=1").(*online)
	p.Fit(past)
	if w := p.est.(*stack).fitted; w == nil || w[0] < 0.95 {
		t.Errorf("users return: weights %v, expected nearly 1 for the first", w)
	}
}

// Weights follow the jobs that end in a run: a request that was of no use before is used once it
// is near the run time.
func TestStackLearnsInARun(t *testing.T) {
	p := parse(t, "stack:of=user-size+request,solve=100").(*online)
	p.Fit(asking(400, 3, 1))
	before := p.est.(*stack).fitted[1]
	jobs := asking(3000, 0.1, 2)
	for i := range jobs {
		p.Predict(0, &jobs[i])
		p.Ended(0, hidden(&jobs[i]), jobs[i].RunTime())
	}
	p.Predict(0, &jobs[0])
	if after := p.est.(*stack).fitted[1]; after < before+0.2 {
		t.Errorf("the request has weight %v, then %v", before, after)
	}
}

// What is fitted is no worse on jobs to come than the best of the parts and than their mean.
func TestStackBesideItsParts(t *testing.T) {
	past, future := asking(3000, 0.4, 1), asking(1500, 0.4, 2)
	r2 := map[string]float64{}
	for _, spec := range []string{"request", "last2", "user-size", "mix:of=request+last2+user-size",
		"stack:of=request+last2+user-size"} {
		p := parse(t, spec)
		p.Fit(past)
		r2[spec] = Assess(p, future).R2
	}
	t.Log(r2)
	for spec, x := range r2 {
		if got := r2["stack:of=request+last2+user-size"]; got < x {
			t.Errorf("R2 %v, %s has %v", got, spec, x)
		}
	}
}
