package compare

import (
	"fmt"

	"tarry/run/trial"
)

// Unrecorded reports of a policy that plays the record of a trace that no job of its runs has one;
// "" of other policies.
func Unrecorded(policy string, runs []*trial.Result) string {
	found := false
	for _, run := range runs {
		for i := range run.Measures {
			if m := &run.Measures[i]; m.Name == "log_jobs" && m.Of == "" {
				if found = true; m.Value > 0 {
					return ""
				}
			}
		}
	}
	if !found {
		return ""
	}
	return fmt.Sprintf("%s has no recorded start of a job in this trace, and decides as fifo", policy)
}
