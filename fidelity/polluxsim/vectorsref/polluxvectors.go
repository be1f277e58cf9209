// Package vectorsref compares Pollux' model and its search with tables of single values. A
// folder holds tables whose names end in
//
//	goodput_points.csv                       times, throughput, efficiency and goodput of points: to 1e-12, relative
//	optimal_batch.csv                        the best batch: samples per step and further steps equal, goodput to 1e-12
//	fit_results.csv, fit_observations.csv    the objective of a fit: at most 1.02 times the stored one
//
// or other tables of the list below. The difference that is shown is relative, of a fit only
// what it is above.
package vectorsref

import (
	"context"
	"fmt"
	"path/filepath"

	"tarry/baselines/fit"
	"tarry/fidelity/reference"
	"tarry/sim/goodput"
)

const (
	closedTol = 1e-12
	fitTol    = 0.02
)

// vectors is a form of table: the end of its name, and how a table that is head before it is
// compared.
type vectors struct {
	name    string
	compare func(o *outcome, f *reference.Folder, head string) error
}

// vectorTables lists the forms.
func vectorTables() []vectors {
	return []vectors{
		{"goodput_points.csv", (*outcome).goodputPoints},
		{"optimal_batch.csv", (*outcome).optimalBatches},
		{"fit_results.csv", (*outcome).throughputFits},
		{"fitness_states.csv", (*outcome).fitnessStates},
		{"repair_states.csv", (*outcome).repairStates},
	}
}

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "pollux-vectors", Knows: isPolluxVectors, Compare: comparePolluxVectors}
}

// outcome gathers how a folder compares.
type outcome struct{ reference.Outcome }

func isPolluxVectors(f *reference.Folder) bool {
	for _, v := range vectorTables() {
		if len(f.Heads(v.name)) > 0 {
			return true
		}
	}
	return false
}

func comparePolluxVectors(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := outcome{reference.Outcome{Unit: "relative"}}
	for _, v := range vectorTables() {
		for _, head := range f.Heads(v.name) {
			if err := v.compare(&o, f, head); err != nil {
				return o.Outcome, err
			}
			if ctx.Err() != nil {
				return o.Outcome, ctx.Err()
			}
		}
	}
	return o.Outcome, nil
}

// line is a row.
type line struct{ reference.Line }

// function is the goodput function of a row, without limits but for the initial batch.
func (l *line) function() goodput.Function {
	return goodput.Function{
		Params: goodput.Params{AlphaC: l.Number("alpha_c"), BetaC: l.Number("beta_c"), AlphaN: l.Number("alpha_n"),
			BetaN: l.Number("beta_n"), AlphaR: l.Number("alpha_r"),
			BetaR: l.Number("beta_r"), Gamma: l.Number("gamma")},
		Noise:  goodput.Noise{Sqr: l.Number("grad_sqr"), Var: l.Number("grad_var")},
		Limits: goodput.Limits{Initial: l.Count("init_batch_size")},
	}
}

// functionColumns are the columns of a row of a goodput function.
func functionColumns(more ...string) []string {
	return append([]string{"init_batch_size", "alpha_c", "beta_c", "alpha_n", "beta_n", "alpha_r", "beta_r", "gamma",
		"grad_sqr", "grad_var"}, more...)
}

func (o *outcome) goodputPoints(f *reference.Folder, head string) error {
	const file = "goodput_points.csv"
	r, err := reference.ReadRows(filepath.Join(f.Dir, head+file), functionColumns("num_nodes", "num_replicas",
		"atomic_bsz",
		"accum_steps", "t_grad", "t_net", "t_optim", "t_iter",
		"throughput", "efficiency", "goodput")...)
	if err != nil {
		return err
	}
	for row := range r.Cells {
		l := line{reference.Line{Rows: r, Row: row}}
		g := l.function()
		nodes, replicas, local, accum := l.Count("num_nodes"), l.Count("num_replicas"), l.Count("atomic_bsz"),
			l.Count("accum_steps")
		grad, net, optim := g.StepTimes(nodes, replicas, local)
		size := float64(replicas * local * (accum + 1))
		x := g.Throughput(nodes, replicas, local, accum)
		off := 0.0
		for _, c := range []struct {
			column string
			got    float64
		}{{"t_grad", grad}, {"t_net", net}, {"t_optim", optim}, {"t_iter", size / x}, {"throughput", x},
			{"efficiency", g.Efficiency(size / float64(g.Initial))},
			{"goodput", g.Goodput(nodes, replicas, local, accum)}} {
			off = worse(off, reference.Apart(c.got, l.Number(c.column)))
		}
		o.Value("points", head+file, row, off, closedTol, l.Err)
	}
	return nil
}

// worse is the larger, or NaN.
func worse(a, b float64) float64 {
	if a >= b {
		return a
	}
	return b
}

func (o *outcome) optimalBatches(f *reference.Folder, head string) error {
	const file = "optimal_batch.csv"
	r, err := reference.ReadRows(filepath.Join(f.Dir, head+file), functionColumns("max_batch_size", "min_local_bsz",
		"max_local_bsz", "accumulation", "num_nodes", "num_replicas",
		"best_atomic_bsz", "best_accum_steps", "best_goodput")...)
	if err != nil {
		return err
	}
	for row := range r.Cells {
		l := line{reference.Line{Rows: r, Row: row}}
		g := l.function()
		g.Max, g.MinLocal, g.MaxLocal, g.Accumulate = l.Count("max_batch_size"), l.Count("min_local_bsz"),
			l.Count("max_local_bsz"), l.Count("accumulation") == 1
		best, local, accum := g.Best(l.Count("num_nodes"), l.Count("num_replicas"))
		if wl, wa := l.Count("best_atomic_bsz"), l.Count("best_accum_steps"); l.Err == nil &&
			(local != wl || accum != wa) {
			l.Err = fmt.Errorf("%d samples and %d further steps, there %d and %d", local, accum, wl, wa)
		}
		o.Value("batches", head+file, row, reference.Apart(best, l.Number("best_goodput")), closedTol, l.Err)
	}
	return nil
}

func (o *outcome) throughputFits(f *reference.Folder, head string) error {
	const file, beside = "fit_results.csv", "fit_observations.csv"
	r, err := reference.ReadRows(filepath.Join(f.Dir, head+file), "case", "observations", "objective")
	if err != nil {
		return err
	}
	seen, err := reference.ReadRows(filepath.Join(f.Dir, head+beside), "case", "num_nodes", "num_replicas", "local_bsz",
		"step_time", "sync_time")
	if err != nil {
		return err
	}
	o.Reads(seen.File)
	obs := map[string][]fit.Observation{}
	for row := range seen.Cells {
		l := line{reference.Line{Rows: seen, Row: row}}
		c := seen.Text(row, "case")
		obs[c] = append(obs[c], fit.Observation{Nodes: l.Count("num_nodes"), Replicas: l.Count("num_replicas"),
			Local: l.Count("local_bsz"), StepS: l.Number("step_time"), SyncS: l.Number("sync_time")})
		if l.Err != nil {
			return l.Err
		}
	}
	for row := range r.Cells {
		l := line{reference.Line{Rows: r, Row: row}}
		mine := obs[r.Text(row, "case")]
		want, n := l.Number("objective"), l.Count("observations")
		_, got, err := fit.Throughput(mine, goodput.Params{})
		switch {
		case l.Err != nil:
			err = l.Err
		case err == nil && len(mine) != n:
			err = fmt.Errorf("%d observations, expected %d", len(mine), n)
		}
		o.Value("fits", head+file, row, max(got/want-1, 0), fitTol, err)
	}
	return nil
}
