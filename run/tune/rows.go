package tune

import (
	"fmt"
	"math"
	"strings"

	"tarry/env/schedenv"
	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/sim/param"
)

// table makes the rows of all that was measured, in order.
type table struct {
	r    *run
	rows []results.Tune
	keys results.Keys
	told map[place]bool // counted already
	best float64
}

// rows makes the table anew from the log.
func (r *run) rows() []results.Tune {
	_, options, _ := strings.Cut(r.plan.cfg.Env, ":")
	at := param.Parse("", options)
	t := &table{r: r, told: map[place]bool{}, best: math.NaN(), keys: results.Keys{Trace: at.Text("trace", ""),
		Cluster: at.Text("cluster", "4x4x8"), Speed: at.Text("speed", "tiers"), Placement: "best-fit",
		Seed: r.plan.cfg.Seed}}
	if t.keys.Trace == "" {
		t.keys.Trace = fmt.Sprintf("synth:%s,load=%g", at.Text("workload", "poisson"), at.Float("load", 0.9, 0, 1e9))
	}
	c := r.plan.cfg
	t.add("reference", -1, c.Policy, "", schedenv.Train, 0, c.Windows)
	for _, k := range r.opt.Known() {
		t.add("search", k.Batch, r.plan.spec(k.X), r.plan.settings(k.X), schedenv.Train, k.From, k.To)
	}
	for _, k := range r.chosen {
		t.add("validation", -1, k.Policy, k.Params, schedenv.Validation, 0, c.Validation)
	}
	return t.rows
}

// add makes one row.
func (t *table) add(stage string, batch int, spec, params string, part schedenv.Part, from, to int) {
	b, c := t.r.bench, t.r.plan.cfg
	at := b.places(spec, part, from, to)
	k := t.keys
	k.Policy = spec
	row := results.Tune{Keys: k, Optimiser: c.Optimiser, Stage: stage, Step: int64(len(t.rows)), Batch: int64(batch),
		Params: params, Metric: c.Metric,
		WindowFrom: int64(from), Windows: int64(to - from), Mean: stats.Mean(b.values(at)),
		Cost: t.r.cost(spec, part, from, to), DiffSE: math.NaN()}
	if n := len(t.rows); n > 0 {
		row.Jobs, row.Sims = t.rows[n-1].Jobs, t.rows[n-1].Sims
	}
	for _, p := range append(at, t.r.beside(part, from, to)...) {
		if o := b.memo[p]; !t.told[p] {
			t.told[p] = true
			row.Jobs += int64(o.jobs)
			row.Sims += int64(o.sims)
		}
	}
	diff := t.r.relative(spec, part, from, to)
	row.Diff = stats.Mean(diff)
	if len(diff) > 1 {
		row.DiffSE = math.Sqrt(stats.Variance(diff) / float64(len(diff)))
	}
	if math.IsInf(row.Diff, 0) || math.IsNaN(row.Diff) {
		row.Diff, row.DiffSE = math.Inf(1), math.NaN()
	}
	if stage == "search" && to-from == c.Windows && !(t.best <= row.Diff) {
		t.best = row.Diff
	}
	row.Best = t.best
	t.rows = append(t.rows, row)
}

// relative is the difference on each window over the reference's mean.
func relative(x, ref []float64, scale float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = (x[i] - ref[i]) / scale
	}
	return out
}
