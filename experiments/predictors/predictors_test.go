package predictors

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/experiments/questions"
	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/law"
	"tarry/sim/rng"
)

func TestPays(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		y    []float64
		want float64
	}{
		{[]float64{2, 1, -1}, 0.75}, {[]float64{-1, -1, -2}, -inf}, {[]float64{3, 1, 0}, inf},
		{[]float64{-1, -1, 1}, inf},
		{[]float64{-1, 1, -1}, 0.75}, {[]float64{0, -1, -1}, 0.2},
	} {
		if got := crossing([]float64{0.2, 0.5, 1}, c.y); got != c.want {
			t.Errorf("%v pays from %v, expected %v", c.y, got, c.want)
		}
	}
	for _, c := range []struct {
		iv   stats.Interval
		want string
	}{
		{stats.Interval{Point: 0.4, Lo: -inf, Hi: inf}, "0.40 (below 0.21 to never)"},
		{stats.Interval{Point: inf, Lo: math.NaN()}, "never"}, {stats.Interval{Point: math.NaN(), Lo: math.NaN()}, ""},
	} {
		if got := fromText(c.iv, 0.21); got != c.want {
			t.Errorf("%q, expected %q", got, c.want)
		}
	}
}

// made is a sheet whose numbers are known: on each of two settings the logarithm of an order's
// ratio to las is 0.3 less R2.
func made() *sheet {
	s := &sheet{settings: []string{"a", "b"}, predictors: []string{exact, "global", "ridge", "sigma-2", "sigma-1"},
		jct: map[which]map[window]float64{}, told: map[[2]string]law.Tally{}}
	r2 := map[string]float64{exact: 1, "global": -0.1, "ridge": 0.5, "sigma-2": 0.25, "sigma-1": 0.75}
	for _, setting := range s.settings {
		put := func(predictor, policy string, jct float64) {
			s.jct[which{setting, predictor, policy}] = map[window]float64{{1, 0}: jct, {1, 1}: 3 * jct}
		}
		put(exact, "las", 100)
		for p, v := range r2 {
			put(p, "gittins", 100*math.Exp(0.3-v))
			s.told[[2]string{setting, p}] = law.Tally{Jobs: 100, LogRun2: 100, Error2: 100 * (1 - v)}
		}
	}
	return s
}

func TestGainAgainstR2(t *testing.T) {
	s := made()
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-9) {
			t.Errorf("%s is %v, expected %v", what, got, want)
		}
	}
	near("R2 of ridge", s.r2("a", "ridge"), 0.5)
	near("R2 of the truth", s.r2("b", exact), 1)
	near("on one setting", s.percent("a", "sigma-1", "gittins", "las").Point, 100*math.Expm1(-0.45))
	near("over settings", s.overall("ridge", "gittins", "las").Point, 100*math.Expm1(-0.2))
	c := s.along("gittins", "las")
	if !slices.Equal(c.levels, []string{"sigma-2", "sigma-1", exact}) {
		t.Errorf("levels %q", c.levels)
	}
	iv := c.from()
	near("pays from", iv.Point, 0.3)
	near("and its interval, since the settings are alike", iv.Hi-iv.Lo, 0)
	k := s.byClass("gittins", "las")
	if k[0].pairs != 2 || k[3].pairs != 2 || k[3].settings != 2 || k[1].pairs != 0 || !math.IsNaN(k[1].iv.Point) {
		t.Errorf("classes %+v", k)
	}
	near("the class of ridge", k[3].iv.Point, 100*math.Expm1(-0.2))
	near("the class below 0", k[0].iv.Point, 100*math.Expm1(0.4))
	if x, _ := s.paired("a", "ridge", "nobody", "las"); x != nil {
		t.Errorf("%v of a scheduler that did not run", x)
	}
}

