package order

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	agents "tarry/agents/registry"
	"tarry/catalogue/shipped"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/order"
	"tarry/env/schedenv"
	"tarry/env/trait"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
	"tarry/run/bounds"
	"tarry/run/evaluate"
	"tarry/run/trial"
)

// vector is an agent that is a vector of parameters of its environment.
type vector []float64

func (x vector) Act([]float64, []float64, []bool, *rand.Rand) error {
	return errors.New("a vector was asked, expected that it plays by itself")
}
func (x vector) Fork() agents.Policy { return x }
func (x vector) Vector() []float64   { return x }

// vectorOf is the vector of one training of order-linear, by the weights that tarry reproduce order
// stores.
func vectorOf(text, setting string, seed uint64) (vector, error) {
	of := map[string]float64{}
	for line := range strings.Lines(text) {
		if f := strings.Split(strings.TrimSpace(line), ","); len(f) == 4 && f[0] == setting &&
			f[1] == strconv.FormatUint(seed, 10) {
			v, err := strconv.ParseFloat(f[3], 64)
			if err != nil {
				return nil, err
			}
			of[f[2]] = v
		}
	}
	e, err := order.Make(simulation.All(), "cluster=1x1x2,windows=1,predicted=true,predict=global")
	if err != nil {
		return nil, err
	}
	on, ok := env.Find[trait.Searchable](e)
	if !ok {
		return nil, errors.New("no parameters")
	}
	var x vector
	for _, p := range on.Parameters() {
		v, found := of[strings.TrimPrefix(p.Name, "ln_")]
		if !found {
			return nil, fmt.Errorf("seed %d of %s has no %s", seed, setting, p.Name)
		}
		if strings.HasPrefix(p.Name, "ln_") {
			v = math.Log(v)
		}
		x = append(x, min(p.Hi, max(p.Lo, v)))
	}
	return x, nil
}

