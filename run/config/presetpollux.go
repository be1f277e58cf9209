package config

import (
	"strings"

	"tarry/sim"
)

// polluxCosts are the 30 s that a job makes no progress after each change of its GPUs in the
// simulator of Pollux, the first start among them.
func polluxCosts() sim.Costs {
	pause := sim.Cost{FixedS: 30}
	return sim.Costs{Start: pause, Restore: pause, Migrate: pause, Rescale: pause}
}

// polluxHabits gives the schedulers of that simulator the settings under which they run there,
// where the parameters do not say otherwise.
func polluxHabits(name, params string) string {
	habits := map[string][]string{
		"tiresias": {"queues=57600", "promote=0", "inside=joined", "every_s=60", "service=held", "place=emptiest"},
		"optimus":  {"mode=simulator"},
	}
	for _, h := range habits[name] {
		if key, _, _ := strings.Cut(h, "="); !hasKey(params, key) {
			params = strings.TrimPrefix(params+","+h, ",")
		}
	}
	return params
}
