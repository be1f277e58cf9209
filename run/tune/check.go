package tune

import (
	"errors"
	"strings"

	"tarry/env/schedenv"
	"tarry/run/parts"
	"tarry/run/train"
)

// Fault is one thing that is wrong with a configuration.
type Fault struct {
	// Field is the key of config.json; of one parameter it is params.NAME.
	Field string
	Err   error
}

// Error reports what is wrong; it does not repeat the field.
func (f *Fault) Error() string { return f.Err.Error() }

// Unwrap gives Err.
func (f *Fault) Unwrap() error { return f.Err }

// at names the field of each of the errors that an error joins.
func at(field string, err error) error {
	var out []error
	for _, e := range apart(err) {
		out = append(out, &Fault{field, e})
	}
	return errors.Join(out...)
}

// apart gives what an error joins, in order.
func apart(err error) []error {
	if err == nil {
		return nil
	}
	many, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Join(many.Unwrap()...).Error() != err.Error() {
		return []error{err}
	}
	var out []error
	for _, e := range many.Unwrap() {
		out = append(out, apart(e)...)
	}
	return out
}

// unique joins errors, each text once: a budget of 0 is a fault to more than one reader.
func unique(errs []error) error {
	var out []error
	seen := map[string]bool{}
	for _, e := range apart(errors.Join(errs...)) {
		if text := strings.TrimSpace(e.Error()); !seen[text] {
			seen[text] = true
			out = append(out, e)
		}
	}
	return errors.Join(out...)
}

// Check reports every fault of a configuration, for a run in a folder; the error joins values of
// type *Fault.
func Check(from *parts.Catalogues, cfg Config, dir string) error {
	_, err := Estimate(from, cfg, dir)
	return err
}

// Size is about what a run takes.
type Size struct {
	// Simulations is the most that it runs, with the reference and validation; Jobs is how many
	// jobs are in them, if all windows are like the first.
	Simulations, Jobs int64
	// Loaded is how many jobs it holds in memory at once, GPUs the size of the cluster.
	Loaded, GPUs int64
}

// Estimate checks a configuration as Check does and states what it takes.
func Estimate(from *parts.Catalogues, cfg Config, dir string) (Size, error) {
	found, lost := train.Locate(from, dir, cfg.Env)
	if lost != nil {
		return Size{}, at("env", lost)
	}
	p, err := prepare(from, &cfg, found)
	if err != nil {
		return Size{}, err
	}
	w, err := p.on.Source.Window(schedenv.Train, 0)
	if err != nil {
		return Size{}, at("env", err)
	}
	jobs, windows, validation := int64(len(w.Jobs)), int64(cfg.Windows), int64(cfg.Validation)
	others := int64(1) // the reference, and what ratios are relative to
	if cfg.Cost == ratioCost && cfg.Against != cfg.Policy {
		others++
	}
	s := Size{Simulations: (int64(cfg.Budget)+others)*windows + (int64(cfg.Candidates)+others)*validation,
		Loaded: jobs * (windows + validation), GPUs: int64(p.on.Topology.GPUs())}
	s.Jobs = jobs * s.Simulations
	return s, nil
}
