package order

import "tarry/experiments/sweep"

// specs gives a sweep per rule and per learner, then the sweeps of transfer, of the ablation and of
// which jobs lose.
func specs(scale string) []sweep.Spec {
	var out []sweep.Spec
	for i, r := range rules() {
		if scale == sweep.Tiny && i > 1 {
			break
		}
		out = append(out, tuning(scale, &r, i == 0))
	}
	for i, l := range learners() {
		if scale == sweep.Tiny && i > 0 {
			break
		}
		out = append(out, learning(scale, &l))
	}
	return append(out, transfer(scale), ablation(scale), paying(scale))
}

// named is a sweep of one learner, which is the one value of the axis learner.
func named(scale, name, learner, kind string, base sweep.Settings, over sweep.Axis, seeds int) sweep.Spec {
	one := sweep.Axis{Name: "learner", Cases: []sweep.Case{{Name: learner, Set: sweep.Settings{}}}}
	return sweep.Spec{Name: name, Kind: kind, Base: base, Axes: []sweep.Axis{over, one},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 1, min(2, seeds), seeds))}
}

// tuning is the sweep of a rule; with the first go the schedulers without a number and the bounds.
func tuning(scale string, r *rule, first bool) sweep.Spec {
	base := sweep.Settings{
		"policy": r.policy, "optimiser": "tpe", "budget": sweep.At(scale, 8, 20, r.points),
		"windows":    sweep.At(scale, 2, 8, 16),
		"validation": sweep.At(scale, 2, 20, validations), "candidates": sweep.At(scale, 2, 5, 20), "params": r.params,
		"env": jobs,
	}
	if r.whole {
		base["optimiser"], base["budget"], base["candidates"] = "grid", r.points, r.points
	}
	over := sweep.Axis{Name: "setting"}
	for _, s := range places(scale) {
		if r.light && s.heavy {
			continue
		}
		how := measured(scale, s, []string{"dally"})
		if first {
			how = measured(scale, s, fixed())
			how["bounds"] = true
		}
		set := sweep.Settings{"env": jobs + ":" + s.fields(r.predict), "evaluate": how}
		if s.heavy && scale == sweep.Full {
			set["windows"], set["validation"] = 8, 16
			if !r.whole {
				set["budget"] = r.points / 2
			}
		}
		over.Cases = append(over.Cases, sweep.Case{Name: s.name, Set: set})
	}
	return named(scale, "order-"+r.name, r.name, "tune", base, over, 1)
}

// learning is the sweep of a learner over the settings.
func learning(scale string, l *learner) sweep.Spec {
	over := sweep.Axis{Name: "setting"}
	for _, s := range places(scale) {
		if l.few && s.name != "recur-0.9" {
			continue
		}
		set := l.spent(scale, s)
		set["env"], set["evaluate"] = l.on(s, predictor), measured(scale, s, []string{"dally"})
		over.Cases = append(over.Cases, sweep.Case{Name: s.name, Set: set})
	}
	return named(scale, l.name, l.name, "learn", l.base(scale), over, l.seeds)
}

// measured reports on how many windows of test, and beside whom.
func measured(scale string, s setting, beside []string) sweep.Settings {
	return sweep.Settings{"windows": sweep.At(scale, 3, 10, s.windows), "baselines": beside, "baselines_once": true,
		"trials": false}
}
