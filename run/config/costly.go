package config

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim/entry"
)

// long is the processor time in s from which a policy is named before a run.
const long = 60

// noteCosts names the policies that by nature will take minutes on the jobs of all runs.
func (s *Setup) noteCosts() {
	jobs := 0
	for i := range s.Runs {
		if w := s.Runs[i].Workload; w != nil {
			jobs += len(w.Jobs)
		} else if s.Runs[i].Stream != nil {
			jobs += s.Runs[i].Stream().Len()
		}
	}
	for _, given := range s.Config.Policies {
		spec := s.Config.policySpec(given)
		name, _, _ := strings.Cut(spec, ":")
		i := slices.IndexFunc(s.from.Policies, func(e entry.Policy) bool { return e.Name == strings.TrimSpace(name) })
		c := &s.from.Policies[i].Cost
		if t := c.Seconds(spec, jobs); t >= long {
			s.Notes = append(s.Notes, fmt.Sprintf("policy %s: warning: %d jobs may take %s of a processor: %s; "+
				"lower with %s (tarry list policies %s)", name, jobs, rough(t), c.Why,
				strings.Join(c.Bounds, ", "), name))
		}
	}
}

// rough is a time to one digit or two.
func rough(seconds float64) string {
	if seconds < 5400 {
		return fmt.Sprintf("%.0f minutes", max(1, seconds/60))
	}
	return fmt.Sprintf("%.0f hours", seconds/3600)
}
