package ranked

import (
	"cmp"
	"fmt"
	"math"

	"tarry/baselines/contest"
	"tarry/baselines/rollout"
	"tarry/baselines/score"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/setting"
)

// Params describes the settings of NewPolicy for the catalogue.
func Params() string {
	return params + "\n" + rollout.Help("draw_spread", "samples", "instants", "errors", "epoch", "arrivals", "draws")
}

const params = `features  weights of the score by hand, NAME:WEIGHT joined by +, of rank, spread, gpus, attained, age, wait, running, preempted,
          exposed, slowed, level, pressure_rank, pressure_gpus, pressure_attained, rank2, gpus2, attained2, age2, wait2,
          spread_rank, spread_gpus, spread_attained, left, pressure_left, left2, request, pressure_request, request2; lull_NAME and doubt_NAME are the lull and the doubt times NAME
weights   a file with features, weights, law, margin, min_run and timers, in place of features; other settings go before
          it; order = one order for several workloads, which is shipped; none = no file
median_s  median of the run times, s: the rank is of a log-normal law
spread    standard deviation of ln(run time), 0 to 4
predicted true: jobs have the laws of the run's predictor, where it has one; false: the law of median_s and spread, unless
          the file of weights states otherwise
margin    by how much a score must exceed the blocked job's before its job is evicted, inf = no job is
min_run   time that a job keeps its GPUs before it is evicted, leases
lull_min_run what ln(min_run) gains where no more jobs come: it is multiplied with the lull
doubt_min_run the same with the doubt: where predictions are uncertain
every     time between two instants of evictions, leases
lease     length of a lease, s
preempt   false: grants are not leases; jobs give their GPUs up to evictions alone, unless the file of
          weights states otherwise
backfill  request | predicted: EASY's rule: a job overtakes the first that lacks GPUs only if it ends before that can start, by what users
          asked for or by the predicted median, or leaves it enough GPUs; without either a job runs for ever. none: any that fits,
          unless the file of weights states otherwise
t_rack    timer before rack-level places, leases, inf allowed; tuned as Dally's where it is not given
t_net     timer before any places, leases, inf allowed; tuned as Dally's where it is not given
ties      waited | submit: who goes first among equal scores
rollout   variants that a planner compares per epoch, in each of which one job goes first or last; 0 = no planner
exact     true: jobs have their true run times as laws, for the order and for the planner, which makes it clairvoyant`

// NewPolicy gives the maker of a contest in the order of a score per job, by hand or from a file.
// auto makes the timers where the rule has none of its own, for leases of leaseS seconds.
//
//  1. Each job, waiting or running, has a score: a weighted sum of terms of what is known of it;
//     with the default weights the Gittins rank of its progress under a law of run times.
//  2. Whenever GPUs come free, a job arrives or a timer opens, jobs choose in the order of their
//     scores, the least first, as in dally: each takes the finest place that its timers allow.
//  3. A job that lacks GPUs has running jobs evicted whose scores are larger by the margin, the
//     largest score first.
//  4. rollout=N: a planner plays the order and changes of it on N draws of the work left, and
//     takes a change that gains.
func NewPolicy(auto func(leaseS float64) plan.TimerSource) func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		r := ReadRule(s)
		c := contest.Config{LeaseS: 3600, Rule: rule}
		c.LeaseS = s.Float("lease", c.LeaseS, 1e-3, 1e9)
		c.NoLease = !s.Bool("preempt", !r.NoLease)
		c.EvictEvery = s.Float("every", 0, 0, 1e4)
		c.TiesBySubmit = s.Enum("ties", "waited", "submit") == "submit"
		c.Backfill = contest.ReadBackfill(s, r.Backfill)
		exact := s.Bool("exact", false)
		var plans rollout.Settings
		setting.Read(s, plans.Rows())
		if err := s.Err(); err != nil {
			return nil, err
		}
		timers, by := parts(&c, r, auto)
		by.read.exact, plans.Exact = exact, exact
		if p := plans.For(c.LeaseS); p != nil {
			return planned(*p, c, timers, by), nil
		}
		return contest.NewRanked(c, timers, by), nil
	}
}

