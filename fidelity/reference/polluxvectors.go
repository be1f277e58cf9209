package reference

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"tarry/baselines/fit"
	"tarry/sim/goodput"
)

// Vectors of Pollux' model. A folder holds tables whose names end in
//
//	goodput_points.csv                       times, throughput, efficiency and goodput of points: to 1e-12, relative
//	optimal_batch.csv                        the best batch: samples per step and further steps equal, goodput to 1e-12
//	fit_results.csv, fit_observations.csv    the objective of a fit: at most 1.02 times the stored one
//
// or other tables of the list below. The difference that is shown is relative, of a fit only what
// it is above.
const (
	closedTol = 1e-12
	fitTol    = 0.02
)

// vectors is a form of table: the end of its name, and how a table that is head before it is
// compared.
type vectors struct {
	name    string
	compare func(o *Outcome, f *Folder, head string) error
}

// vectorTables lists the forms.
func vectorTables() []vectors {
	return []vectors{
		{"goodput_points.csv", (*Outcome).goodputPoints},
		{"optimal_batch.csv", (*Outcome).optimalBatches},
		{"fit_results.csv", (*Outcome).throughputFits},
		{"fitness_states.csv", (*Outcome).fitnessStates},
		{"repair_states.csv", (*Outcome).repairStates},
	}
}

// heads gives what stands before name in the names of the files that end in it.
func heads(f *Folder, name string) (out []string) {
	for _, file := range f.Files {
		if head, ok := strings.CutSuffix(file, name); ok {
			out = append(out, head)
		}
	}
	return out
}

func isPolluxVectors(f *Folder) bool {
	for _, v := range vectorTables() {
		if len(heads(f, v.name)) > 0 {
			return true
		}
	}
	return false
}

func comparePolluxVectors(ctx context.Context, f *Folder) (Outcome, error) {
	o := Outcome{Unit: "relative"}
	for _, v := range vectorTables() {
		for _, head := range heads(f, v.name) {
			if err := v.compare(&o, f, head); err != nil {
				return o, err
			}
			if ctx.Err() != nil {
				return o, ctx.Err()
			}
		}
	}
	return o, nil
}

// value counts one thing that is off by a part and may be off by most, or could not be computed.
func (o *Outcome) value(kind, file string, row int, off, most float64, err error) {
	if !(off <= o.Worst) {
		o.Worst = off
	}
	if err == nil && !(off <= most) {
		err = fmt.Errorf("off by %.3g", off)
	}
	if o.One(kind, file, err == nil); err != nil {
		o.Short = append(o.Short, fmt.Sprintf("%s: row %d: %v", file, row+1, err))
	}
}

// apart is how far a number is from another, relative to it.
func apart(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Abs(want)
}

// line reads numbers of one row; the first that is none is kept.
type line struct {
	r   *Rows
	row int
	err error
}

func (l *line) number(column string) float64 {
	x, err := l.r.Number(l.row, column)
	if err != nil && l.err == nil {
		l.err = err
	}
	return x
}

// count is a whole number.
func (l *line) count(column string) int {
	x := l.number(column)
	if l.err == nil && (x != math.Trunc(x) || math.Abs(x) > 1e9) {
		l.err = fmt.Errorf("%s: row %d: %s is %v, expected a whole number", l.r.File, l.row+1, column, x)
	}
	return int(x)
}

// function is the goodput function of a row, without limits but for the initial batch.
func (l *line) function() goodput.Function {
	return goodput.Function{
		Params: goodput.Params{AlphaC: l.number("alpha_c"), BetaC: l.number("beta_c"), AlphaN: l.number("alpha_n"),
			BetaN: l.number("beta_n"), AlphaR: l.number("alpha_r"),
			BetaR: l.number("beta_r"), Gamma: l.number("gamma")},
		Noise:  goodput.Noise{Sqr: l.number("grad_sqr"), Var: l.number("grad_var")},
		Limits: goodput.Limits{Initial: l.count("init_batch_size")},
	}
}

