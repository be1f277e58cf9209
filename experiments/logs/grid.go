package logs

import "tarry/experiments/sweep"

// specs gives a sweep per rule and per learner.
func specs(scale string) []sweep.Spec {
	var out []sweep.Spec
	for i, r := range rules() {
		out = append(out, tuning(scale, &r, i == 0))
	}
	for _, l := range learners() {
		out = append(out, learning(scale, &l))
	}
	return out
}

// named is a sweep of one learner or rule, which is the one value of the axis learner.
func named(name, learner, kind string, set sweep.Settings, over sweep.Axis, seeds int) sweep.Spec {
	one := sweep.Axis{Name: "learner", Cases: []sweep.Case{{Name: learner, Set: sweep.Settings{}}}}
	return sweep.Spec{Name: name, Kind: kind, Base: set, Axes: []sweep.Axis{over, one},
		Seeds: sweep.FirstSeeds(seeds)}
}

// measured reports on how many windows of test.
func measured(scale string, s *setting) sweep.Settings {
	return sweep.Settings{"windows": sweep.At(scale, 3, 8, s.windows), "trials": s.kept}
}
