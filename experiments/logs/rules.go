package logs

import "tarry/experiments/sweep"

// base is what all are compared with; mark is the scheduler that reads the remaining work.
const (
	base = "easy:by=request"
	mark = "dally:order=srpt,evict=later,preempt=false,delay=false"
)

// fixed are the schedulers that are not tuned. The fourth and the fifth are the rules as they
// stand: predicted time left behind EASY's reservation, and the Gittins order with evictions. With
// delay=false no job waits for a better place: there is none. Of the bounds of package bounds the
// others are about places, and without a network all timers are the same.
func fixed() []string {
	return []string{base, "easy", "conservative:by=request",
		"dally:order=psrpt,preempt=false,delay=false,backfill=request",
		"dally:order=gittins,evict=later,margin=1,preempt=false,delay=false,backfill=request",
		mark}
}

// rule is a scheduler by hand whose settings an optimiser chooses.
type rule struct {
	name, policy string
	params       sweep.Settings
}

// rules are without and with preemption. The first has six settings in all, so that a search plays
// each of them.
func rules() []rule {
	orders, behind := []any{"psrpt", "psrsf", "gittins"}, []any{"request", "predicted"}
	return []rule{
		{"rule", "dally:preempt=false,delay=false", sweep.Settings{"order": orders, "backfill": behind}},
		{"rule-preemptive", "dally:evict=later,preempt=false,delay=false",
			sweep.Settings{"order": orders, "backfill": behind, "margin": "0:3", "min_run": "0.01:4:log"}},
	}
}

// The budget of every search at full scale: vectors times windows, 480, which a rule has in points
// on as many windows.
const (
	generations = 8
	population  = 10
	windows     = 6
)

// tuning is the sweep of a rule; with the first go the schedulers that are not tuned.
func tuning(scale string, r *rule, first bool) sweep.Spec {
	set := sweep.Settings{
		"policy": r.policy, "optimiser": "tpe", "metric": "jct_bsld", "against": "easy:by=request",
		"budget": sweep.At(scale, 6, 12, generations*population), "windows": sweep.At(scale, 2, 6, windows),
		"candidates": sweep.At(scale, 2, 4, 5), "params": r.params,
	}
	over := sweep.Axis{Name: "setting"}
	for _, s := range settings(scale) {
		how := measured(scale, &s)
		if first {
			how["baselines"] = fixed()
		}
		over.Cases = append(over.Cases, sweep.Case{Name: s.name, Set: sweep.Settings{
			"env": jobs + ":" + s.options + "," + costs, "validation": sweep.At(scale, 2, 6, s.validations),
			"evaluate": how}})
	}
	return named("logs-"+r.name, r.name, "tune", set, over, 1)
}
