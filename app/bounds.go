package app

import (
	"slices"

	"github.com/urfave/cli/v2"

	"tarry/internal/run/bounds"
	"tarry/internal/run/config"
	"tarry/internal/run/trial"
	"tarry/sim"
	"tarry/sim/cluster"
)

// boundsFlag asks for the rows of bounds.
func boundsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "bounds", Usage: "add bounds on the same windows: every job at its best shape, static timers with hindsight, the clairvoyant order (13 runs more for each window)"}
}

// boundTrials are the candidates' trials beside those of one policy.
func (from program) boundTrials(s *config.Setup, of []trial.Trial) ([]trial.Trial, error) {
	rule := cluster.BestFit
	if s.Config.Placement == cluster.FirstFound.String() {
		rule = cluster.FirstFound
	}
	return bounds.Trials(of, func(spec string) (sim.Policy, error) {
		_, fresh, err := from.Policies.Parse(spec, rule)
		if err != nil {
			return nil, err
		}
		return fresh()
	})
}

// withBounds puts the bounds behind the policies, and their results in place of those of their candidates.
func withBounds(policies []string, done []*trial.Result, windows int) ([]string, []*trial.Result) {
	n := len(policies) * windows
	whole := slices.Clone(done[:n])
	for _, runs := range bounds.Pick(done[n:], windows) {
		whole = append(whole, runs...)
	}
	return append(slices.Clone(policies), bounds.Names()...), whole
}
