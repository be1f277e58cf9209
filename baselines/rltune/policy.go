package rltune

import (
	"tarry/baselines/backfill"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/setting"
)

// Settings are how jobs are mapped, whatever their order.
type Settings struct {
	// Front is how many jobs at the front of the queue the program maps at a time; 0 = none: each job
	// in order has the first place that fits.
	Front int
	// Weigh is what a value is made of: score or rank. Decay is the value of a place in the order over
	// the place before, with rank.
	Weigh string
	Decay float64
	// Size is the power of the GPUs in a value.
	Size float64
	// Prefer is how much less a place on slower types counts, 0 to 1.
	Prefer float64
	// Nodes bounds the branch and bound.
	Nodes int
}

// DefaultSettings are the values of settings that are not given.
func DefaultSettings() Settings {
	return Settings{Front: 16, Weigh: weighs()[0], Decay: 0.8, Size: 1, Prefer: 0.05, Nodes: 200}
}

func weighs() []string { return []string{"score", "rank"} }

// Rows are the settings.
func (s *Settings) Rows() []setting.Row {
	return []setting.Row{
		{Key: "front", To: &s.Front, High: 1024, Doc: "jobs at the front of the queue that the program maps; 0 = none: " +
			"each in order has the first place that fits"},
		{Key: "weigh", To: &s.Weigh, Names: weighs(), Doc: "score: a job counts exp(-score) | rank: decay to the power of " +
			"its place in the order"},
		{Key: "decay", To: &s.Decay, Low: 0.01, High: 1, Doc: "with weigh=rank"},
		{Key: "size", To: &s.Size, High: 2, Doc: "power of the GPUs in what a job counts: 0 prefers narrow jobs, 1 neither"},
		{Key: "prefer", To: &s.Prefer, High: 1, Doc: "a place on the i-th fastest of T types counts 1 - prefer i / T"},
		{Key: "nodes", To: &s.Nodes, Low: 1, High: 1e6, Doc: "nodes of branch and bound at most; then the best that was " +
			"found is taken, no worse than in order"},
	}
}

// Ruled are the settings of an order without weights.
type Ruled struct {
	// Rule is one of Rules.
	Rule string
	// By is where run times are from, Exact has them be the true ones.
	By    backfill.Guess
	Exact bool
	// Profiled reads the speed of each job on each type.
	Profiled bool
}

// Params describes the settings of New for the catalogue.
func Params() string {
	s := DefaultSettings()
	return `rule      order: sjf: the shortest run time | f1 | wfp3 | unicep: as the orders of picked | area: the least run time x GPUs | small: the fewest GPUs | fifo: the first arrival
exact     true: the true run times, which makes it clairvoyant
profiled  true: a place counts by the speed of the job on the type over its speed on its best one, in place of prefer
` + backfill.Params + "\n" + setting.Help(s.Rows())
}

// New reads the settings.
//
//  1. Each waiting job has a score, the least first: a rule's, or a network's.
//  2. The program maps the jobs at the front of this order to machines such that the sum of what the
//     jobs that start count is the largest, within free GPUs, CPU and memory.
//  3. Jobs behind the front have the places that are left, in order.
//  4. No job is preempted.
func New(s *param.Set, place cluster.Rule) (sim.Policy, error) {
	all := DefaultSettings()
	r := Read(s, &all)
	if err := s.Err(); err != nil {
		return nil, err
	}
	return NewPolicy(all, r, place), nil
}

// Read reads the settings of Params.
func Read(s *param.Set, all *Settings) Ruled {
	setting.Read(s, all.Rows())
	return Ruled{Rule: s.Enum("rule", Rules()...), By: backfill.ReadGuess(s), Exact: s.Bool("exact", false),
		Profiled: s.Bool("profiled", false)}
}

// NewPolicy makes a policy.
func NewPolicy(s Settings, r Ruled, place cluster.Rule) *Policy {
	return &Policy{cfg: s, by: r, rule: place, place: plan.NewPlacer(place)}
}
