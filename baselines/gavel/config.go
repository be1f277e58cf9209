package gavel

import (
	"strings"

	"tarry/baselines/gavel/objective"
	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `policy       the objective: max-min, ftf, makespan, throughput, cost, hierarchical, fifo, isolated, allox, or Gavel's own name of one (max-min)
perf         throughputs by type are known to the objective; false = all types count as equal (true)
round_s      length of a round, s (360)
recompute_s  time between two computations of the fractions at least, s (1920)
prior_s      time that every job counts as having had on every type after a computation, s; -1 = half a round (-1)
fill         jobs of fraction 0 get the GPUs that are left; the FIFO objectives never do that (true)
entity       none | user | vc: whose jobs make a group, for hierarchical (user)
slo          deadlines bound the cost objective (false)
prices       price of a GPU-hour of each type, types in the order of their names, such as 0.9/1.46/3.06 (all 1)
mode         native | simulator: rounds of a fluid simulation, or of Gavel's own simulator (native)
ends         simulator: last | fixed: a round ends with its last job, or after round_s (last)
steps        simulator: whole | fluid: a job runs whole steps in a round (whole)
split        simulator: steps are split evenly over a gang, and a gang with fewer than GPUs fails; five in a row remove the job (true)
late         simulator: a job that came after the computation takes GPUs and does not run (true)
table        simulator: folder with the throughputs to the last digit, isolated.csv; others are those of the speed model (none)
type_order   simulator: given, or the file of the order of types in each round (given)`

// config is what the settings say.
type config struct {
	entry            objective.Entry
	round, recompute sim.Time
	roundS, recompS  float64
	prior            float64
	spread           bool // of the optima of an objective that knows no types take the even one
	fill             bool
	entity           string
	slo              bool
	prices           []float64

	simulator          bool
	last, whole, split bool
	late               bool
	shuffle            [][]string
	table              map[string]float64
}

// aliases are the short names of objectives.
func aliases(name string) string {
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
		return "max_throughput_per_cost"
	}
	return name
}

// choose finds the objective of a name: with perf the variant that knows types, where there are two.
func choose(name string, perf bool) (objective.Entry, error) {
	name = aliases(name)
	if perf && !strings.HasSuffix(name, "_perf") {
		if e, err := objective.Named(name + "_perf"); err == nil {
			return e, nil
		}
	}
	return objective.Named(name)
}

func settings(s *param.Set) config {
	c := config{}
	var err error
	if c.entry, err = choose(s.Text("policy", "max-min"), s.Bool("perf", true)); err != nil {
		s.FaultAt("policy", "%v", err)
	}
	c.spread = !c.entry.Typed && c.entry.Name != "isolated"
	c.roundS = s.Float("round_s", 360, 1e-3, 1e9)
	c.round = sim.Seconds(c.roundS)
	c.recompS = s.Float("recompute_s", 1920, 0, 1e12)
	c.recompute = sim.Seconds(c.recompS)
	if c.prior = s.Float("prior_s", -1, -1, 1e9); c.prior < 0 {
		c.prior = c.roundS / 2
	}
	c.fill = s.Bool("fill", true) && !c.entry.Lines
	c.entity = s.Enum("entity", "user", "vc", "none")
	c.slo = s.Bool("slo", false)
	c.prices = s.Floats("prices", nil, 1e-9, 1e9)
	c.simulator = s.Enum("mode", "native", "simulator") == "simulator"
	c.last = s.Enum("ends", "last", "fixed") == "last"
	c.whole = s.Enum("steps", "whole", "fluid") == "whole"
	c.split = s.Bool("split", true)
	c.late = s.Bool("late", true)
	if dir := s.Text("table", "none"); dir != "none" {
		if c.table, err = readRates(dir); err != nil {
			s.FaultAt("table", "%v", err)
		}
	}
	if file := s.Text("type_order", "given"); file != "given" {
		if c.shuffle, err = readOrder(file); err != nil {
			s.FaultAt("type_order", "%v", err)
		}
	}
	return c
}
