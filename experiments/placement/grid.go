package placement

import (
	"slices"
	"strconv"
	"strings"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

const dally = "dally"

// removed is Dally as it is and with one part removed, at last with none of them.
func removed() []string {
	return []string{dally, "dally-nowait", "dally-consolidated", "dally:preempt=false", "dally:order=fifo", "fifo-fit"}
}

// lasting are orders that do not preempt, and preempting the orders that do, each with all rules of
// places.
func lasting() [][]string { return placed("fifo-fit", "easy", "conservative", "slurm") }

func preempting() [][]string {
	return append(placed("las", "srtf"), []string{"tiresias", "tiresias:place=skew"})
}

// families are all orders, of whose forms validation chooses one.
func families() [][]string { return slices.Concat(lasting(), preempting()) }

// hour stands behind the names of forms with delay timers of an hour for a machine and as much for
// a rack; those without it have six.
const hour = ", 1 h"

// placed adds to the forms of others the one with short timers.
func placed(policies ...string) [][]string {
	out := rivals.Placed(policies...)
	for i := range out {
		out[i] = append(out[i], out[i][2]+hour)
	}
	return out
}

// axisOf makes policies an axis.
func axisOf(names []string) sweep.Axis {
	a := sweep.Axis{Name: "scheduler"}
	for _, name := range names {
		policy, short := strings.CutSuffix(name, hour)
		if short {
			policy += ",delay_machine_s=3600,delay_rack_s=3600"
		}
		a.Cases = append(a.Cases, sweep.Case{Name: name, Set: sweep.Settings{"policy": policy}})
	}
	return a
}

// specs gives the sweep of the tables and the sweep of the choice.
func specs(scale string) []sweep.Spec {
	return []sweep.Spec{of(scale, "placement", "test", 1, all()),
		of(scale, "placement-validation", "validation", rivals.Validation(1)[0], rivals.Names(families()))}
}

// all are Dally, what is left of it, and the forms of the orders, each once.
func all() []string {
	left := removed()
	return append(left[:len(left)-1], rivals.Names(families())...)
}

// of is a sweep with replicates of one seed; of Philly they are windows of a part.
func of(scale, name, part string, seed uint64, who []string) sweep.Spec {
	return sweep.Spec{Name: name, Kind: "simulate", Seeds: []uint64{seed},
		Base: sweep.Settings{"speed": "collective", "costs": "checkpoint_s=5,restore_s=10",
			"replicates": sweep.At(scale, 4, 6, 10)},
		Axes: []sweep.Axis{{Name: "setting", Cases: settings(scale, part)}, axisOf(who)}}
}

// settings are arrivals at random, jobs that recur, and at full scale the trace of Philly.
func settings(scale, part string) []sweep.Case {
	drawn := func(name, law, cluster string) sweep.Case {
		return sweep.Case{Name: name, Set: sweep.Settings{"trace": "synth:" + law + ",jobs=" +
			strconv.Itoa(sweep.At(scale, 60, 200, 400)), "cluster": cluster}}
	}
	out := []sweep.Case{drawn("poisson", "poisson,load=0.7", "ethernet:4x4x8"),
		drawn("recur", "recur,load=0.9", "ethernet:2x4x8")}
	if scale != sweep.Full { // sixty jobs with random arrivals hardly wait
		return out[sweep.At(scale, 1, 0, 0):]
	}
	return append(out, sweep.Case{Name: "philly", Set: sweep.Settings{
		"trace": "philly:../shared/traces/philly/philly.csv", "models": "paper", "cluster": "ethernet:2x4x8",
		"cuts": map[string]any{"shares": "40:20:40", "gap": "1", "rate": "3", "thin": "4", "warm": "12",
			"horizon": "29", "part": part}}})
}
