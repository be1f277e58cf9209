package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"tarry/sim/rng"
)

var nan, inf = math.NaN(), math.Inf(1)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) && !(math.IsNaN(got) && math.IsNaN(want)) {
		t.Errorf("%s = %v, want %v within %v", what, got, want, tol)
	}
}

func warns(t *testing.T, what string, got []error, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: warnings %v, want %d", what, got, len(want))
		return
	}
	for i, w := range want {
		if !strings.Contains(got[i].Error(), w) {
			t.Errorf("%s: warning %q does not say %q", what, got[i], w)
		}
	}
}

func stream(name string) *rng.Stream { return rng.Source{Seed: 1}.Stream(name) }

func oneToTen() []float64 { return []float64{10, 2, 8, 4, 6, 5, 7, 3, 9, 1} }

// The values of R: quantile(1:10, p, type = 7) and quantile(c(1,2,4,8), p).
func TestQuantileIsType7(t *testing.T) {
	q := Quantiles(oneToTen(), 0, .25, .5, .95, .99, 1, -1, 2)
	for i, want := range []float64{1, 3.25, 5.5, 9.55, 9.91, 10, 1, 10} {
		near(t, "quantile of 1..10", q[i], want, 1e-12)
	}
	q = Quantiles([]float64{8, 1, 4, 2}, .1, .3, .9)
	for i, want := range []float64{1.3, 1.9, 6.8} {
		near(t, "quantile of 1,2,4,8", q[i], want, 1e-12)
	}
	near(t, "quantile of one", Quantile([]float64{3}, .7), 3, 0)
	near(t, "quantile of none", Quantile(nil, .5), nan, 0)
	near(t, "NaN-quantile", Quantile([]float64{1}, nan), nan, 0)
}

func TestIQM(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{oneToTen(), 5.5},                           // drops 1,2 and 9,10
		{[]float64{1, 2, 30}, 11},                   // floor(3/4) = 0: drops none
		{[]float64{-1000, 1, 3, 1000}, 2},           // drops one at each side
		{[]float64{0, 0, 0, 6, 9, 12, 500, 7}, 5.5}, // keeps 0,6,7,9
		{nil, nan},
	} {
		near(t, "IQM", IQM(c.x), c.want, 1e-12)
	}
}

func TestJain(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{5, 5, 5, 5}, 1}, {[]float64{1, 0, 0, 0}, .25}, {[]float64{1, 2, 3}, 36.0 / 42},
		{[]float64{0, 0}, 1}, {nil, nan}, {[]float64{1, -1}, nan},
	} {
		near(t, "Jain's index", Jain(c.x), c.want, 1e-15)
	}
}

func TestOptimalityGapAndVariance(t *testing.T) {
	near(t, "gap", OptimalityGap([]float64{.5, 2, 1}, 1), 1-2.5/3, 1e-15)
	near(t, "variance of 1..10", Variance(oneToTen()), 55.0/6, 1e-12)
	near(t, "variance of one", Variance([]float64{1}), nan, 0)
}

