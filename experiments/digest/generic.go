package digest

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"tarry/experiments/sweep"
	"tarry/output/results"
)

// Generic draws sweeps of which no question states how: completion times, queueing and
// communication over the first axis that is not the policy's, a series per policy or per value of
// the second axis; completion times of all jobs; and what happened meanwhile where agents were
// trained or schedulers tuned.
func Generic(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	rows, err := sweep.Rows[results.Trial](ctx, d)
	if err != nil {
		return nil, err
	}
	b := NewBook(d, rows)
	b.Training = slices.ContainsFunc(d.Folders, func(f *sweep.Folder) bool { return learned(f.Spec.Kind) })
	evals, err := sweep.Rows[results.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	x, series := genericAxes(d, evals)
	if b.Training {
		b = NewLearned(d, evals, series)
		b.named = series
	}
	metrics := []string{"jct_mean_s", "jct_p99_s", "queue_mean_s", "makespan_s", "comm_frac"}
	if b.Training && len(evals) == 0 { // evaluate was not asked for
		metrics = nil
	}
	for _, m := range metrics {
		metric, err := Find(m)
		if err != nil {
			return nil, err
		}
		b.Means(m, metric.Label, x, series, m, x)
	}
	if !b.Training {
		if err := b.measures(ctx, d, x, series); err != nil {
			return nil, err
		}
		b.CDF(ctx, "jct_cdf", "job completion times", series, "job completion time (h)", nil,
			func(j *results.Job) float64 { return j.JCT / hour })
		figures, err := b.Figures()
		if len(figures) == 0 && noneFinished(rows) {
			err = errNoneFinished
		}
		return figures, err
	}
	curves, err := sweep.Rows[results.Curve](ctx, d)
	if err != nil {
		return nil, err
	}
	tuned, err := sweep.Rows[results.Tune](ctx, d)
	if err != nil {
		return nil, err
	}
	if series == PolicyAxis && x != "" {
		series = x // a line of training for each value
	}
	if len(tuned) > 0 {
		b.Tuning("tuning", "best point so far on training, against the scheduler as it stands", series, tuned)
	}
	if len(curves) == 0 && len(tuned) > 0 {
		return b.Figures()
	}
	b.Curves("return", "return of training", series, "return", curves, nil,
		func(r *results.Curve) float64 { return r.ReturnMean })
	b.Curves("validation", "return on validation", series, "return on validation", curves, nil,
		func(r *results.Curve) float64 { return r.Validation })
	return b.Figures()
}

// genericAxes chooses the axes of figures. Where something was trained or tuned, series are along
// an axis at which baselines stay what they are.
func genericAxes(d *sweep.Data, evals []results.Eval) (x, series string) {
	var names []string
	for _, f := range d.Folders {
		for _, a := range f.Spec.Axes {
			if a.Name != PolicyAxis && a.Optimise == "" && !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	if len(names) == 0 {
		return "", PolicyAxis
	}
	if !slices.ContainsFunc(d.Folders, func(f *sweep.Folder) bool { return learned(f.Spec.Kind) }) {
		return names[0], PolicyAxis
	}
	var moving, still []string
	for _, name := range names {
		if moves(d, evals, name) {
			moving = append(moving, name)
		} else {
			still = append(still, name)
		}
	}
	switch {
	case len(still) == 0:
		return moving[0], PolicyAxis
	case len(moving) > 0:
		return moving[0], still[0]
	case len(still) > 1:
		return still[0], still[1]
	}
	return "", still[0]
}

// moves reports whether baselines meet other jobs, or fare otherwise, at other values of an axis.
func moves(d *sweep.Data, evals []results.Eval, name string) bool {
	first := map[string]results.Eval{}
	for _, r := range evals {
		c, ok := d.Cell(r.Keys)
		if !ok || r.Agent != "" || untrained(r.Policy) {
			continue
		}
		others := maps.Clone(c.Axes)
		delete(others, name)
		// maps are printed in the order of their keys
		k := fmt.Sprint(r.Experiment, "/", r.Policy, "/", r.Replicate, "/", others)
		if have, there := first[k]; !there {
			first[k] = r
		} else if have.WorkloadSHA256 != r.WorkloadSHA256 || have.JCTMean != r.JCTMean {
			return true
		}
	}
	return false
}
