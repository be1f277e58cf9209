package gavel

import (
	"errors"
	"fmt"
	"strings"

	"tarry/baselines/gavel/objective"
	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = ObjectiveParams + `
types        how a round orders the types: fastest first, shuffled in every round, as the cluster lists them; auto = as Gavel, shuffled for agnostic objectives, which use no speeds by type, else fastest
seed         of the shuffles
packing      space sharing: pairs of jobs of equal GPU count may hold the same GPUs; for max-min, ftf, makespan and throughput
pair_min     packing: a pair is looked at where its rates, each as a part of what the job does alone, sum to more than this`

// ObjectiveParams describes the settings of NewBook.
const ObjectiveParams = `policy       the objective: max-min, ftf, makespan, throughput, cost, hierarchical, fifo, isolated, allox, or Gavel's own name of one
perf         throughputs by type are known to the objective; false = all types count as equal
round_s      length of a round, s
recompute_s  time between two computations of the fractions at least, s
prior_s      time that every job counts as having had on every type after a computation, s; -1 = half a round
fill         jobs of fraction 0 get the GPUs that are left; the FIFO objectives never do that
entity       none | user | vc: whose jobs make a group, for hierarchical
slo          the cost objective keeps deadlines
prices       price of a GPU-hour of each type, types in the order of the cluster, such as 3.06/1.46/0.9; 1 where none is given (all 1)`

// config has the settings.
type config struct {
	entry            objective.Entry
	round, recompute sim.Time
	roundS, recompS  float64
	prior            float64
	spread           bool // of the optima of an agnostic objective take the even one
	fill             bool
	entity           string
	slo              bool
	prices           []float64
	packing          bool
	pairMin          float64

	types string
	seed  uint64
}

// full gives Gavel's own name of an objective, without its ending.
func full(name string) string {
	switch name {
	case "max-min":
		return "max_min_fairness"
	case "ftf":
		return "finish_time_fairness"
	case "makespan":
		return "min_total_duration"
	case "throughput":
		return "max_sum_throughput"
	case "cost":
		return "max_sum_throughput_normalized_by_cost"
	}
	return name
}

// choose finds the objective of a name: of two variants the variant which reads throughputs, or
// does not, as perf states, and with slo the cost that keeps deadlines.
func choose(name string, perf, slo bool) (objective.Entry, error) {
	base := full(name)
	if slo && base == "max_sum_throughput_normalized_by_cost" {
		base = "max_throughput_per_cost"
	}
	endings := []string{"", "_perf"}
	if perf {
		endings = []string{"_perf", ""}
	}
	for _, ending := range endings {
		if e, err := objective.Named(base + ending); err == nil {
			return e, nil
		}
	}
	_, err := objective.Named(base)
	return objective.Entry{}, err
}

// order reads the order of types in native rounds: as in Gavel's simulator, which has the fastest
// first and shuffles for agnostic objectives.
func (c *config) order(s *param.Set) {
	if c.types = s.Enum("types", "auto", "fastest", "shuffled", "cluster"); c.types == "auto" {
		if c.types = "shuffled"; c.entry.Typed {
			c.types = "fastest"
		}
	}
	c.seed = uint64(s.Int("seed", 0, 0, 1<<53))
}

// packed ends Gavel's own names of objectives with pairs.
const packed = "_packed"

// pack finds the objective with pairs.
func pack(name string, perf bool) (objective.Entry, error) {
	if !perf {
		return objective.Entry{}, errors.New("pairs are chosen by throughputs, expected perf=true")
	}
	base := strings.TrimSuffix(strings.TrimSuffix(full(name), packed), "_perf")
	if base == "min_total_duration" { // exact with pairs
		base = "min_makespan"
	}
	e, err := objective.Named(base + packed)
	if err != nil {
		err = fmt.Errorf("objective %q has no form with pairs of jobs, expected max-min, ftf, makespan or throughput",
			name)
	}
	return e, err
}

// settings reads Params.
func settings(s *param.Set) config {
	c := config{}
	c.objective(s, true)
	if !c.packing && s.Has("pair_min") {
		s.FaultAt("pair_min", "pair_min is about pairs, expected packing=true beside it")
	}
	c.pairMin = s.Float("pair_min", 1, 0, 2)
	c.order(s)
	return c
}

// objective reads ObjectiveParams, and packing where pairs of jobs may share GPUs.
func (c *config) objective(s *param.Set, pairs bool) {
	var err error
	c.slo = s.Bool("slo", false)
	name, perf := s.Text("policy", "max-min"), s.Bool("perf", true)
	paired := strings.HasSuffix(name, packed)
	if pairs {
		c.packing = s.Bool("packing", paired)
	}
	switch {
	case c.packing:
		c.entry, err = pack(name, perf)
	case paired && !pairs:
		err = fmt.Errorf("policy is %q, expected an objective without pairs of jobs", name)
	default:
		c.entry, err = choose(name, perf, c.slo)
	}
	if err != nil {
		s.FaultAt("policy", "%v", err)
	}
	c.spread = !c.entry.Typed && c.entry.Name != "isolated" // which has its own
	c.roundS = s.Float("round_s", 360, 1e-3, 1e9)
	c.round = sim.Seconds(c.roundS)
	c.recompS = s.Float("recompute_s", 1920, 0, 1e12)
	c.recompute = sim.Seconds(c.recompS)
	if c.prior = s.Float("prior_s", -1, -1, 1e9); c.prior < 0 {
		c.prior = c.roundS / 2
	}
	c.fill = s.Bool("fill", true) && !c.entry.Lines
	c.entity = s.Enum("entity", "user", "vc", "none")
	c.prices = s.Floats("prices", nil, 1e-9, 1e9)
}