// Order does not matter, the summaries lie between the extremes, and scaling scales.
func TestSummaryLaws(t *testing.T) {
	law := func(seed uint64) bool {
		r := rand.New(rand.NewPCG(seed, 0))
		x := make([]float64, 1+r.IntN(40))
		for i := range x {
			x[i] = r.NormFloat64()
		}
		shuffled, scaled := slices.Clone(x), make([]float64, len(x))
		r.Shuffle(len(x), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for i, v := range x {
			scaled[i] = 4 * v // a power of two: exact
		}
		lo, hi := slices.Min(x), slices.Max(x)
		p := r.Float64()
		q := Quantiles(x, p, min(1, p+.1))
		return IQM(x) == IQM(shuffled) && IQM(scaled) == 4*IQM(x) && IQM(x) >= lo-1e-12 && IQM(x) <= hi+1e-12 &&
			q[0] == Quantiles(shuffled, p)[0] && q[0] <= q[1] && lo <= q[0] && q[1] <= hi
	}
	if err := quick.Check(law, &quick.Config{MaxCount: 300, Rand: nil}); err != nil {
		t.Error(err)
	}
}

// Student's sleep data (1908): the second soporific minus the first, ten patients.
// R: t.test(extra ~ group, paired = TRUE) prints 0.7001142 2.4598858.
func TestSleepData(t *testing.T) {
	a := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	b := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	c, err := Paired(stream("sleep"), a, b, Options{Method: StudentT})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean difference", c.Diff.Point, 1.58, 1e-12)
	near(t, "lower bound", c.Diff.Lo, 0.7001142, 1e-6)
	near(t, "upper bound", c.Diff.Hi, 2.4598858, 1e-6)
	near(t, "share below", c.Below.Point, .05, 1e-12)
	if c.Ties != 1 {
		t.Errorf("%d ties, want 1", c.Ties)
	}
	warns(t, "sleep", c.Diff.Warnings, "1 of 10 pairs are equal")
	warns(t, "sleep ratio", c.Ratio.Warnings, "1 of 10 pairs are equal", "positive values")
}

// The spatial test of Efron and Tibshirani (1993), table 14.1: the variance (divisor n)
// of A over 26 children is 171.5. Table 14.2 gives 90 % intervals from 2000 resamples:
// percentile (100.8, 233.9), BCa (115.8, 259.6), with acceleration 0.061. The bounds of
// 2000 resamples have a standard error of about 2, hence the tolerance.
func TestSpatialTestData(t *testing.T) {
	x := []float64{48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41}
	variance := func(x []float64) float64 { return Variance(x) * float64(len(x)-1) / float64(len(x)) }
	near(t, "variance", variance(x), 171.5, 0.05)
	jack := jackknife(len(x), func(ix []int) float64 { return variance(take(nil, x, ix)) })
	near(t, "acceleration", acceleration(jack), 0.061, 0.0005)
	p := Bootstrap(stream("p"), x, variance, Options{Level: .9})
	near(t, "percentile lower", p.Lo, 100.8, 5)
	near(t, "percentile upper", p.Hi, 233.9, 5)
	b := Bootstrap(stream("b"), x, variance, Options{Level: .9, Method: BCa})
	near(t, "BCa lower", b.Lo, 115.8, 5)
	near(t, "BCa upper", b.Hi, 259.6, 6)
	warns(t, "BCa", b.Warnings)
}

// Coverage of nominal 95 % intervals of the mean over 2000 simulated samples: the bounds
// are what each method is known for, wide enough for the binomial error of 0.005.
func TestCoverage(t *testing.T) {
	const trials = 2000
	normal := func(r *rng.Stream) float64 { return r.NormFloat64() }
	skewed := func(r *rng.Stream) float64 { return r.ExpFloat64() - 1 }
	for _, c := range []struct {
		name   string
		n      int
		draw   func(*rng.Stream) float64
		method Method
		lo, hi float64
	}{
		{"t, normal, n=5", 5, normal, StudentT, .935, .965},
		{"t, exponential, n=20", 20, skewed, StudentT, .89, .94},
		{"percentile, normal, n=5: too narrow, as warned", 5, normal, Percentile, .80, .87},
		{"percentile, normal, n=30", 30, normal, Percentile, .915, .955},
		{"BCa, normal, n=30", 30, normal, BCa, .915, .955},
		{"BCa, exponential, n=30", 30, skewed, BCa, .89, .95},
	} {
		data, draws := stream("data "+c.name), stream("draws "+c.name)
		hit := 0
		x := make([]float64, c.n)
		for range trials {
			for i := range x {
				x[i] = c.draw(data)
			}
			iv := Bootstrap(draws, x, Mean, Options{Reps: 500, Method: c.method})
			if iv.Lo <= 0 && 0 <= iv.Hi {
				hit++
			}
		}
		if share := float64(hit) / trials; share < c.lo || share > c.hi {
			t.Errorf("%s covers %.3f, want %.2f to %.2f", c.name, share, c.lo, c.hi)
		} else {
			t.Logf("%s covers %.3f", c.name, share)
		}
	}
}

// Pairing pays: with common noise the paired interval is far narrower than that of
// policies resampled apart.
func TestPairingNarrows(t *testing.T) {
	r := stream("noise")
	a, b := make([]float64, 40), make([]float64, 40)
	for i := range a {
		common := 100 * r.NormFloat64()
		a[i], b[i] = 1000+common+r.NormFloat64(), 1010+common+r.NormFloat64()
	}
	for _, m := range []Method{Percentile, BCa, StudentT} {
		c, err := Paired(stream("pairs"), a, b, Options{Method: m, Reps: 2000})
		if err != nil {
			t.Fatal(err)
		}
		if !(c.Diff.Lo < -10+.7 && c.Diff.Lo > -11.5 && c.Diff.Hi > -10.7 && c.Diff.Hi < -8.5) {
			t.Errorf("method %d: difference in [%.2f, %.2f], want about -10 +- 0.5", m, c.Diff.Lo, c.Diff.Hi)
		}
		near(t, "ratio", c.Ratio.Point, c.MeanA/c.MeanB, 1e-12)
		if c.Ratio.Hi >= 1 || c.Below.Point != 1 || len(c.Diff.Warnings) != 0 {
			t.Errorf("method %d: %+v", m, c)
		}
	}
}

func TestSameStreamSameInterval(t *testing.T) {
	get := func() Interval { return Bootstrap(stream("x"), oneToTen(), IQM, Options{}) }
	a, b := get(), get()
	if a.Lo != b.Lo || a.Hi != b.Hi || !(a.Lo < a.Point && a.Point < a.Hi) {
		t.Errorf("%+v and %+v", a, b)
	}
}

func TestWarnings(t *testing.T) {
	s := stream("w")
	warns(t, "none", Bootstrap(s, nil, Mean, Options{}).Warnings, "no values")
	one := Bootstrap(s, []float64{3}, Mean, Options{})
	near(t, "point of one", one.Point, 3, 0)
	near(t, "bound of one", one.Lo, nan, 0)
	warns(t, "one", one.Warnings, "one value")
	warns(t, "dropped and few", Bootstrap(s, []float64{1, nan, 2, inf}, Mean, Options{}).Warnings, "2 of 4 values are not finite", "bootstrap of 2 values")
	warns(t, "level", Bootstrap(s, oneToTen(), Mean, Options{Level: 2}).Warnings, "outside (0, 1)", "resamples leave")
	warns(t, "reps", Bootstrap(s, oneToTen(), Mean, Options{Reps: 50}).Warnings, "50 resamples leave 1.25")
	same := make([]float64, 12)
	flat := Bootstrap(s, same, Mean, Options{Method: BCa})
	warns(t, "constant", flat.Warnings, "BCa is not defined")
	if flat.Lo != 0 || flat.Hi != 0 {
		t.Errorf("constant values gave [%v, %v]", flat.Lo, flat.Hi)
	}
	warns(t, "t of one", TInterval([]float64{1}, .95).Warnings, "1 values have no interval")
	warns(t, "t level", TInterval(oneToTen(), 0).Warnings, "level 0")
	if _, err := Paired(s, []float64{1}, nil, Options{}); err == nil || !strings.Contains(err.Error(), "1 with 0") {
		t.Errorf("unequal lengths gave %v", err)
	}
	c, _ := Paired(s, []float64{1, nan, 3}, []float64{2, 2, inf}, Options{})
	warns(t, "pairs", c.Diff.Warnings, "2 of 3 pairs are not finite", "one value")
}

func TestStrata(t *testing.T) {
	st := Strata{{1, 2, 3, 4, 5}, {10, 20, 30, 40, 50}}
	near(t, "mean", st.Mean(), 16.5, 1e-12)
	near(t, "median", st.Median(), 16.5, 1e-12)
	near(t, "IQM", st.IQM(), (3.0+4+5+10+20+30)/6, 1e-12) // drops 1,2 and 40,50
	iv := Stratified(stream("s"), st, Strata.Mean, Options{Reps: 4000})
	// Runs stay within their task: the error is that of each task's mean of five,
	// sqrt(2/5 + 200/5)/2 = 3.18, not that of ten values from both.
	near(t, "lower bound", iv.Lo, 16.5-1.96*3.18, .6)
	near(t, "upper bound", iv.Hi, 16.5+1.96*3.18, .6)
	warns(t, "five runs", iv.Warnings, "bootstrap of 5 values")
	warns(t, "empty task", Stratified(stream("s"), Strata{{1}, {nan}}, Strata.Mean, Options{}).Warnings, "task 1: 1 of 1 values", "without values")
	warns(t, "no task", Stratified(stream("s"), nil, Strata.Mean, Options{}).Warnings, "without values")
}

func TestImprovementProbability(t *testing.T) {
	x, y := Strata{{1, 3}}, Strata{{2, 3}}
	// P(x > y): of (1,2) (1,3) (3,2) (3,3) one wins and one ties.
	up, err := ImprovementProbability(stream("i"), x, y, true, Options{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "P(x>y)", up.Point, .375, 0)
	down, _ := ImprovementProbability(stream("i"), x, y, false, Options{})
	near(t, "P(x<y)", down.Point, 1-.375, 0)
	two, _ := ImprovementProbability(stream("i"), Strata{{1, 3}, {0}}, Strata{{2, 3}, {9}}, true, Options{})
	near(t, "mean over tasks", two.Point, .375/2, 0)
	if _, err := ImprovementProbability(stream("i"), x, nil, true, Options{}); err == nil {
		t.Error("unequal tasks were accepted")
	}
	if up.Lo < 0 || up.Hi > 1 || up.Lo > up.Point || up.Hi < up.Point {
		t.Errorf("interval [%v, %v]", up.Lo, up.Hi)
	}
}

func TestProfile(t *testing.T) {
	st := Strata{{1, 2}, {3, 4}}
	for i, want := range []float64{1, .75, .5, .25, 0} {
		iv := Profile(stream("p"), st, []float64{float64(i)}, Options{Reps: 500})[0]
		near(t, "share above", iv.Point, want, 0)
		if iv.Lo > want || iv.Hi < want {
			t.Errorf("tau %d: [%v, %v] without %v", i, iv.Lo, iv.Hi, want)
		}
	}
}

func BenchmarkPaired(b *testing.B) {
	s := stream("bench")
	x, y := make([]float64, 100), make([]float64, 100)
	for i := range x {
		x[i], y[i] = s.NormFloat64(), s.NormFloat64()
	}
	for b.Loop() {
		if _, err := Paired(s, x, y, Options{Method: BCa}); err != nil {
			b.Fatal(err)
		}
	}
}
