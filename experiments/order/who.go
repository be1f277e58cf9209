package order

import "tarry/experiments/sweep"

// paying is the sweep whose jobs are kept: which jobs lose by the shorter mean. It is trained as
// learning's.
func paying(scale string) sweep.Spec {
	l := &learners()[0]
	s := find("recur-1.1")
	how := sweep.Settings{"windows": sweep.At(scale, 2, 10, 30), "baselines": []string{"dally", yardstick}}
	over := sweep.Axis{Name: "kept", Cases: []sweep.Case{{Name: s.name,
		Set: sweep.Settings{"env": l.on(s, predictor), "evaluate": how}}}}
	return named(scale, "order-who", l.name, "learn", l.base(scale), over, 1)
}
