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

// polluxHabits gives the schedulers of that simulator as they run there: Optimus and Tiresias by the
// policies with its habits, and the settings there where the parameters do not state others.
func polluxHabits(name, params string) string {
	switch name {
	case "optimus":
		name = "pollux-optimus"
	case "tiresias":
		name = "tiresias-sim"
	}
	if name == "tiresias-sim" {
		for _, h := range [...]string{"queues=57600", "promote=0", "inside=joined", "every_s=60", "service=held",
			"place=emptiest"} {
			if key, _, _ := strings.Cut(h, "="); !hasKey(params, key) {
				params = strings.TrimPrefix(params+","+h, ",")
			}
		}
	}
	return strings.TrimSuffix(name+":"+params, ":")
}
