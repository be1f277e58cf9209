package reference

import (
	"slices"
	"strings"
)

// gavelFile takes the name TRACE__POLICY or TRACE__POLICY__SOLVER of a file of completion times
// apart: the policy is the last part that names one, else the second; ok is false of other names.
func gavelFile(name string) (trace, policy, solver string, ok bool) {
	stem, ok := strings.CutSuffix(name, gavelSuffix)
	parts := strings.Split(stem, "__")
	if !ok || len(parts) < 2 || slices.Contains(parts, "") {
		return "", "", "", false
	}
	at := 1
	for i := 1; i < len(parts); i++ {
		if _, known := gavelPolicies(parts[i]); known || gavelWhy(parts[i]) != gavelUnknown {
			at = i
		}
	}
	return strings.Join(parts[:at], "__"), parts[at], strings.Join(parts[at+1:], "__"), true
}

// gavelPolicy is a policy of that simulator in tarry's words, with what may separate its mean
// completion time and makespan from a solver's.
type gavelPolicy struct {
	settings       string
	shuffled       bool // the order of types is drawn every round
	solved         bool // by a solver, of several optima
	untyped        bool // to the objective all types are one
	mean, makespan float64
}

// open reports whether the optima are too many for means to be compared: an objective without types
// does not say on which of them a job gets its time.
func (p *gavelPolicy) open() bool { return p.solved && p.untyped }

func gavelPolicies(name string) (p gavelPolicy, ok bool) {
	base, fixed := strings.CutSuffix(name, "_fixedorder")
	p = gavelPolicy{settings: "policy=" + base + ",perf=false", mean: 0.05, makespan: 0.04}
	switch base {
	case "fifo_perf", "allox":
	case "max_min_fairness_perf", "finish_time_fairness_perf":
		p.solved = true
	case "max_sum_throughput_perf", "min_total_duration_perf":
		p.solved, p.mean = true, 0.12
	case "isolated":
		p.shuffled = !fixed
	case "max_min_fairness", "finish_time_fairness":
		p.solved, p.shuffled, p.untyped = true, !fixed, true
	default:
		return p, false
	}
	return p, true
}

// gavelWhy says why a policy of that simulator is not compared.
func gavelWhy(name string) string {
	switch name {
	case "fifo":
		return "it was meant to draw a type and does not, which its README names as no target"
	case "gandiva":
		return "its random pairs are not modelled"
	}
	return gavelUnknown
}

const (
	gavelUnknown = "it is not among the objectives"
	gavelOptima  = "its problem has several optima, and jobs end as the solver chose among them"
	gavelOpen    = "an objective without types leaves open on which a job gets its time: optima differ by a third " +
		"in mean completion time; the objective's value is compared in optimisation"
)
