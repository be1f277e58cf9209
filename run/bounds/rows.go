package bounds

import (
	"slices"
	"strings"

	"tarry/run/trial"
	"tarry/sim"
)

// NamesOf lists the rows of what Trials gave.
func NamesOf(of []trial.Trial, more ...Bound) []string {
	return names(among(len(of), func(i int) string { return of[i].Keys.Policy }, more))
}

// among are the bounds that have trials.
func among(n int, policy func(i int) string, more []Bound) []Bound {
	have := map[string]bool{}
	for i := range n {
		name, _, _ := strings.Cut(policy(i), "/")
		have[name] = true
	}
	return slices.DeleteFunc(append(All(), more...), func(b Bound) bool { return !have[b.Name] })
}

func names(of []Bound) []string {
	var out []string
	for _, b := range of {
		if out = append(out, b.Name); b.Placebo != "" {
			out = append(out, b.Placebo)
		}
	}
	return out
}

// unforeseen is why a row that plans is left out.
const unforeseen = "the speed of a job depends on who else runs, or on its progress, which its planner cannot foresee"

// foreseeable reports whether a planner can foresee the speeds of all windows.
func foreseeable(of []trial.Trial) (bool, error) {
	for i := range of {
		m, err := of[i].Speed()
		if err != nil {
			return false, err
		}
		if _, coupled := m.(sim.Coupled); coupled || sim.AsProgressive(m) != nil {
			return false, nil
		}
	}
	return true, nil
}
