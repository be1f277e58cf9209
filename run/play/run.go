package play

import (
	"context"
	"errors"
	"fmt"

	"tarry/env/scenario"
	"tarry/output/results"
	"tarry/run/compare"
	"tarry/run/config"
	"tarry/run/trial"
)

// Result is a comparison that has run.
type Result struct {
	setup *config.Setup
	done  []*trial.Result // for each policy in order, its replicates
	rows  []*compare.Row
	waits []string // the paired difference of mean waits, by policy
}

// Run compares the policies of a command line; progress, unless nil, receives the share of jobs
// that have ended.
func Run(ctx context.Context, words []string, from scenario.Catalogues, progress func(part float64)) (*Result, error) {
	c, err := Parse(words)
	if err != nil {
		return nil, err
	}
	s, err := config.BuildKept(ctx, *c, &scenario.Kept{From: from})
	if err != nil {
		return nil, err
	}
	trials := s.Trials()
	jobs, ended := 0, 0
	for i := range trials {
		trials[i].KeepIntervals = true
		jobs += trials[i].Jobs()
	}
	done, err := trial.Run(ctx, trials, trial.Options{Workers: 1, Keep: []string{results.Job{}.Table()},
		Progress: func(_, n int) {
			if ended += n; progress != nil {
				progress(float64(ended) / float64(jobs))
			}
		}})
	if err != nil {
		return nil, err
	}
	r := &Result{setup: s, done: done, rows: compare.Rows(s, s.Config.Policies, done)}
	if err := compare.WithFirst(s, r.rows); err != nil {
		return nil, err
	}
	return r, r.compareWaits()
}

// replicate gives the run of a policy on a replicate's jobs.
func (r *Result) replicate(policy, replicate int) (*trial.Result, error) {
	if n := len(r.setup.Runs); replicate < 0 || replicate >= n {
		return nil, fmt.Errorf("replicate is %d, expected 0..%d", replicate, n-1)
	}
	if n := len(r.rows); policy < 0 || policy >= n {
		return nil, errors.New("the policy is none of the run's")
	}
	return r.done[policy*len(r.setup.Runs)+replicate], nil
}
