package order

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/baselines/contest"
	"tarry/baselines/score"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/replay"
	"tarry/internal/fixmath"
	"tarry/internal/weights"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// Read makes a Config of the settings in Rows and env/schedenv.Rows, for an environment of the id.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	c := Config{Config: schedenv.ReadMixture(s, from, schedenv.ReadAs(s, from, id, false))}
	var o options
	setting.Read(s, c.rows(&o))
	c.Cost = replay.Cost(slices.Index(replay.Costs(), o.cost))
	c.Reference = Reference(slices.Index(References(), o.reference))
	c.Dally.TiesBySubmit = o.ties == "submit"
	c.Rule = c.readRule(s, &o)
	o.leases, o.backfill = !c.Rule.NoLease, cmp.Or(c.Rule.Backfill, o.backfill)
	o.predicted = c.Rule.Predictor != "" || c.Predictor != nil
	c.startLaw(s, &o)
	c.startGlobals(&o)
	setting.Read(s, slices.Concat(o.ruled(), o.planner.Rows()))
	c.Dally.NoLease = !o.leases
	c.Dally.Backfill = contest.Backfill(slices.Index(contest.Backfills(), o.backfill))
	c.Rule.NoLease, c.Rule.Backfill = c.Dally.NoLease, ""
	if b := c.Dally.Backfill; b != contest.NoBackfill {
		c.Rule.Backfill = contest.Backfills()[b]
	}
	c.readMapping(s, o.places)
	c.Planner = o.planner.For(c.Lease().Seconds())
	if o.predicted {
		c.Rule.Predictor = cmp.Or(c.Rule.Predictor, c.Scenario.Predict, "any")
	} else {
		c.Rule.Predictor = ""
	}
	c.Rule.Law = score.Law{MedianS: o.medianS, Spread: o.spread}
	c.Rule.Globals.Margin, c.Rule.Globals.MinRun, c.Rule.Globals.Least = o.margin, o.minRun, o.least
	if c.Globals || s.Has("t_rack") || s.Has("t_net") {
		c.Rule.Globals.Rack, c.Rule.Globals.Net = o.rack, o.net
	}
	return c
}

// readRule makes the rule of the features, or reads a file.
func (c *Config) readRule(s *param.Set, o *options) *score.Rule {
	r := &score.Rule{Globals: score.DefaultGlobals(), Law: score.Law{MedianS: math.NaN(), Spread: math.NaN()}}
	r.Globals.Margin = o.margin
	var err error
	switch {
	case o.weights == "none":
		names := strings.Split(o.features, "+")
		if names[0] == "all" {
			names = append(score.BaseTerms(), names[1:]...)
		}
		if r.Func, err = score.New(names, o.hidden); err == nil {
			r.Func.Set(startWeights(r.Func))
		}
	case s.Has("features") || s.Has("hidden"):
		err = fmt.Errorf("features and hidden belong to the file of weights, expected neither beside it")
	default:
		var read *score.Rule
		if read, err = score.Load(o.weights); err == nil {
			r = read
		}
	}
	if err != nil {
		s.Fault("%v", err)
		r.Func, _ = score.New([]string{"rank"}, 0)
	}
	return r
}

// startWeights are the weights of the rank alone, where the features have it. Hidden units start as
// functions that differ, and that nothing follows: their outputs are 0.
func startWeights(f *score.Func) []float64 {
	w := make([]float64, len(f.Names()))
	for i, n := range f.Names() {
		unit, in, hidden := strings.Cut(n, ".")
		switch {
		case n == "rank":
			w[i] = 1
		case hidden && in != "out" && in != "bias":
			w[i] = weights.Spread(unit + in)
		}
	}
	return w
}

// startLaw is the law of run times where it is not given: the file's, or one that is fitted.
func (c *Config) startLaw(s *param.Set, o *options) {
	l := &c.Rule.Law
	given := s.Has("median_s") || s.Has("spread")
	if !given && math.IsNaN(l.MedianS) {
		*l = score.DefaultLaw()
		if c.Source != nil {
			var err error
			if *l, err = fit(c.Source); err != nil {
				s.Fault("the law of run times: %v", err)
				*l = score.DefaultLaw()
			}
		}
	}
	if !given {
		o.medianS, o.spread = l.MedianS, l.Spread
	}
}

// startGlobals are the values for all jobs where they are not given.
func (c *Config) startGlobals(o *options) {
	g := &c.Rule.Globals
	o.margin, o.minRun, o.least = g.Margin, g.MinRun, g.Least
	if !g.Auto() {
		o.rack, o.net = g.Rack, g.Net
	}
}

// fitWindows is how many windows the law is fitted to at most.
const fitWindows = 16

// fit is the log-normal law with the moments of ln(run time) of the jobs in part train.
func fit(from schedenv.Source) (score.Law, error) {
	n, sum, square := 0.0, 0.0, 0.0
	all := from.Windows(schedenv.Train)
	for i := range min(fitWindows, all) {
		w, err := from.Window(schedenv.Train, i*all/min(fitWindows, all))
		if err != nil {
			return score.Law{}, err
		}
		for j := range w.Jobs {
			x := math.Log(w.Jobs[j].RunTime().Seconds())
			n, sum, square = n+1, sum+x, square+float64(x*x)
		}
	}
	if n < 2 {
		return score.Law{}, fmt.Errorf("%v jobs in the windows of part train, expected more", n)
	}
	mean := sum / n
	l := score.Law{MedianS: fixmath.Exp(mean), Spread: math.Sqrt(max(0, square/n-float64(mean*mean)))}
	l.MedianS, l.Spread = min(1e12, max(1e-3, l.MedianS)), min(4, l.Spread)
	return l, nil
}
