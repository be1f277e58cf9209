package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/catalogue/schedulers"
	"tarry/catalogue/shipped"
	"tarry/run/defaults"
)

// writeDefaults measures the flips of the named schedulers, all if there are none, and writes
// docs/defaults.csv. The rows of others stay.
func writeDefaults(ctx context.Context, shared string, only []string) error {
	results := filepath.Join("docs", "defaults.csv")
	choices, err := defaults.ReadChoices(filepath.Join("baselines", "defaults.csv"))
	if err != nil {
		return err
	}
	loads, err := defaults.ReadLoads(filepath.Join("baselines", "defaults-runs.csv"))
	if err != nil {
		return err
	}
	var names []string
	for _, e := range schedulers.All() {
		names = append(names, e.Name)
	}
	for _, name := range only {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%q is no scheduler, expected one of %s", name, strings.Join(names, ", "))
		}
	}
	if len(only) == 0 {
		only = names
	}
	all, err := defaults.ReadResults(results)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	replace := func(text string) string { return strings.ReplaceAll(text, "SHARED", shared) }
	var failed []error
	for _, name := range only { // what is done is kept when the next one is stopped
		rows, err := defaults.Measure(ctx, shipped.All().Catalogues, choices, loads, name, replace, os.Stderr)
		failed = append(failed, err)
		all = slices.DeleteFunc(all, func(r defaults.Result) bool { return r.Scheduler == name })
		all = append(all, rows...)
		slices.SortStableFunc(all, func(a, b defaults.Result) int {
			return slices.Index(names, a.Scheduler) - slices.Index(names, b.Scheduler)
		})
		if err := defaults.WriteResults(results, all); err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}
