package order

import "tarry/experiments/sweep"

// pair is a setting that an agent is trained on and one that it is measured on.
type pair struct{ trained, tested string }

func (p pair) name() string { return p.trained + "_to_" + p.tested }

// pairs are other loads, a larger cluster, users that drift, and other laws of jobs.
func pairs() []pair {
	return []pair{
		{"recur-0.9", "recur-1.1"}, {"recur-0.9", "recur-0.7"}, {"recur-1.1", "recur-1.1-512"},
		{"recur-0.9", "drift-0.9"},
		{"recur-0.9", "batch"}, {"recur-0.9", "week"}, {"recur-0.9", "philly"}, {"batch", "philly"},
		{"philly", "recur-0.9"},
	}
}

// transfer is the sweep of the linear learner on settings that it was not trained on. A cell trains
// as learning's does.
func transfer(scale string) sweep.Spec {
	l := &learners()[0]
	over := sweep.Axis{Name: "pair"}
	for _, p := range pairs()[:sweep.At(scale, 1, 2, len(pairs()))] {
		from, to := find(p.trained), find(p.tested)
		how := measured(scale, to, []string{"dally", yardstick})
		how["set"] = sweep.Exchange(l.on(from, predictor), l.on(to, predictor))
		set := l.spent(scale, from)
		set["env"], set["evaluate"] = l.on(from, predictor), how
		over.Cases = append(over.Cases, sweep.Case{Name: p.name(), Set: set})
	}
	return named(scale, "order-transfer", l.name, "learn", l.base(scale), over, 3)
}

// yardstick is a rule with the same predictions whose two numbers are not tuned: the margin and the
// least run time of a search's start.
const yardstick = "dally:order=gittins,evict=later,margin=0.5"
