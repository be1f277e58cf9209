package stats

import (
	"crypto/sha256"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/quick"
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

// stream gives draws of a name's own.
func stream(name string) *rand.Rand { return rand.New(rand.NewChaCha8(sha256.Sum256([]byte(name)))) }

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

func TestVariance(t *testing.T) {
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

// Student's sleep data (1908): the second soporific minus the first, ten patients. R: t.test(extra
// ~ group, paired = TRUE) prints 0.7001142 2.4598858; binom.test(1, 10) the interval of a
// proportion.
func TestSleepData(t *testing.T) {
	a := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	b := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	c, err := Paired(a, b)
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
}

// R: binom.test(8, 10)$conf.int is 0.4439045 0.9747893, binom.test(3, 3) 0.2924018 1, binom.test(0, 2)
// 0 0.8418861.
func TestSharesAreClopperAndPearsons(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{{8, 10, 0.4439045, 0.9747893}, {3, 3, 0.2924018, 1}, {0, 2, 0, 0.8418861}} {
		scores := make([]float64, c.n)
		for i := range c.k {
			scores[i] = 1
		}
		iv := Profile(Strata{scores}, []float64{0})[0]
		near(t, "share", iv.Point, float64(c.k)/float64(c.n), 1e-15)
		near(t, "lower bound", iv.Lo, c.lo, 1e-6)
		near(t, "upper bound", iv.Hi, c.hi, 1e-6)
	}
}

// The jackknife of a ratio by hand.
func TestRatio(t *testing.T) {
	c, err := Paired([]float64{1, 2, 3}, []float64{2, 4, 4})
	if err != nil {
		t.Fatal(err)
	}
	// Without each pair in turn: 5/8, 4/6, 3/6. Student's quantile for two degrees of freedom is
	// 4.302653.
	x := []float64{math.Log(5. / 8), math.Log(4. / 6), math.Log(3. / 6)}
	half := 4.302653 * math.Sqrt(4./3*Variance(x))
	near(t, "ratio", c.Ratio.Point, 0.6, 1e-15)
	near(t, "lower bound", c.Ratio.Lo, 0.6*math.Exp(-half), 1e-6)
	near(t, "upper bound", c.Ratio.Hi, 0.6*math.Exp(half), 1e-6)
	g, err := Ratio(Grid{{1, 2, 3}}, Grid{{2, 4, 4}})
	if err != nil || math.Abs(g.Lo-c.Ratio.Lo) > 1e-12 || math.Abs(g.Hi-c.Ratio.Hi) > 1e-12 {
		t.Errorf("of grids %+v, %v, expected %+v", g, err, c.Ratio)
	}
	c, _ = Paired([]float64{0, 2}, []float64{1, 1})
	near(t, "a ratio of 0 without one pair", c.Ratio.Lo, nan, 0)
	warns(t, "ratio", c.Ratio.Warnings, "above 0 without any one")
}

// Pairing narrows intervals: with common noise the paired interval is far narrower than the
// intervals of policies apart.
func TestPairingNarrows(t *testing.T) {
	r := stream("noise")
	a, b := make([]float64, 40), make([]float64, 40)
	for i := range a {
		common := 100 * r.NormFloat64()
		a[i], b[i] = 1000+common+r.NormFloat64(), 1010+common+r.NormFloat64()
	}
	c, err := Paired(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if !(c.Diff.Lo < -10+.7 && c.Diff.Lo > -11.5 && c.Diff.Hi > -10.7 && c.Diff.Hi < -8.5) {
		t.Errorf("difference in [%.2f, %.2f], want about -10 +- 0.5", c.Diff.Lo, c.Diff.Hi)
	}
	near(t, "ratio", c.Ratio.Point, c.MeanA/c.MeanB, 1e-12)
	if c.Ratio.Hi >= 1 || c.Below.Point != 1 || c.Below.Lo < 0.9 || len(c.Diff.Warnings) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestWarnings(t *testing.T) {
	warns(t, "none", Student(nil).Warnings, "no values")
	one := Student([]float64{3})
	near(t, "point of one", one.Point, 3, 0)
	near(t, "bound of one", one.Lo, nan, 0)
	warns(t, "one", one.Warnings, "one value")
	warns(t, "dropped", Student([]float64{1, nan, 2, inf}).Warnings, "2 of 4 values are not finite")
	if flat := Student(make([]float64, 12)); flat.Lo != 0 || flat.Hi != 0 {
		t.Errorf("constant values gave [%v, %v]", flat.Lo, flat.Hi)
	}
	if _, err := Paired([]float64{1}, nil); err == nil || !strings.Contains(err.Error(), "1 with 0") {
		t.Errorf("unequal lengths gave %v", err)
	}
	c, _ := Paired([]float64{1, nan, 3}, []float64{2, 2, inf})
	warns(t, "pairs", c.Diff.Warnings, "2 of 3 pairs are not finite", "one value")
}

func TestProfile(t *testing.T) {
	st := Strata{{2, 1, 2}, {3, 4, 3}}
	for i, want := range []float64{1, 5. / 6, 3. / 6, 1. / 6, 0} {
		iv := Profile(st, []float64{float64(i)})[0]
		near(t, "share above", iv.Point, want, 1e-15)
		if !(iv.Lo <= want && iv.Hi >= want && iv.Lo >= 0 && iv.Hi <= 1 && iv.Hi-iv.Lo > 0.2) || iv.N != 6 {
			t.Errorf("tau %d: %+v, expected %v within", i, iv, want)
		}
	}
	for what, st := range map[string]Strata{"one value": {{1, 2}, {1}}, "task 1: 1 of 2 values": {{1, 2}, {1, nan}},
		"without values": {{1}, {}}, "a task": nil} {
		iv := Profile(st, []float64{1})[0]
		if !math.IsNaN(iv.Lo) || len(iv.Warnings) == 0 || !strings.Contains(iv.Warnings[0].Error(), what) {
			t.Errorf("%v: %+v, expected a warning %q and no interval", st, iv, what)
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
		if _, err := Paired(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

// Amounts has Student's reach relative to the mean, on the logarithm: no bound below 0, and zeros
// alone are 0. Two levels do the same.
func TestAmounts(t *testing.T) {
	x := []float64{0, 0, 5, 1}
	plain, got := Student(x), Amounts(x)
	factor := math.Exp((plain.Hi - 1.5) / 1.5)
	near(t, "point", got.Point, 1.5, 0)
	near(t, "lower bound", got.Lo, 1.5/factor, 1e-12)
	near(t, "upper bound", got.Hi, 1.5*factor, 1e-9)
	if plain.Lo >= 0 || got.Lo <= 0 {
		t.Errorf("Student's begins at %v and that on the logarithm at %v", plain.Lo, got.Lo)
	}
	levels, err := Estimate([]Grid{{x}}, Amount, func(g []Grid) float64 { return Mean(g[0].Pool()) })
	if err != nil {
		t.Fatal(err)
	}
	near(t, "lower bound of one row", levels.Lo, got.Lo, 1e-12)
	near(t, "upper bound of one row", levels.Hi, got.Hi, 1e-9)
	if zero := Amounts([]float64{0, 0, 0}); zero.Lo != 0 || zero.Hi != 0 || zero.Point != 0 {
		t.Errorf("zeros have %+v", zero)
	}
	if one := Amounts([]float64{3}); !math.IsNaN(one.Lo) || len(one.Warnings) != 1 {
		t.Errorf("one value has %+v", one)
	}
}
