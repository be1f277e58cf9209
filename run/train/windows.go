package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"tarry/env"
	"tarry/env/scenario"
	"tarry/env/trait"
)

// maxWindows bounds the windows of a part: each is made once, to be hashed.
const maxWindows = 10_000

// maxKept bounds the windows of validation that stay in memory. More than that are warmed up each
// time.
const maxKept = 64

// seen lists the jobs that a run may see, by hash.
type seen struct {
	// Train and Validation have the SHA-256 of each window's jobs, by number; empty where an
	// environment has no windows.
	Train      []string `json:"train"`
	Validation []string `json:"validation"`
	// Trace is the SHA-256 of all jobs of a trace, Names and Chains are the marks of jobs in its
	// first two parts; "" where jobs are drawn anew for each window. Jobs are both marks as earlier
	// versions left them.
	Trace  string   `json:"trace,omitempty"`
	Names  []string `json:"names,omitempty"`
	Chains string   `json:"chains,omitempty"`
	Jobs   string   `json:"jobs,omitempty"`
	// Scenario is the SHA-256 of the file of the option scenario and of the files that it names, as
	// scenario.Sum has it; "" = none.
	Scenario string `json:"scenario,omitempty"`
	// Mixture has the hashes of the files of the option mixture; nil = none.
	Mixture []string `json:"mixture,omitempty"`
	// Chosen states which predictors were chosen; nil = none.
	Chosen []*scenario.Choice `json:"chosen,omitempty"`
}

// windowsOf hashes what training and validation draw from, over so many goroutines.
func windowsOf(c *Config, workers int) (*seen, error) {
	s := &seen{Train: []string{}, Validation: []string{}}
	if path := scenarioOf(c.found); path != "" {
		if sum, ok := scenario.Sum(c.from.Traces, path); ok {
			s.Scenario = sum.SHA256
		}
	}
	s.Mixture = mixtureSums(c.found)
	e, err := c.make(trait.Train)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	on, ok := env.Find[trait.Windowed](e)
	if !ok {
		return s, nil
	}
	if n := on.Windows(trait.Train); n > maxWindows {
		return nil, fmt.Errorf("environment %q has %d windows, expected at most %d: each is hashed, to keep them "+
			"apart from evaluation's", c.Env, n, maxWindows)
	}
	if s.Train, err = hashes(on, trait.Train, on.Windows(trait.Train), workers); err != nil {
		return nil, err
	}
	n := min(on.Windows(trait.Validation), c.ValidateEpisodes)
	if s.Validation, err = hashes(on, trait.Validation, n, workers); err != nil {
		return nil, err
	}
	s.mark(e, trait.Train, trait.Validation)
	return s, nil
}

// hashes gives the hashes of the first n windows of a part. The error is of the first window that
// has one.
func hashes(on trait.Windowed, p trait.Part, n, workers int) ([]string, error) {
	sums, errs := make([]string, n), make([]error, n)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range max(1, min(workers, n)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if sums[i], errs[i] = on.WindowHash(p, i); errs[i] != nil {
					return
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// mark notes the jobs of some parts of a trace.
func (s *seen) mark(e env.Env, parts ...trait.Part) {
	on, ok := env.Find[scenario.Sourced](e)
	if !ok {
		return
	}
	from, hash := on.JobSource()
	if list, ok := from.(scenario.Listed); ok {
		m := marks{}
		for _, p := range parts {
			m.add(list.Jobs(p))
		}
		s.Trace = hash
		s.Names, s.Chains = m.text()
	}
}

func (s *seen) json() ([]byte, error) {
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}

// validationEnv makes the environment whose windows are validation's. windows is how many
// there are; 0 = the environment has none, and episodes differ by their seeds.
func validationEnv(c *Config) (e env.Env, windows int, err error) {
	if e, err = c.make(trait.Train); err != nil {
		return nil, 0, err
	}
	if _, ok := env.Find[trait.Windowed](e); !ok {
		return e, 0, nil
	}
	if err := e.Close(); err != nil {
		return nil, 0, err
	}
	if e, err = c.make(trait.Validation); err != nil {
		return nil, 0, err
	}
	on, ok := env.Find[trait.Windowed](e)
	if !ok || on.Part() != trait.Validation {
		return nil, 0, errors.Join(fmt.Errorf("environment %s: its windows are not of part=validation where "+
			"that is asked for", e.Spec().ID), e.Close())
	}
	windows = on.Windows(trait.Validation)
	if k, ok := env.Find[trait.Keeper](e); ok {
		k.Keep(min(c.ValidateEpisodes, windows, maxKept))
	}
	return e, windows, nil
}