// functionColumns are the columns of a row of a goodput function.
func functionColumns(more ...string) []string {
	return append([]string{"init_batch_size", "alpha_c", "beta_c", "alpha_n", "beta_n", "alpha_r", "beta_r", "gamma",
		"grad_sqr", "grad_var"}, more...)
}

func (o *Outcome) goodputPoints(f *Folder, head string) error {
	const file = "goodput_points.csv"
	r, err := ReadRows(filepath.Join(f.Dir, head+file), functionColumns("num_nodes", "num_replicas", "atomic_bsz",
		"accum_steps", "t_grad", "t_net", "t_optim", "t_iter",
		"throughput", "efficiency", "goodput")...)
	if err != nil {
		return err
	}
	for row := range r.Cells {
		l := line{r: r, row: row}
		g := l.function()
		nodes, replicas, local, accum := l.count("num_nodes"), l.count("num_replicas"), l.count("atomic_bsz"),
			l.count("accum_steps")
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
			off = worse(off, apart(c.got, l.number(c.column)))
		}
		o.value("points", head+file, row, off, closedTol, l.err)
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

func (o *Outcome) optimalBatches(f *Folder, head string) error {
	const file = "optimal_batch.csv"
	r, err := ReadRows(filepath.Join(f.Dir, head+file), functionColumns("max_batch_size", "min_local_bsz",
		"max_local_bsz", "accumulation", "num_nodes", "num_replicas",
		"best_atomic_bsz", "best_accum_steps", "best_goodput")...)
	if err != nil {
		return err
	}
	for row := range r.Cells {
		l := line{r: r, row: row}
		g := l.function()
		g.Max, g.MinLocal, g.MaxLocal, g.Accumulate = l.count("max_batch_size"), l.count("min_local_bsz"),
			l.count("max_local_bsz"), l.count("accumulation") == 1
		best, local, accum := g.Best(l.count("num_nodes"), l.count("num_replicas"))
		if wl, wa := l.count("best_atomic_bsz"), l.count("best_accum_steps"); l.err == nil &&
			(local != wl || accum != wa) {
			l.err = fmt.Errorf("%d samples and %d further steps, there %d and %d", local, accum, wl, wa)
		}
		o.value("batches", head+file, row, apart(best, l.number("best_goodput")), closedTol, l.err)
	}
	return nil
}

func (o *Outcome) throughputFits(f *Folder, head string) error {
	const file, beside = "fit_results.csv", "fit_observations.csv"
	r, err := ReadRows(filepath.Join(f.Dir, head+file), "case", "observations", "objective")
	if err != nil {
		return err
	}
	seen, err := ReadRows(filepath.Join(f.Dir, head+beside), "case", "num_nodes", "num_replicas", "local_bsz",
		"step_time", "sync_time")
	if err != nil {
		return err
	}
	o.Reads(seen.File)
	obs := map[string][]fit.Observation{}
	for row := range seen.Cells {
		l := line{r: seen, row: row}
		c := seen.Text(row, "case")
		obs[c] = append(obs[c], fit.Observation{Nodes: l.count("num_nodes"), Replicas: l.count("num_replicas"),
			Local: l.count("local_bsz"), StepS: l.number("step_time"), SyncS: l.number("sync_time")})
		if l.err != nil {
			return l.err
		}
	}
	for row := range r.Cells {
		l := line{r: r, row: row}
		mine := obs[r.Text(row, "case")]
		want, n := l.number("objective"), l.count("observations")
		_, got, err := fit.Throughput(mine, goodput.Params{})
		switch {
		case l.err != nil:
			err = l.err
		case err == nil && len(mine) != n:
			err = fmt.Errorf("%d observations, expected %d", len(mine), n)
		}
		o.value("fits", head+file, row, max(got/want-1, 0), fitTol, err)
	}
	return nil
}
