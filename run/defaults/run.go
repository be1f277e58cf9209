package defaults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"tarry/env/scenario"
	"tarry/internal/fixmath"
	"tarry/internal/stats"
	"tarry/run/config"
	"tarry/run/trial"
)

// Measure runs the flips of a scheduler on its workloads and reports on progress as each is done.
// from has the schedulers and what else the workloads name; replace turns the text of a setting into
// what is read, such as the place of a folder.
func Measure(ctx context.Context, from scenario.Catalogues, choices []Choice, loads []Load, scheduler string,
	replace func(string) string, progress io.Writer) ([]Result, error) {
	flips := of(choices, scheduler)
	if len(flips) == 0 {
		return nil, nil
	}
	var out []Result
	var errs []error
	for _, l := range loadsOf(loads, scheduler) {
		rows, err := one(ctx, from, scheduler, flips, l, replace)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s on %s: %w", scheduler, l.Name, err))
		}
		out = append(out, rows...)
		fmt.Fprintf(progress, "%s on %s: %d rows\n", scheduler, l.Name, len(rows))
	}
	return out, errors.Join(errs...)
}

// one runs a scheduler and its flips on a workload.
func one(ctx context.Context, from scenario.Catalogues, name string, choices []Choice, l Load,
	replace func(string) string) ([]Result, error) {
	c := config.Default()
	settings := map[string]any{}
	for key, v := range l.Settings {
		if text, is := v.(string); is {
			v = replace(text)
		}
		settings[key] = v
	}
	if err := config.FromSettings("workload "+l.Name, settings,
		func(string) string { return "" }).Apply(&c); err != nil {
		return nil, err
	}
	var rows []Result
	c.Policies = nil
	for _, choice := range choices {
		for _, flip := range choice.Flips {
			rows = append(rows, Result{Scheduler: name, Flip: flip, Source: choice.Source, Workload: l.Name})
			base, flipped := specs(name, flip)
			for _, spec := range []string{base, flipped} {
				if !slices.Contains(c.Policies, spec) {
					c.Policies = append(c.Policies, spec)
				}
			}
		}
	}
	s, err := config.BuildKept(ctx, c, &scenario.Kept{From: from})
	if err != nil {
		return nil, err
	}
	results, err := trial.Run(ctx, s.Trials(), trial.Options{})
	if err != nil {
		return nil, err
	}
	byPolicy := map[string][]*trial.Result{}
	for _, r := range results {
		byPolicy[r.Row.Policy] = append(byPolicy[r.Row.Policy], r)
	}
	for i := range rows {
		base, flipped := specs(name, rows[i].Flip)
		if err := rows[i].compare(byPolicy[base], byPolicy[flipped]); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// compare fills a row from the replicates of the default and of the flip.
func (r *Result) compare(base, flip []*trial.Result) error {
	if len(base) == 0 || len(base) != len(flip) {
		return fmt.Errorf("%s: %d replicates, of the default %d", r.Flip, len(flip), len(base))
	}
	var a, b, change []float64
	for i := range base {
		both := trial.Common([]*trial.Result{base[i], flip[i]})
		if trial.Count(both) == 0 {
			return fmt.Errorf("%s: no job ends in replicate %d with and without it", r.Flip, i)
		}
		a, b = append(a, base[i].MeanOver(both)), append(b, flip[i].MeanOver(both))
	}
	r.Replicates, r.Default, r.Flipped = len(a), stats.Mean(a), stats.Mean(b)
	for i := range a {
		change = append(change, math.Log(b[i]/a[i]))
	}
	iv := stats.Student(change)
	percent := func(x float64) float64 { return 100 * (fixmath.Exp(x) - 1) }
	r.Change, r.Lo, r.Hi = percent(iv.Point), percent(iv.Lo), percent(iv.Hi)
	return nil
}
