package gavelref

import (
	"slices"
	"strings"
)

// fileName takes the name TRACE__POLICY or TRACE__POLICY__SOLVER of a file of completion times
// apart: the policy is the last part that names one, else the second; ok is false of other names.
func fileName(name string) (trace, policy, solver string, ok bool) {
	stem, ok := strings.CutSuffix(name, jobsSuffix)
	parts := strings.Split(stem, "__")
	if !ok || len(parts) < 2 || slices.Contains(parts, "") {
		return "", "", "", false
	}
	at := 1
	for i := 1; i < len(parts); i++ {
		if _, known := policies(parts[i]); known || whyNot(parts[i]) != unknown {
			at = i
		}
	}
	return strings.Join(parts[:at], "__"), parts[at], strings.Join(parts[at+1:], "__"), true
}

// policyOf is a policy of that simulator in tarry's words, with what may separate its mean
// completion time and makespan from a solver's.
type policyOf struct {
	settings       string
	shuffled       bool // the order of types is drawn every round
	solved         bool // by a solver, of several optima
	untyped        bool // to the objective all types are one
	mean, makespan float64
}

// open reports whether the optima are too many for means to be compared: an objective without types
// does not decide on which of them a job gets its time.
func (p *policyOf) open() bool { return p.solved && p.untyped }

func policies(name string) (p policyOf, ok bool) {
	base, fixed := strings.CutSuffix(name, "_fixedorder")
	p = policyOf{settings: "policy=" + base + ",perf=false", mean: 0.05, makespan: 0.04}
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

// whyNot reports why a policy of that simulator is not compared.
func whyNot(name string) string {
	switch name {
	case "fifo":
		return "it was meant to draw a type and does not, which its README names as no target"
	case "gandiva":
		return "its random pairs are not modelled"
	}
	return unknown
}

const (
	unknown       = "it is not among the objectives"
	severalOptima = "its problem has several optima, and jobs end as the solver chose among them"
	openTypes     = "an objective without types leaves open on which a job gets its time: optima differ by a third " +
		"in mean completion time; the objective's value is compared in optimisation"
)
