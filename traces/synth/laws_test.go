package synth

import (
	"math"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces/intake"
	"tarry/traces/philly"
	"tarry/traces/tracetest"
)

// Means and distribution functions are computed; the draws must agree with them.
func TestDrawsFollowTheLaws(t *testing.T) {
	laws := map[string]struct {
		law runLaw
		tol float64 // of the mean, relative: five standard errors or so
	}{
		"exponential": {exponential{100}, 0.02},
		"constant":    {constant{7}, 1e-9},
		"hyper":       {hyper{100, 9}, 0.05},
		"lognormal":   {lognormalOf(100, 4, math.Inf(1)), 0.04},
		"cut":         {mixture{[]lognormal{{0.3, 2, 0.5}, {0.7, 5, 1.5}}, 400}, 0.02},
		"philly 1":    {phillyClasses()[0].run, 0.25},
		"philly 8":    {phillyClasses()[3].run, 0.05},
		"gavel":       {gavelClasses(true)[0].run, 0.03},
		"ada-srsf":    {adaSRSFClasses()[0].run, 0.01},
	}
	const n = 100_000
	for name, l := range laws {
		s := rng.Source{Seed: 11}.Stream(name)
		xs := make([]float64, n)
		sum := 0.0
		for i := range xs {
			xs[i] = l.law.draw(s)
			sum += xs[i]
		}
		if got := sum / n; math.Abs(got/l.law.mean()-1) > l.tol {
			t.Errorf("%s: mean of the draws %.4f, of the law %.4f", name, got, l.law.mean())
		}
		if name == "constant" {
			continue
		}
		slices.Sort(xs)
		worst := 0.0 // Kolmogorov-Smirnov
		for i, x := range xs {
			f := l.law.cdf(x)
			worst = max(worst, math.Abs(f-float64(i)/n), math.Abs(f-float64(i+1)/n))
		}
		if worst > 2/math.Sqrt(n) {
			t.Errorf("%s: draws and distribution function differ by %.5f", name, worst)
		}
	}
}

func TestSecondMoments(t *testing.T) {
	const n = 400_000
	for name, want := range map[string]struct {
		law runLaw
		scv float64
	}{"hyper": {hyper{1, 4}, 4}, "lognormal": {lognormalOf(1, 1, math.Inf(1)), 1}, "exponential": {exponential{1}, 1}} {
		s := rng.Source{Seed: 2}.Stream(name)
		var m1, m2 float64
		for range n {
			x := want.law.draw(s)
			m1 += x / n
			m2 += x * x / n
		}
		if scv := m2/(m1*m1) - 1; math.Abs(scv-want.scv) > 0.06*want.scv {
			t.Errorf("%s: squared coefficient of variation %.3f, want %g", name, scv, want.scv)
		}
	}
}

// The published totals that the Helios law is made from.
func TestHeliosTotals(t *testing.T) {
	var shares, gpus, mean float64
	cs := heliosClasses()
	for _, c := range cs {
		shares += c.share
		gpus += c.share * float64(c.gpus)
		mean += c.share * c.run.mean()
	}
	if math.Abs(shares-1) > 1e-12 || math.Abs(gpus-3.72) > 0.005 || math.Abs(mean-6652) > 10 ||
		cs[len(cs)-1].gpus != 2048 {
		t.Errorf("shares %.6f, mean GPUs %.4f, mean run %.1f s, largest demand %d", shares, gpus, mean,
			cs[len(cs)-1].gpus)
	}
	below := 0.0
	for _, c := range cs {
		below += c.share * c.run.cdf(206)
	}
	if math.Abs(below-0.5) > 0.001 {
		t.Errorf("%.4f of the runs are at most 206 s, want half", below)
	}
}

// The Philly law against the trace itself: shares exactly, means and quantiles per class.
func TestPhillyLawAgainstTheTrace(t *testing.T) {
	w, _, err := philly.Read(tracetest.Shared(t, "philly/philly.csv"), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	runs := map[int32][]float64{}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		runs[j.GPUs] = append(runs[j.GPUs], (j.Work / sim.Time(j.GPUs)).Seconds())
	}
	var lawWork, traceWork float64
	for _, c := range phillyClasses() {
		if int(c.share) != len(runs[c.gpus]) {
			t.Errorf("%d GPUs: share %g, the trace has %d jobs", c.gpus, c.share, len(runs[c.gpus]))
		}
		lawWork += c.share * float64(c.gpus) * c.run.mean()
		for _, r := range runs[c.gpus] {
			traceWork += r * float64(c.gpus)
		}
	}
	if math.Abs(lawWork/traceWork-1) > 0.05 {
		t.Errorf("the law's GPU-seconds are %.3f of the trace's", lawWork/traceWork)
	}
	for _, c := range phillyClasses()[:4] {
		r := runs[c.gpus]
		slices.Sort(r)
		mean := 0.0
		for _, x := range r {
			mean += x / float64(len(r))
		}
		if math.Abs(c.run.mean()/mean-1) > 0.06 {
			t.Errorf("%d GPUs: mean run %.0f s, in the trace %.0f s", c.gpus, c.run.mean(), mean)
		}
		for _, p := range []float64{0.1, 0.25, 0.5, 0.75, 0.9} {
			x := r[int(p*float64(len(r)))]
			// Runs are whole seconds: compare in the middle of the step.
			lo, hi := c.run.cdf(x/1.35), c.run.cdf(x*1.35)
			if lo > p || hi < p {
				t.Errorf("%d GPUs: the trace's quantile %g is %.0f s, the law has %.3f to %.3f around it", c.gpus, p,
					x, lo, hi)
			}
		}
	}
}
