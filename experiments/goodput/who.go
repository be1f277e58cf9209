package goodput

import (
	"slices"

	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
)

// Names of schedulers that figures and tables refer to.
const (
	dally   = "dally"
	nowait  = "dally-nowait"
	grown   = "dally-elastic"
	noTimer = "nowait-elastic"
)

// scheduler is a policy under the name that figures give it.
type scheduler struct{ name, policy string }

// rules are the rules with which Dally resizes elastic jobs (docs/elasticity.md calls them
// all-over).
const rules = "shrink=most,yield=grown,grow=idle,grow_to=max,grow_over=any"

// waiting are schedulers that wait for close GPUs, or do not: jobs have what they ask for.
func waiting() []scheduler {
	return []scheduler{{dally, dally}, {nowait, nowait}, {"dally-consolidated", "dally-consolidated"},
		{"delay", "delay"}}
}

// orders are schedulers by an order, each in several forms of placement: jobs have what they ask
// for.
func orders() [][]string {
	return slices.Concat([][]string{{"tiresias", "tiresias:place=skew"}}, rivals.Placed("las", "srtf"))
}

// families are all schedulers of which there are several forms. Forms have the names of their
// policies.
func families() [][]string {
	out := orders()
	for _, p := range []string{"voda", "afs-p", "afs-l"} {
		out = append(out, []string{p, p + ":place=near"})
	}
	return out
}

// ordered are the forms of the orders.
func ordered() []scheduler { return named(orders()) }

// named gives forms as schedulers.
func named(families [][]string) []scheduler {
	var out []scheduler
	for _, form := range rivals.Names(families) {
		out = append(out, scheduler{form, form})
	}
	return out
}

// resizing is Dally with its rules for elastic jobs, with timers and without.
func resizing() []scheduler {
	return []scheduler{{grown, dally + ":" + rules}, {noTimer, nowait + ":" + rules + ",before=spread"}}
}

// scaling are schedulers that choose how many GPUs a job has by what it gains, and leave its batch
// to the rule of the run.
func scaling() []scheduler {
	return append(named(families()[len(orders()):]), scheduler{"elasticflow", "elasticflow"})
}

// goodputs are schedulers that choose by how fast a job learns. Pollux searches every two minutes,
// with fewer states and generations than its authors: a run then takes seconds.
func goodputs() []scheduler {
	return []scheduler{{"optimus", "optimus"}, {"sia", "sia"}, {"pollux", "pollux:interval=120,population=30," +
		"generations=20"}}
}

// axisOf makes schedulers an axis.
func axisOf(who ...[]scheduler) sweep.Axis {
	a := sweep.Axis{Name: "scheduler"}
	for _, list := range who {
		for _, s := range list {
			a.Cases = append(a.Cases, sweep.Case{Name: s.name, Set: sweep.Settings{"policy": s.policy}})
		}
	}
	return a
}

// everyScheduler is the axis of all of them.
func everyScheduler() sweep.Axis {
	return axisOf(waiting(), ordered(), resizing(), scaling(), goodputs())
}

// few are the schedulers of the sweeps with many other values; Pollux takes too long for them.
func few() sweep.Axis {
	a := everyScheduler()
	a.Cases = slices.DeleteFunc(a.Cases, func(c sweep.Case) bool {
		return slices.Contains([]string{"dally-consolidated", "voda", "voda:place=near", "pollux", noTimer}, c.Name)
	})
	return a
}

// fewForms are the schedulers of them with several forms.
func fewForms() sweep.Axis {
	a, forms := few(), rivals.Names(families())
	a.Cases = slices.DeleteFunc(a.Cases, func(c sweep.Case) bool { return !slices.Contains(forms, c.Name) })
	return a
}
