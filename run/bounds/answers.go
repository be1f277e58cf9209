package bounds

import (
	"math"
	"slices"

	"tarry/env/trait"
	"tarry/run/trial"
	"tarry/sim"
)

// answers lists the rows of an environment whose questions rules can answer: its best rule in each
// window, and the best rules of the window's jobs that a search finds, with hindsight. The placebo of the
// search draws answers where it has rules: what it gains is hindsight alone.
func answers(of trait.Ruled) []Bound {
	return []Bound{
		{Name: Hindsight + ofRule, Placebo: Placebo + ofRule, PerWindow: true, candidates: of.Rules()},
		{Name: Hindsight + ofAnswers, candidates: []string{ofAnswers}, search: &byJob{of: of}},
		{Name: Placebo + ofAnswers, candidates: []string{ofAnswers}, search: &byJob{of: of, random: true}},
	}
}

// byJob looks for answers to the questions about each job that are good in a window.
//
//  1. Each rule answers all questions of the window; the best one begins with all jobs.
//  2. By climb a rule answers for jobs in a row, by arrival, for good if the mean completion time is less.
type byJob struct {
	of     trait.Ruled
	random bool // draws answer in a rule's place
}

// about has the rules.
func (s *byJob) about() map[string]any {
	return map[string]any{"rules": s.of.Rules(), "random": s.random, "plays": plays}
}

// policy gives the policy of a trial that answers as the search finds best for it.
func (s *byJob) policy(t *trial.Trial) (sim.Policy, error) {
	cost := func(of []trait.Answer) (float64, error) {
		_, c, err := played(t, func() (sim.Policy, error) { return s.of.ByRules(of) })
		return c, err
	}
	rules, jobs := len(s.of.Rules()), len(t.Workload.Jobs)
	var best []trait.Answer
	least := math.Inf(1)
	for i := range rules {
		of := constant(i, jobs)
		c, err := cost(of)
		if err != nil {
			return nil, err
		}
		if best == nil || c < least {
			best, least = of, c
		}
	}
	r := stream(t, "answers")
	found, err := climb(r, best, least, func(block []trait.Answer) {
		to := trait.Answer{Rule: r.IntN(rules)}
		for i := range block {
			if block[i] = to; s.random {
				block[i] = trait.Answer{Rule: -1, Draw: r.Float64()}
			}
		}
	}, cost)
	if err != nil {
		return nil, err
	}
	return s.of.ByRules(found)
}

// constant has all jobs answered for by one rule.
func constant(rule, jobs int) []trait.Answer {
	return slices.Repeat([]trait.Answer{{Rule: rule}}, jobs)
}
