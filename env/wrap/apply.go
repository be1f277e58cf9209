package wrap

import (
	"fmt"
	"math"
	"strings"

	"tarry/env"
	"tarry/sim/param"
)

func names() []string {
	return []string{"TimeLimit", "OrderEnforcing", "EpisodeStatistics", "NormalizeObservation", "NormalizeReward",
		"ClipAction", "RescaleAction", "Flatten", "TimeAware"}
}

// Apply puts the wrapper of that description around e: NAME or NAME:key=value,..., as in
// Spec().Wrappers.
func Apply(e env.Env, text string) (env.Env, error) {
	name, settings, _ := strings.Cut(text, ":")
	set := param.Parse("wrapper "+name, settings)
	var out env.Env
	var err error
	steps, low, high, gamma := 0, 0.0, 0.0, 0.0
	switch name { // settings first: their faults are reported before anything is made
	case "TimeLimit":
		steps = set.Int("steps", e.Spec().MaxSteps, 1, math.MaxInt32)
	case "RescaleAction":
		low = set.Float("low", -1, -math.MaxFloat64, math.MaxFloat64)
		high = set.Float("high", 1, -math.MaxFloat64, math.MaxFloat64)
	case "NormalizeReward":
		gamma = set.Float("gamma", 0.99, 0, 1)
	}
	if err := set.Err(); err != nil {
		return nil, err
	}
	switch name {
	case "TimeLimit":
		out, err = TimeLimit(e, steps)
	case "OrderEnforcing":
		out = OrderEnforcing(e)
	case "EpisodeStatistics":
		out = EpisodeStatistics(e)
	case "NormalizeObservation":
		out = NormalizeObservation(e)
	case "NormalizeReward":
		out, err = NormalizeReward(e, gamma)
	case "ClipAction":
		out, err = ClipAction(e)
	case "RescaleAction":
		out, err = RescaleAction(e, low, high)
	case "Flatten":
		out = Flatten(e)
	case "TimeAware":
		out, err = TimeAware(e)
	default:
		return nil, fmt.Errorf("wrapper %q: unknown, expected one of %s%s", name, strings.Join(names(), ", "),
			param.Hint(name, names()))
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}