// ByRule is a contest with the score, the law and the globals of a rule. The rule is copied. auto
// is as in NewPolicy.
func ByRule(c contest.Config, r *score.Rule, auto func(leaseS float64) plan.TimerSource) *contest.Policy {
	timers, by := parts(&c, r, auto)
	return contest.NewRanked(c, timers, by)
}

// parts sets the globals of a rule, and gives its timers and its order.
func parts(c *contest.Config, r *score.Rule, auto func(leaseS float64) plan.TimerSource) (plan.TimerSource, *Ranker) {
	g := r.Globals
	c.Evict, c.Margin, c.MinRun = !math.IsInf(g.Margin, 1), g.Margin, g.MinRun
	var timers plan.TimerSource = contest.NewFixed(g.Rack, g.Net, c.LeaseS)
	if g.Auto() {
		timers = auto(c.LeaseS)
	}
	by := New(r.Func.Clone(), NewReader(r, sim.Seconds(c.LeaseS)))
	by.SetLeast(g.Least)
	return timers, by
}

// Globals are what a rule has beside scores, of a contest: an endless margin where it evicts no
// job, tuned timers where they are not constants.
func Globals(p *contest.Policy) score.Globals {
	evicts, margin, minRun := p.Evictions()
	g := score.Globals{Margin: margin, MinRun: minRun, Rack: math.NaN(), Net: math.NaN()}
	if !evicts {
		g.Margin = math.Inf(1)
	}
	if r, ok := p.OrderedBy().(*Ranker); ok {
		g.Least = r.least
	}
	if f, ok := p.Timers().(contest.Fixed); ok {
		g.Rack, g.Net = f.RackLeases, f.NetLeases
	}
	return g
}

// ReadRule reads the rule of a file or of the features by hand; further settings go before a
// file's.
func ReadRule(s *param.Set) *score.Rule {
	r := &score.Rule{Globals: score.DefaultGlobals(), Law: score.DefaultLaw()}
	path := s.Text("weights", "none")
	hand := s.Text("features", "rank:1")
	var err error
	switch {
	case path == "none":
		r.Func, err = score.ByHand(hand)
	case s.Has("features"):
		err = fmt.Errorf("features and weights are both given, expected one of them")
	default:
		var from *score.Rule
		if from, err = score.Load(path); err == nil {
			r = from
		}
	}
	if err != nil {
		s.Fault("%v", err)
		r.Func, _ = score.New([]string{"rank"}, 0)
	}
	r.Law.MedianS = s.Float("median_s", r.Law.MedianS, 1e-3, 1e12)
	r.Law.Spread = s.Float("spread", r.Law.Spread, 0, 4)
	if s.Bool("predicted", r.Predictor != "") {
		r.Predictor = cmp.Or(r.Predictor, "any")
	} else {
		r.Predictor = ""
	}
	g := &r.Globals
	g.Margin = s.Float("margin", g.Margin, 0, math.Inf(1))
	g.MinRun = s.Float("min_run", g.MinRun, 0, 1e4)
	g.Least.Lull = s.Float("lull_min_run", g.Least.Lull, -score.MostGate, score.MostGate)
	g.Least.Doubt = s.Float("doubt_min_run", g.Least.Doubt, -score.MostGate, score.MostGate)
	rack, net := 6.0, 12.0
	if !g.Auto() {
		rack, net = g.Rack, g.Net
	}
	rack, net = s.Float("t_rack", rack, 0, math.Inf(1)), s.Float("t_net", net, 0, math.Inf(1))
	if s.Has("t_rack") || s.Has("t_net") {
		g.Rack, g.Net = rack, net
	}
	return r
}
