package app

import (
	"github.com/urfave/cli/v2"

	"tarry/run/bounds"
	"tarry/run/config"
	"tarry/run/trial"
)

// boundsFlag asks for the rows of bounds.
func boundsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "bounds", Usage: "add what could not run on the same windows: every job at its best " +
		"shape, static timers with hindsight, the clairvoyant order, a planner that knows the work, and the same " +
		"choices without hindsight (14 runs more for each window)"}
}

// boundTrials are the candidates' trials beside one policy's.
func (from program) boundTrials(s *config.Setup, of []trial.Trial) ([]trial.Trial, error) {
	return bounds.Of(from.Policies, s.Config.Placement, of)
}