// TestAgain measures the committed weights again, without training, on the windows and beside the
// rows that are stored (docs/results/order.md), and of what the question results has without
// training Tiresias, whose defaults have changed since. Dally was not: what is stored of it must be
// what it does now, or nothing is written.
func TestAgain(t *testing.T) {
	if os.Getenv("TARRY_ORDER_AGAIN") == "" {
		t.Skip("TARRY_ORDER_AGAIN is not set (docs/results/order.md)")
	}
	t.Chdir("../..")
	for _, name := range strings.Fields(os.Getenv("TARRY_ORDER_AGAIN")) {
		dir := filepath.Join("experiments/results/data", name)
		d, err := sweep.OpenData(dir)
		if err != nil {
			t.Fatal(err)
		}
		all, err := sweep.Rows[rows.Eval](context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		a := again{t: t, d: d, at: map[string][]rows.Eval{}}
		if strings.HasPrefix(name, "results-") {
			a.only = []string{"dally", "tiresias"}
		}
		for i := range all {
			a.renew(&all[i])
		}
		all = append(all, a.placebos(all)...)
		slices.SortStableFunc(all, func(x, y rows.Eval) int { return cmp.Compare(a.place(x.Cell), a.place(y.Cell)) })
		if t.Failed() {
			t.FailNow()
		}
		if err := a.write(all); err != nil {
			t.Fatal(err)
		}
	}
}

// again has the rows of cells that were measured again.
type again struct {
	t  *testing.T
	d  *sweep.Data
	at map[string][]rows.Eval
	// only names the schedulers that are measured again; nil = all, and agents.
	only []string
}

// renews reports whether the row of a trained agent, or of a scheduler by hand, is measured again.
func (a *again) renews(r *rows.Eval) bool {
	return a.only == nil || r.Agent == "" && slices.Contains(a.only, r.Policy)
}

// place is the number of a cell.
func (a *again) place(cell string) int {
	i, _ := a.d.Folders[0].Index(cell)
	return i
}

// learned states that the cell of a row holds a training, whose agent is measured again; else it
// holds what must stay.
func (a *again) learned(r *rows.Eval) bool { return strings.Contains(r.Cell, "order-linear") }

// renew puts what is measured now into a row; Dally's must not change.
func (a *again) renew(r *rows.Eval) {
	if !a.renews(r) {
		return
	}
	if a.at[r.Cell] == nil {
		a.at[r.Cell] = a.measure(r)
	}
	if name, old := strings.CutPrefix(r.Policy, "bound:"); old {
		r.Policy = bounds.Hindsight + name
		if name == "best-shape" {
			r.Policy = bounds.Ideal + name
		}
	}
	trained := a.learned(r) && r.Agent != ""
	for i := range a.at[r.Cell] {
		now := &a.at[r.Cell][i]
		switch {
		case now.Replicate != r.Replicate || trained != (now.Agent != "") || !trained && now.Policy != r.Policy:
			continue
		case r.Policy == "dally" && math.Abs(now.JCTMean/r.JCTMean-1) > 1e-12:
			a.t.Errorf("%s, window %d: %s has %v s, stored are %v s", r.Cell, r.Replicate, r.Policy, now.JCTMean,
				r.JCTMean)
		}
		if !trained && math.Abs(now.JCTMean/r.JCTMean-1) > 1e-12 {
			a.t.Logf("%s, window %d: %s has %v s, stored were %v s", r.Cell, r.Replicate, r.Policy, now.JCTMean,
				r.JCTMean)
		}
		r.Summary = now.Summary
		return
	}
	a.t.Errorf("%s, window %d: %s was not measured", r.Cell, r.Replicate, r.Policy)
}

// write puts rows, which are in the order of the cells, in place of the table evals. The manifest
// then lists what is in the folder.
func (a *again) write(all []rows.Eval) error {
	ctx, f := context.Background(), a.d.Folders[0]
	m, err := rows.ReadManifest(f.Dir)
	if err != nil {
		return err
	}
	axes := make([]rows.Axis, 0, len(f.Spec.Axes)+1)
	for _, x := range f.Spec.Axes {
		axis := rows.Axis{Name: x.Name}
		for _, c := range x.Cases {
			axis.Values = append(axis.Values, c.Name)
		}
		axes = append(axes, axis)
	}
	axes = append(axes, rows.Axis{Name: "seed", Values: []string{"1"}}) // whole numbers
	meta := rows.NewMeta(m.Config, "", "(devel)")
	w, err := rows.Create[rows.Eval](ctx, rows.Target{Path: filepath.Join(f.Dir, "evals", "part-0.parquet"),
		Meta: meta, Axes: axes})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i := range all {
		c, ok := a.d.Cell(all[i].Keys)
		if !ok {
			return fmt.Errorf("no cell %s", all[i].Cell)
		}
		values := make([]string, len(axes))
		for k, x := range axes {
			values[k] = c.Axes[x.Name]
		}
		values[len(values)-1] = strconv.FormatUint(c.Seed, 10)
		if err := errors.Join(w.At(values...), w.Append(all[i])); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	var files []string
	for _, file := range m.Files {
		if _, err := os.Stat(filepath.Join(f.Dir, file.Path)); err == nil {
			files = append(files, file.Path)
		}
	}
	return rows.WriteManifest(ctx, f.Dir, meta, files)
}

// placebos are rows that no earlier version had; none where they are there.
func (a *again) placebos(all []rows.Eval) (out []rows.Eval) {
	if slices.ContainsFunc(all, func(r rows.Eval) bool { return strings.HasPrefix(r.Policy, bounds.Placebo) }) {
		return nil
	}
	for cell, list := range a.at {
		for _, r := range list {
			if strings.HasPrefix(r.Policy, bounds.Placebo) {
				r.Experiment, r.Cell = a.d.Folders[0].Spec.Name, cell
				out = append(out, r)
			}
		}
	}
	slices.SortFunc(out, func(x, y rows.Eval) int { return x.Keys.Compare(y.Keys) })
	return out
}

// measure plays the windows of a row's cell under an agent and beside what the cell names.
func (a *again) measure(r *rows.Eval) []rows.Eval {
	c, ok := a.d.Cell(r.Keys)
	if !ok {
		a.t.Fatalf("no cell %s", r.Cell)
	}
	trained, seed := c.Axes["setting"], c.Seed
	if from, _, ok := strings.Cut(c.Axes["pair"], "_to_"); ok {
		trained = from
	}
	how, _ := c.Settings["evaluate"].(map[string]any)
	windows, err := strconv.Atoi(fmt.Sprint(how["windows"]))
	if err != nil {
		a.t.Fatal(err)
	}
	_, options, _ := strings.Cut(fmt.Sprint(c.Settings["env"]), ":")
	if a.only != nil { // any vector plays along, of which nothing is kept
		trained, seed, options = "batch", 1, options+",predict=global"
	}
	q := evaluate.Request{Part: schedenv.Test, Windows: windows, Baselines: texts(how["baselines"]),
		Options: texts(how["set"]), Bounds: fmt.Sprint(how["bounds"]) == "true"}
	switch {
	case a.only != nil:
		q.Baselines = a.only
	case !a.learned(r):
		seed, q.Baselines = 1, append(q.Baselines, a.tuned(r.Cell)...)
	}
	x, err := vectorOf(weights, trained, seed)
	if err != nil {
		a.t.Fatal(err)
	}
	q.Actors = []evaluate.Actor{{Name: "weights", What: "a vector", Env: "tarry/Order-v0:" + options,
		Policy: func(string, *env.Spec) (agents.Policy, string, error) {
			return x, "", nil
		}}}
	s, err := evaluate.Build(shipped.All(), q)
	if err != nil {
		a.t.Fatal(err)
	}
	done, err := trial.Run(context.Background(), s.Trials, trial.Options{Workers: 1})
	if err := errors.Join(err, s.Err()); err != nil {
		a.t.Fatal(err)
	}
	out, err := s.Summarise(done)
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Logf("%s: %d windows", r.Cell, windows)
	return evaluate.Evals(out)
}

// tuned are the schedulers that a cell tuned.
func (a *again) tuned(cell string) (out []string) {
	all, err := sweep.Rows[rows.Eval](context.Background(), a.d)
	if err != nil {
		a.t.Fatal(err)
	}
	for i := range all {
		if r := &all[i]; r.Cell == cell && r.Agent != "" && !slices.Contains(out, r.Policy) {
			out = append(out, r.Policy)
		}
	}
	return out
}

// texts are the texts of a setting that is a list.
func texts(of any) (out []string) {
	some, _ := of.([]any)
	for _, one := range some {
		out = append(out, fmt.Sprint(one))
	}
	return out
}
