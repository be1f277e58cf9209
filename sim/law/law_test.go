package law

import (
	"math"
	"testing"

	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// survival of a log-normal run time of median m.
func survival(sigma, m, x float64) float64 {
	if x <= 0 {
		return 1
	}
	return fixmath.NormalCDF(-math.Log(x/m) / sigma)
}

// scan is the Gittins rank by brute force: trapezoids of the survival function over fine steps of
// the time spent, each step a way to stop. It also gives the mean time left.
func scan(above func(x float64) float64, ran, most float64) (rank, left float64) {
	rank, area := math.Inf(1), 0.0
	s0 := above(ran)
	step := 1 + 2e-4
	for x, d := ran, (ran+most*1e-9)*2e-4; x < most; d *= step {
		area += d * (above(x) + above(x+d)) / 2
		x += d
		if ends := s0 - above(x); ends > 0 {
			rank = math.Min(rank, area/ends)
		}
	}
	return rank, area / s0
}

func near(t *testing.T, what string, got, want, part float64) {
	t.Helper()
	if !(math.Abs(got/want-1) <= part) {
		t.Errorf("%s is %v, expected %v within %v %%", what, got, want, 100*part)
	}
}

func TestLogNormalAgainstIntegration(t *testing.T) {
	for _, sigma := range []float64{0.2, 0.5, 1, 2} {
		l := Law{LogMedian: math.Log(500), Shape: LogNormal(sigma)}
		for _, u := range []float64{-3, -1.2, -0.4, 0, 0.3, 1, 2, 3} {
			ran := 500 * math.Exp(u*sigma)
			rank, left := scan(func(x float64) float64 { return survival(sigma, 500, x) }, ran, 500*math.Exp(8*sigma))
			near(t, "rank", l.Rank(ran), rank, 0.02)
			near(t, "left", l.Left(ran), left, 0.01)
		}
		rank, _ := scan(func(x float64) float64 { return survival(sigma, 500, x) }, 0, 500*math.Exp(8*sigma))
		near(t, "rank of a new job", l.Rank(0), rank, 0.02)
		near(t, "left of a new job", l.Left(0), 500*math.Exp(sigma*sigma/2), 1e-3)
		near(t, "quantile", math.Log(l.Quantile(0.9)/500), sigma*fixmath.NormalQuantile(0.9), 2e-3)
		if l.Sigma() != sigma || l.Quantile(0.5) > l.Quantile(0.51) {
			t.Errorf("sigma %v: sigma is %v", sigma, l.Sigma())
		}
	}
}

// Two kinds of jobs, 10 s and 10 000 s: past the short ones, a job is known to be long.
func TestEmpiricalAgainstIntegration(t *testing.T) {
	draws := rng.Source{Seed: 3}.Stream("residuals")
	var res []float64
	for i := range 4000 {
		mode := math.Log(10)
		if i%3 == 0 {
			mode = math.Log(10_000)
		}
		res = append(res, mode+0.3*draws.NormFloat64())
	}
	s, centre := Empirical(res)
	l := Law{LogMedian: centre, Shape: s}
	above := func(x float64) float64 { // as the mixture has it, over the grid and past it
		if x <= 0 {
			return 1
		}
		u := (math.Log(x/l.Median()) - s.lo) / s.step
		i := int(u)
		switch {
		case u <= 0:
			return 1
		case i >= points-1:
			return 0
		}
		return s.above[i] + (s.above[i+1]-s.above[i])*(u-float64(i))
	}
	for _, ran := range []float64{0, 5, 10, 40, 5000, 10_000, 15_000} {
		rank, left := scan(above, ran, 1e8)
		near(t, "rank", l.Rank(ran), rank, 0.15) // the grid is 0.08 wide, a kind 0.3
		near(t, "left", l.Left(ran), left, 0.02)
	}
	if l.Rank(60) < 20*l.Rank(0) {
		t.Errorf("rank is %v at first and %v when the job is known to be long", l.Rank(0), l.Rank(60))
	}
	within := 0.0
	for _, r := range res {
		if x := math.Exp(r); x > l.Quantile(0.1) && x < l.Quantile(0.9) {
			within++
		}
	}
	near(t, "part within the 80 % interval", within/4000, 0.8, 0.03)
}

func TestEdges(t *testing.T) {
	exact := Law{LogMedian: math.Log(100)}
	for ran, want := range map[float64]float64{0: 100, 30: 70, 200: 0} {
		if got := exact.Rank(ran); math.Abs(got-want) > 1e-9 || exact.Left(ran) != got || exact.Sigma() != 0 {
			t.Errorf("after %v s the rank is %v, expected %v", ran, got, want)
		}
	}
	if s, c := Empirical(nil); s != nil || c != 0 {
		t.Errorf("no residuals gave %v, %v", s, c)
	}
	if s, c := Empirical([]float64{2, 2, 2}); s != nil || c != 2 {
		t.Errorf("equal residuals gave %v, %v", s, c)
	}
	if s, c := Empirical([]float64{1, 3}); s == nil || c != 2 || s.Sigma() != math.Sqrt2 {
		t.Errorf("two residuals gave %v, %v", s, c)
	}
	if LogNormal(0) != nil || LogNormal(math.NaN()) != nil {
		t.Error("no spread has a shape")
	}
	wide := Law{Shape: LogNormal(6)}
	for _, ran := range []float64{0, 1e-30, 1e-9, 1, 1e9, 1e30} {
		if r, l := wide.Rank(ran), wide.Left(ran); !(r > 0) || r > l*(1+1e-12) || math.IsInf(l, 0) {
			t.Errorf("after %v s: rank %v, left %v", ran, r, l)
		}
	}
	if n := testing.AllocsPerRun(10, func() { wide.Rank(5); wide.Left(5); wide.Quantile(0.3) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Beyond is the quantile of the law of a job that has run for a while.
func TestBeyondIsTheQuantileOfWhatIsLeft(t *testing.T) {
	for _, sigma := range []float64{0.2, 0.5, 1, 2} {
		l := Law{LogMedian: math.Log(500), Shape: LogNormal(sigma)}
		for _, u := range []float64{-3, -1.2, 0, 0.7, 2} {
			ran := 500 * math.Exp(u*sigma)
			for _, p := range []float64{0.01, 0.3, 0.5, 0.9, 0.99} {
				at := l.Beyond(ran, p)
				if at < ran {
					t.Errorf("sigma %v: a job that has run for %v s ends at %v", sigma, ran, at)
				}
				near(t, "what lies above", survival(sigma, 500, at)/survival(sigma, 500, ran), 1-p, 0.03)
			}
		}
		if got, want := l.Beyond(0, 0.3), l.Quantile(0.3); got != want {
			t.Errorf("a new job: %v, expected its quantile %v", got, want)
		}
		if end := l.Beyond(500*math.Exp(20*sigma), 0.5); math.IsNaN(end) || end <= 0 {
			t.Errorf("past the end of the law: %v", end)
		}
	}
	if got := (Law{LogMedian: math.Log(500)}).Beyond(700, 0.9); got != (Law{LogMedian: math.Log(500)}).Median() {
		t.Errorf("without spread: %v, expected the median", got)
	}
}
