package heterogeneity

import (
	"slices"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// Names of schedulers that figures refer to.
const (
	agnostic = "max-min-agnostic"
	isolated = "isolated"
	dally    = "dally"
	// fixed knows no speeds, and fills the fastest type first, as those do that know them.
	fixed = "max-min-agnostic-fastest"
)

// scheduler is a policy under the name that figures give it.
type scheduler struct{ name, policy string }

// byType are the schedulers of Gavel's comparison and what stands beside them: its objectives with
// and without the speeds by type, and schedulers that take any GPU.
func byType() []scheduler {
	return []scheduler{
		{"max-min", "gavel:policy=max-min"}, {agnostic, "gavel:policy=max-min,perf=false"},
		{fixed, "gavel:policy=max-min,perf=false,types=fastest"},
		{"ftf", "gavel:policy=ftf"}, {"ftf-agnostic", "gavel:policy=ftf,perf=false"},
		{"fifo-fastest", "gavel:policy=fifo"}, {isolated, "gavel:policy=isolated"},
		{"gandiva-fair", "gandiva-fair"}, {"hadar", "hadar"}, {"allox", "allox"},
		{"las", "las"}, {"srtf", "srtf"}, {"fifo-fit", "fifo-fit"},
	}
}

// forMakespan has the objective for jobs that are all there at the start, too.
func forMakespan() []scheduler {
	return append(byType(), scheduler{"makespan", "gavel:policy=makespan"})
}

// pairs are the schedulers of the paper's figures, with and without the speeds.
func pairs() []string {
	return []string{"max-min", agnostic, "ftf", "ftf-agnostic"}
}

// byPlace are the schedulers of the comparison in which placement matters, too.
func byPlace() []scheduler {
	return slices.Concat([]scheduler{
		{"max-min", "gavel:policy=max-min"}, {agnostic, "gavel:policy=max-min,perf=false"}, {"ftf", "gavel:policy=ftf"},
		{"similarity", "similarity-like"}, {"network", "network-like"}, {"heet", "heet-like"},
		{"gandiva-fair", "gandiva-fair"},
	}, forms(), []scheduler{{dally, dally}, {"dally-nowait", "dally-nowait"}})
}

// families are the schedulers of them with several forms of placement, of which validation chooses
// one. Hadar adds 0 to the price of GPUs on several machines, or as much again.
func families() [][]string {
	return append(rivals.Placed("las", "fifo-fit"), []string{"tiresias", "tiresias:place=skew"},
		[]string{"pal", "pal:place=pm-first", "pal:place=packed"},
		[]string{"hadar", "hadar:comm=1"})
}

// forms are all forms, under the names of their policies.
func forms() []scheduler {
	var out []scheduler
	for _, form := range rivals.Names(families()) {
		out = append(out, scheduler{form, form})
	}
	return out
}

// axisOf makes schedulers an axis.
func axisOf(who []scheduler) sweep.Axis {
	a := sweep.Axis{Name: "scheduler"}
	for _, s := range who {
		a.Cases = append(a.Cases, sweep.Case{Name: s.name, Set: sweep.Settings{"policy": s.policy}})
	}
	return a
}
