package bounds

import (
	"slices"

	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
)

// Of gives the candidates' trials beside one policy's, with the policies of a catalogue
// under a placement rule.
func Of(policies entry.Policies, placement string, of []trial.Trial) ([]trial.Trial, error) {
	rule := cluster.BestFit
	if placement == cluster.FirstFound.String() {
		rule = cluster.FirstFound
	}
	return Trials(of, func(spec string) (sim.Policy, error) {
		_, fresh, err := policies.Parse(spec, rule)
		if err != nil {
			return nil, err
		}
		return fresh()
	})
}

// With puts the bounds behind the policies, and their results in place of their candidates'.
func With(policies []string, done []*trial.Result, windows int) ([]string, []*trial.Result) {
	n := len(policies) * windows
	names, whole := slices.Clone(policies), slices.Clone(done[:n])
	for _, runs := range Pick(done[n:], windows, 1) {
		names, whole = append(names, runs[0].Row.Policy), append(whole, runs...)
	}
	return names, whole
}
