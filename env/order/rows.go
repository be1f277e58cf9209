package order

import (
	"math"
	"slices"

	"tarry/baselines/contest"
	"tarry/baselines/rollout"
	"tarry/baselines/score"
	"tarry/env/schedenv"
	"tarry/env/schedenv/replay"
	"tarry/sim/setting"
)

// options are settings in the units and words in which they are given.
type options struct {
	features, weights, ties, backfill, cost, reference, places string
	hidden                                                     int
	predicted, leases                                          bool
	medianS, spread, margin, minRun, rack, net                 float64
	least                                                      score.Gates
	mixture                                                    []string
	planner                                                    rollout.Settings
}

// Rows are the settings of Make beside env/schedenv's.
func Rows() []setting.Row {
	var c Config
	var o options
	all := append(slices.Insert(c.rows(&o), 6, o.ruled()...), schedenv.MixtureRow(&o.mixture))
	var m Mapping
	return slices.Concat(all, o.planner.Rows(), mappingRows(&m))
}

// rows are the settings that are read before the file of weights.
func (c *Config) rows(o *options) []setting.Row {
	law, globals := score.DefaultLaw(), score.DefaultGlobals()
	*o = options{features: "all", weights: "none", ties: "waited", backfill: contest.Backfills()[0],
		cost: replay.Costs()[0], reference: References()[0], places: byContest, leases: true,
		medianS: law.MedianS, spread: law.Spread, margin: 0.5, minRun: globals.MinRun, rack: 6, net: 12}
	c.Jobs, c.Globals = 128, true
	return []setting.Row{
		{Key: "jobs", To: &c.Jobs, Low: 2, High: 65536, Doc: "jobs in the list"},
		{Key: "globals", To: &c.Globals, Doc: "true: the action and the vector of a search have margin, min_run, t_rack " +
			"and t_net at their end; false: they are the options"},
		{Key: "gates", To: &c.Gates, Doc: "true: the vector of a search has lull_min_run and doubt_min_run behind " +
			"these; false: they are the options"},
		{Key: "features", To: &o.features, Doc: "terms of the score that a search weighs, joined by +: rank, spread, " +
			"gpus, attained, age, wait, running, preempted, exposed, slowed, level, pressure_rank, pressure_gpus, " +
			"pressure_attained, rank2, gpus2, attained2, age2, wait2, or all for these; all+spread_rank has one more, of " +
			"spread_rank, spread_gpus, spread_attained, left, pressure_left, left2, request, pressure_request, request2, " +
			"lull_NAME, doubt_NAME for any NAME of these"},
		{Key: "hidden", To: &o.hidden, High: score.MostHidden, Doc: "tanh units beside them in a search"},
		{Key: "weights", To: &o.weights, Doc: "a file from which a search starts, in place of features and hidden; it " +
			"has the law and the globals, too; order: the rule that is shipped; none: from the rank with weight 1"},
		{Key: "ties", To: &o.ties, Names: []string{"waited", "submit"},
			Doc: "waited | submit: who goes first among equal scores"},
		{Key: "cost", To: &o.cost, Names: replay.Costs(), Doc: "what a search makes small: jct, the mean completion time | " +
			"bsld, the mean bounded slowdown (10 s) | both, the root of their product; each over the reference's"},
		{Key: "places", To: &o.places, Names: []string{byContest, byProgram},
			Doc: "dally: its contest, with timers and leases | program: an integer program maps the jobs at the front to " +
				"machines, as rltune-like, for agents that answer question by question"},
		{Key: "reference", To: &o.reference, Names: References(), Doc: "dally, with leases | easy: order of arrival, " +
			"backfilled by users' requests, without preemption"},
	}
}

// ruled are the settings whose defaults a file of weights may have.
func (o *options) ruled() []setting.Row {
	inf := math.Inf(1)
	return []setting.Row{
		{Key: "predicted", To: &o.predicted, Doc: "true: jobs have the laws of the run's predictor; with predict it is so " +
			"unless stated otherwise"},
		{Key: "median_s", To: &o.medianS, Low: 1e-3, High: 1e12, Unit: "s",
			Doc: "median of the run times; fitted to part train, with spread, where neither is given"},
		{Key: "spread", To: &o.spread, High: 4, Doc: "standard deviation of ln(run time), 0 to 4; fitted as median_s is"},
		{Key: "margin", To: &o.margin, High: inf, Doc: "by how much a score must exceed the blocked job's before " +
			"its job is evicted, inf = no job is"},
		{Key: "min_run", To: &o.minRun, High: 1e4, Unit: "leases",
			Doc: "time that a job keeps its GPUs before it is evicted"},
		{Key: "lull_min_run", To: &o.least.Lull, Low: -score.MostGate, High: score.MostGate,
			Doc: "what ln(min_run) gains where no more jobs come: it is multiplied with the lull"},
		{Key: "doubt_min_run", To: &o.least.Doubt, Low: -score.MostGate, High: score.MostGate,
			Doc: "the same with the doubt: where predictions are uncertain"},
		{Key: "t_rack", To: &o.rack, High: inf, Unit: "leases", Doc: "timer before rack-level places; inf allowed; tuned " +
			"as Dally's where it is not given, but for globals"},
		{Key: "t_net", To: &o.net, High: inf, Unit: "leases", Doc: "timer before any places; inf allowed; tuned as " +
			"Dally's where it is not given, but for globals"},
		{Key: "leases", To: &o.leases, Doc: "false: jobs give their GPUs up to evictions alone"},
		{Key: "backfill", To: &o.backfill, Names: contest.Backfills(), Doc: "none | request | predicted: a job overtakes " +
			"the first that lacks GPUs only as EASY lets it; see list policies ranked"},
	}
}