// The predictor with the highest R2 is not the one with the shortest completion times on one setting
// of two.
func TestAgreement(t *testing.T) {
	s := made()
	for p, v := range map[string]float64{"last2": 0.3, "size": 0.1} {
		for i, setting := range s.settings {
			jct := []float64{-0.5 * v, -2 * v}[i] // on a ridge is best, on b last2
			s.jct[which{setting, p, "gittins"}] = map[window]float64{{1, 0}: 100 * math.Exp(0.3+jct),
				{1, 1}: 300 * math.Exp(0.3+jct)}
			s.told[[2]string{setting, p}] = law.Tally{Jobs: 100, LogRun2: 100, Error2: 100 * (1 - v)}
		}
	}
	a, ok := s.agree("a", "gittins", "las")
	if !ok || a.r2 != "ridge" || a.jct != "ridge" || a.behind != 0 || math.Abs(a.rank+1) > 1e-9 {
		t.Errorf("%+v, expected ridge, and one order", a)
	}
	b, ok := s.agree("b", "gittins", "las")
	if !ok || b.r2 != "ridge" || b.jct != "last2" || math.Abs(b.behind-0.1) > 1e-9 || math.Abs(b.rank+0.8) > 1e-9 {
		t.Errorf("%+v, expected last2, ridge behind by 0.1, and two neighbours the other way round", b)
	}
	if _, ok := s.agree("a", "nobody", "las"); ok {
		t.Error("a scheduler that did not run has an order of predictors")
	}
}

// Rows of windows add up to what a tally of all their jobs states.
func TestPooled(t *testing.T) {
	r := rng.Source{Seed: 2}.Stream("pooled")
	var all, sum law.Tally
	for _, n := range []int{3, 50, 0, 17} {
		var one law.Tally
		for range n {
			l, run := law.Law{LogMedian: 5 + r.NormFloat64(), Shape: law.LogNormal(1)}, math.Exp(5+2*r.NormFloat64())
			all.Add(l, run)
			one.Add(l, run)
		}
		sum = pooled(sum, &results.Prediction{Jobs: int64(n), LogRunMean: one.Mean(one.LogRun),
			LogRunSD: one.LogRunSD(), ErrorMean: one.Mean(one.Error), ErrorSD: one.SD(),
			SpreadMean: one.Mean(one.Spread), Below50: one.Part(one.Below50), Below90: one.Part(one.Below90)})
	}
	if sum.Jobs != all.Jobs || math.Abs(sum.R2()-all.R2()) > 1e-9 || math.Abs(sum.SD()-all.SD()) > 1e-9 ||
		sum.Below50 != all.Below50 || sum.Below90 != all.Below90 {
		t.Errorf("%+v, expected %+v", sum, all)
	}
}

// Every scheduler of the sweep exists; those beside a predictor read it, and the bases read nothing
// of what is to come.
func TestSchedulersReadPredictions(t *testing.T) {
	knows := func(spec string) know.Set {
		_, build, err := simulation.All().Policies.Parse(spec, cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		p, err := build()
		if err != nil {
			t.Fatal(err)
		}
		return p.Knows()
	}
	for _, k := range kinds() {
		for _, order := range k.orders {
			if got := knows(order); got&know.Estimate == 0 || got&know.Work != 0 {
				t.Errorf("%s knows %v", order, got)
			}
		}
		if got := knows(k.base); got&(know.Estimate|know.Work) != 0 {
			t.Errorf("%s knows %v", k.base, got)
		}
	}
	for _, b := range bars() {
		if !knows(b).Clairvoyant() {
			t.Errorf("%s is no bar", b)
		}
	}
	var orders, beside []string
	for _, k := range kinds() {
		orders, beside = append(orders, k.orders...), append(beside, k.base)
	}
	all := slices.Concat(orders, beside, bars())
	for _, c := range questions.Shipped("predictors").Opened().Specs(sweep.Full)[0].Axes[1].Cases {
		want := orders
		if c.Name == exact {
			want = all
		}
		var got []string
		for _, p := range c.Set["policies"].([]any) {
			got = append(got, p.(string))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", c.Name, got, want)
		}
	}
}

// The settings whose users state run times are the logs of the sweep, and only full scale reads
// files.
func TestSettings(t *testing.T) {
	q := questions.Shipped("predictors").Opened()
	var logs []string
	for _, c := range q.Specs(sweep.Full)[0].Axes[0].Cases {
		if trace, _ := c.Set["trace"].(string); strings.HasPrefix(trace, "swf:") {
			logs = append(logs, c.Name)
		}
	}
	if !slices.Equal(logs, stating()) {
		t.Errorf("logs %q, want %q", logs, stating())
	}
	for _, scale := range []string{sweep.Tiny, sweep.Small} {
		for _, c := range q.Specs(scale)[0].Axes[0].Cases {
			if c.Set["trace"] != nil {
				t.Errorf("%s reads %v at scale %s", c.Name, c.Set["trace"], scale)
			}
		}
	}
}
