package bounds

import (
	"fmt"
	"slices"
	"strings"

	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/param"
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

// Choices lists what Named chooses among: the names of All and of Own without what is before the
// colon.
func Choices() []string {
	var out []string
	for _, b := range All() {
		out = append(out, short(b.Name))
	}
	return append(out, ofMember, ofTurns, ofRule, ofAnswers)
}

// The names of the rows of Own.
const (
	ofMember  = "member"
	ofTurns   = "turns"
	ofRule    = "rule"
	ofAnswers = "answers"
)

// short is a row's name without what is before the colon.
func short(name string) string {
	_, name, _ = strings.Cut(name, ":")
	return name
}

// Named are the bounds of a list whose rows have one of some names of Choices, in the order of the
// list.
func Named(list []Bound, names []string) ([]Bound, error) {
	for _, name := range names {
		if !slices.ContainsFunc(list, func(b Bound) bool { return short(b.Name) == name }) {
			return nil, fmt.Errorf("there is no bound %q here%s, expected some of %s", name,
				param.Hint(name, Choices()), strings.Join(Choices(), ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(b Bound) bool { return !slices.Contains(names, short(b.Name)) }), nil
}

// RowsOf lists the rows of a list, each with its placebo behind it.
func RowsOf(list []Bound) []string { return names(list) }

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
