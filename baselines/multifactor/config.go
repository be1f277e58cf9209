package multifactor

import (
	"math"

	"tarry/baselines/backfill"
	"tarry/baselines/multifactor/fairshare"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

type config struct {
	age, fair, size, part, qos, gpu float64 // weights
	small, classic                  bool
	maxAge, calc                    sim.Time
	dampening                       float64
	decay                           fairshare.Decay
	mode                            mode
	depth                           int
	preempts                        bool
	guess                           backfill.Guess
}

// mode states how many jobs get reservations.
type mode uint8

const (
	conservative mode = iota
	easy
	none
)

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p, where := read(s, rule)
	return where.Paced(p), s.Err()
}

// read makes a policy and gives its rule of places.
func read(s *param.Set, rule cluster.Rule) (*Policy, places.Rule) {
	p := &Policy{place: plan.NewPlacer(rule), tree: fairshare.New(), accounts: map[string]int32{},
		users: map[owner]int32{}, claim: sim.NoJob}
	c := &p.cfg
	weight := func(key string, def int64) float64 { return float64(s.Int64(key, def, 0, math.MaxUint32)) }
	c.age, c.fair, c.size = weight("weight_age", 1000), weight("weight_fairshare", 10000), weight("weight_size", 1000)
	c.part, c.qos, c.gpu = weight("weight_partition", 1000), weight("weight_qos", 0), weight("weight_gpu", 0)
	c.small = s.Enum("favor", "large", "small") == "small"
	c.maxAge = sim.Seconds(s.Float("max_age_s", 604800, 0.001, 1e12))
	c.classic = s.Enum("fairshare", "tree", "classic") == "classic"
	c.dampening = s.Float("dampening", 1, 1e-3, 1e6)
	c.decay.HalfS = s.Float("half_s", 604800, 0, 1e12)
	if h := c.decay.HalfS; h > 0 && h < 1 {
		s.Wrong("half_s", "0, or a number in 1..1e+12")
	}
	c.calc = sim.Seconds(s.Float("calc_s", 300, 0.001, 1e9))
	c.decay.Exact = s.Enum("decay", "slurm", "exact") == "exact"
	c.mode = [...]mode{conservative, easy, none}[index(s.Enum("backfill", "conservative", "easy", "none"),
		"conservative", "easy")]
	c.depth = s.Int("depth", 500, 1, 1e6)
	c.preempts = s.Enum("preempt", "none", "qos") == "qos"
	c.guess = backfill.ReadGuess(s)
	where := places.Read(s)
	p.spot = backfill.NewSpot(where)
	return p, where
}

// index is the place of a name among some, their number when it is not there.
func index(name string, names ...string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return len(names)
}

// Knows declares what reservations go by.
func (p *Policy) Knows() know.Set {
	if p.cfg.mode == none {
		return know.Nothing
	}
	return p.cfg.guess.Knows()
}
