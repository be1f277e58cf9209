package order

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/baselines/dally"
	"tarry/baselines/score"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/internal/fixmath"
	"tarry/internal/weights"
	"tarry/sim/param"
)

// Read makes a Config of the settings in Options and env/schedenv.Options, for an environment of
// the id.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	c := Config{Config: schedenv.ReadMixture(s, from, schedenv.ReadAs(s, from, id, false))}
	c.Jobs = s.Int("jobs", 128, 2, 65536)
	c.Globals = s.Bool("globals", true)
	c.Cost = Cost(slices.Index(Costs(), s.Enum("cost", Costs()...)))
	c.Reference = Reference(slices.Index(References(), s.Enum("reference", References()...)))
	c.Dally.TiesBySubmit = s.Enum("ties", "waited", "submit") == "submit"
	c.Rule = c.readRule(s)
	c.Dally.NoLease = !s.Bool("leases", !c.Rule.NoLease)
	c.Dally.Backfill = dally.ReadBackfill(s, c.Rule.Backfill)
	c.Rule.NoLease, c.Rule.Backfill = c.Dally.NoLease, ""
	if b := c.Dally.Backfill; b != dally.NoBackfill {
		c.Rule.Backfill = dally.Backfills()[b]
	}
	if s.Bool("predicted", c.Rule.Predictor != "" || c.Predictor != nil) {
		c.Rule.Predictor = cmp.Or(c.Rule.Predictor, c.Scenario.Predict, "any")
	} else {
		c.Rule.Predictor = ""
	}
	c.readLaw(s)
	c.readGlobals(s)
	return c
}

// readRule reads the features, or a file.
func (c *Config) readRule(s *param.Set) *score.Rule {
	r := &score.Rule{Globals: score.DefaultGlobals(), Law: score.Law{MedianS: math.NaN(), Spread: math.NaN()}}
	r.Globals.Margin = 0.5
	features, hidden, path := s.Text("features", "all"), s.Int("hidden", 0, 0, score.MostHidden),
		s.Text("weights", "none")
	var err error
	switch {
	case path == "none":
		names := strings.Split(features, "+")
		if features == "all" {
			names = score.TermNames()
		}
		if r.Func, err = score.New(names, hidden); err == nil {
			r.Func.Set(startWeights(r.Func))
		}
	case s.Has("features") || s.Has("hidden"):
		err = fmt.Errorf("features and hidden belong to the file of weights, expected neither beside it")
	default:
		var read *score.Rule
		if read, err = score.Load(path); err == nil {
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

// readLaw reads the law of run times; what is not given is fitted.
func (c *Config) readLaw(s *param.Set) {
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
	was := score.DefaultLaw()
	if !given {
		was = *l
	}
	l.MedianS, l.Spread = s.Float("median_s", was.MedianS, 1e-3, 1e12), s.Float("spread", was.Spread, 0, 4)
}

// readGlobals reads what holds for all jobs.
func (c *Config) readGlobals(s *param.Set) {
	g := &c.Rule.Globals
	g.Margin = s.Float("margin", g.Margin, 0, math.Inf(1))
	g.MinRun = s.Float("min_run", g.MinRun, 0, 1e4)
	rack, net := 6.0, 12.0
	if !g.Auto() {
		rack, net = g.Rack, g.Net
	}
	rack, net = s.Float("t_rack", rack, 0, math.Inf(1)), s.Float("t_net", net, 0, math.Inf(1))
	if c.Globals || s.Has("t_rack") || s.Has("t_net") {
		g.Rack, g.Net = rack, net
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
