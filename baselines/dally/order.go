package dally

import (
	"math"
	"slices"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/know"
)

// Resolution is the grain of the network-sensitivity order: differences below it are
// rounding of the clock, and ties go to who has waited longest.
const Resolution = 1e9

// Sensitive puts first the jobs that the network has slowed most: by N = W / (T_run / T_ideal), W
// the fraction of work done, T_ideal = work / GPUs: the mean fraction of ideal speed so far, in
// billionths; 0 for new jobs.
func Sensitive() contest.Order {
	return contest.Order{Name: "network", Reads: know.Done, Key: func(v *sim.View, j sim.JobID) float64 {
		run := float64(v.Run(j).Time())
		if run == 0 {
			return 0
		}
		return math.Round(v.Run(j).Done() / (run * v.Job(j).Width()) * Resolution)
	}}
}

// Orders lists Dally's own order, which is the default, and the others.
func Orders() []contest.Order { return append([]contest.Order{Sensitive()}, contest.Orders()...) }

// OrderNamed is the order with a name; Dally's own where there is none.
func OrderNamed(name string) contest.Order {
	all := Orders()
	return all[max(0, slices.IndexFunc(all, func(o contest.Order) bool { return o.Name == name }))]
}

// OrderNames are the names of the orders.
func OrderNames() []string {
	var names []string
	for _, o := range Orders() {
		names = append(names, o.Name)
	}
	return names
}
