package logs

import (
	"strings"

	"tarry/baselines/score"
	"tarry/experiments/sweep"
)

// The environment of the learners, and the environment of what is tuned.
const (
	orders = "tarry/Order-v0"
	jobs   = "tarry/DelayTimer-v1"
)

// learner is a search of the weights of a score, on the log's own train part or on other logs
// alone.
type learner struct {
	name, options string
	elsewhere     bool
}

// learners are without and with preemption; the two timers begin at next to nothing, since no place
// is better than another.
func learners() []learner {
	const (
		stays = "margin=inf,globals=false,t_rack=0,t_net=0"
		gives = "margin=1,t_rack=0.0005,t_net=0.0005"
	)
	return []learner{{"learned", stays, false}, {"learned-preemptive", gives, false}, {"elsewhere", stays, true},
		{"elsewhere-preemptive", gives, true}}
}

// features are the features of a score that do not speak of a network or of places.
func features() string {
	var out []string
	for _, n := range score.TermNames() {
		if n != "exposed" && n != "slowed" && n != "level" {
			out = append(out, n)
		}
	}
	return strings.Join(out, "+")
}

// on is the environment on some jobs.
func (l *learner) on(options string) string {
	return strings.Join([]string{orders + ":" + options, costs, "leases=false,backfill=request,reference=easy," +
		"cost=both", l.options, "features=" + features()}, ",")
}

// learning is the sweep of a learner over the settings.
func learning(scale string, l *learner) sweep.Spec {
	over := sweep.Axis{Name: "setting"}
	for _, s := range settings(scale) {
		if !l.elsewhere && !s.alone {
			continue
		}
		how, env, checks := measured(scale, &s), l.on(s.options), s.validations
		if l.elsewhere {
			env, checks = l.on(s.others(scale)), mostValidations
			how["set"] = sweep.Exchange(env, l.on(s.options))
		}
		over.Cases = append(over.Cases, sweep.Case{Name: s.name,
			Set: sweep.Settings{"env": env, "evaluate": how, "validate_episodes": sweep.At(scale, 2, 6, checks)}})
	}
	set := sweep.Settings{"agent": "cmaes-policy", "generations": sweep.At(scale, 2, 4, generations),
		"population": sweep.At(scale, 4, 8, population), "windows": sweep.At(scale, 2, 6, windows),
		"validate_every": sweep.At(scale, 1, 2, 2), "validate_start": true}
	return named("logs-"+l.name, l.name, "learn", set, over, sweep.At(scale, 1, 2, 3))
}
