package trial

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/law"
	"tarry/sim/tenant"
)

// alike is how much longer a job may wait in the shared cluster before that counts as an anomaly:
// less is a matter of rounding.
const alike = sim.Second

// private runs the jobs of each virtual cluster with a quota alone on a cluster of its quota, under
// the same policy, and states how much longer they wait in the shared cluster: the sharing anomaly
// of HiveD (Zhao et al., OSDI 2020).
func (t *Trial) private(ctx context.Context, shared *lives) ([]results.Measure, error) {
	var rows []results.Measure
	var all anomaly
	for i := range t.Owners.Len() {
		who := t.Owners.At(i)
		ids := t.jobsOf(who.VC)
		if who.GPUs == 0 || len(ids) == 0 {
			continue
		}
		a, err := t.alone(ctx, who, ids, shared)
		if err != nil {
			return nil, fmt.Errorf("the private cluster of %s (%d GPUs): %w", who.VC, who.GPUs, err)
		}
		rows = a.rows(t, rows, who.VC)
		all.add(a)
	}
	if len(rows) > 0 {
		rows = all.rows(t, rows, "")
	}
	return rows, nil
}

func (t *Trial) jobsOf(vc string) (ids []sim.JobID) {
	for i := range t.Workload.Jobs {
		if t.Workload.Jobs[i].VC == vc {
			ids = append(ids, sim.JobID(i))
		}
	}
	return ids
}

// alone runs a tenant's jobs on its own cluster.
func (t *Trial) alone(ctx context.Context, who tenant.Tenant, ids []sim.JobID, shared *lives) (*anomaly, error) {
	jobs := make([]sim.Job, len(ids))
	for k, id := range ids {
		jobs[k] = t.Workload.Jobs[id]
	}
	w, err := sim.NewWorkload(t.Workload.Name, jobs) // of the same order, so that ids translate its numbers
	if err != nil {
		return nil, err
	}
	top, draws, speed, err := t.Private(who.GPUs)
	if err != nil {
		return nil, err
	}
	cfg := sim.Config{Workload: w, Topology: top, Costs: t.Costs, ModelBytes: t.ModelBytes, History: t.History,
		Until: t.Until, MarkEvery: t.MarkEvery, Power: draws, Check: t.Check}
	if cfg.Speed, err = speed(); err != nil {
		return nil, err
	}
	if cfg.Tenants, err = tenant.New([]tenant.Tenant{who}); err != nil {
		return nil, err
	}
	if t.Estimate != nil {
		cfg.Estimate = func(id sim.JobID) sim.Time { return t.Estimate(ids[id]) }
	}
	if t.Predictor != nil {
		cfg.Predictor = translated{t.Predictor, ids}
	}
	p, err := t.Policy()
	if err != nil {
		return nil, err
	}
	held := entry.Hold(ctx, p)
	defer held.Close()
	seen := waits{at: make([]sim.Time, len(ids))}
	if _, err := sim.Run(ctx, cfg, p, &seen); err != nil {
		return nil, held.Explain(err)
	}
	a := &anomaly{unfit: seen.unfit}
	for k, id := range ids {
		// done in both; NaN is not
		if s := shared.queue.at(int(id)); seen.at[k] >= 0 && shared.jct[id] == shared.jct[id] {
			a.count(s, seen.at[k].Seconds())
		}
	}
	return a, nil
}

// translated is a predictor of the run for a part of its jobs.
type translated struct {
	sim.Predictor
	ids []sim.JobID
}

func (t translated) Predict(id sim.JobID, j *sim.Job) law.Law {
	return t.Predictor.Predict(t.ids[id], j)
}
func (t translated) Ended(id sim.JobID, j *sim.Job, run sim.Time) {
	t.Predictor.Ended(t.ids[id], j, run)
}
func (t translated) Clone() sim.Predictor { return translated{t.Predictor.Clone(), t.ids} }

// waits keeps how long each job waits; -1 = it is not done.
type waits struct {
	at    []sim.Time
	unfit int
}

func (w *waits) Interval(*sim.Interval) {}
func (w *waits) Instant(*sim.Gauge)     {}
func (w *waits) Job(r *sim.Record) {
	switch w.at[r.Job] = -1; r.State {
	case sim.Done:
		w.at[r.Job] = r.Queue
	case sim.Refused:
		w.unfit++
	}
}

// anomaly compares waits in the shared cluster with waits in a private one, in seconds.
type anomaly struct {
	alone, excess, saved []float64
	later, unfit         int
}

func (a *anomaly) count(shared, alone float64) {
	a.alone = append(a.alone, alone)
	a.excess = append(a.excess, max(0, shared-alone))
	a.saved = append(a.saved, max(0, alone-shared))
	if shared > alone+alike.Seconds() {
		a.later++
	}
}

func (a *anomaly) add(o *anomaly) {
	a.alone, a.excess, a.saved = append(a.alone, o.alone...), append(a.excess, o.excess...), append(a.saved, o.saved...)
	a.later, a.unfit = a.later+o.later, a.unfit+o.unfit
}

// rows reports it of one tenant, or of all.
func (a *anomaly) rows(t *Trial, rows []results.Measure, of string) []results.Measure {
	for _, x := range [][]float64{a.alone, a.excess, a.saved} {
		slices.Sort(x) // so that a sum does not depend on the order of tenants
	}
	say := func(name, unit string, v float64) {
		rows = append(rows, results.Measure{Keys: t.Keys, Name: name, Of: of, Unit: unit, Value: v})
	}
	say("anomaly_frac", "0..1", part(a.later, len(a.alone)))
	say("excess_queue_mean_s", "s", stats.Mean(a.excess))
	say("excess_queue_max_s", "s", stats.Quantile(a.excess, 1))
	say("saved_queue_mean_s", "s", stats.Mean(a.saved))
	say("private_queue_mean_s", "s", stats.Mean(a.alone))
	say("private_unfit_jobs", "jobs", float64(a.unfit))
	return rows
}

// part is n of all, NaN of none.
func part(n, all int) float64 {
	if all == 0 {
		return math.NaN()
	}
	return float64(n) / float64(all)
}
