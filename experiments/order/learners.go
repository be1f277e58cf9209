package order

import "tarry/experiments/sweep"

const (
	// orders is the environment of the learners, jobs the environment of what is tuned.
	orders = "tarry/Order-v0"
	jobs   = "tarry/DelayTimer-v1"
	// predictor gives jobs their laws of run time, if nothing else is said.
	predictor = "ridge"
)

// learner is a search of the weights of a score.
type learner struct {
	name, agent string
	// options of the environment beside the setting's.
	options string
	// generations, population and windows of a generation at full scale.
	generations, population, windows int
	set                              sweep.Settings
	// seeds at full scale; few states that it is trained on recur-0.9 alone.
	seeds int
	few   bool
}

// learners have the same number of simulated windows, 8 192 beside validation's, and a
// quarter of it where windows are heavy.
func learners() []learner {
	return []learner{
		{name: "order-linear", agent: "cmaes-policy", generations: 32, population: 16, windows: 16, seeds: 10},
		{name: "order-hidden", agent: "cmaes-policy", options: "hidden=8", generations: 32, population: 16,
			windows: 16, seeds: 3},
		{name: "order-es", agent: "openai-es-policy", generations: 32, population: 16, windows: 16, seeds: 3,
			few: true},
		{name: "order-random", agent: "random-search-policy", generations: 32, population: 16, windows: 16, seeds: 3,
			few: true},
	}
}

// base is what training has in common on all settings.
func (l *learner) base(scale string) sweep.Settings {
	base := sweep.Settings{
		"agent": l.agent, "env": orders,
		"generations": sweep.At(scale, 2, 12, l.generations), "population": sweep.At(scale, 4, 12, l.population),
		"windows":        sweep.At(scale, 2, 8, l.windows),
		"validate_every": sweep.At(scale, 2, 4, 2), "validate_episodes": sweep.At(scale, 2, 20, validations),
	}
	for k, v := range l.set {
		base[k] = v
	}
	return base
}

// validations are the windows of validation that choose among the policies of a search, and among
// what was tuned.
const validations = 60

// spent is what training has of its own on a setting.
func (l *learner) spent(scale string, s setting) sweep.Settings {
	out := sweep.Settings{}
	if s.heavy && scale == sweep.Full {
		out["generations"], out["windows"], out["validate_episodes"] = l.generations/2, l.windows/2, 16
	}
	return out
}

// on is the environment on a setting under a predictor.
func (l *learner) on(s setting, predict string) string {
	out := orders + ":" + s.fields(predict)
	if l.options != "" {
		out += "," + l.options
	}
	return out
}
