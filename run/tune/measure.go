package tune

import (
	"context"
	"math"

	"tarry/env/schedenv"
	"tarry/output/results"
	"tarry/run/trial"
	"tarry/sim"
)

// place is a policy on a window of a part.
type place struct {
	spec   string
	part   schedenv.Part
	window int
}

// outcome is what a simulation gave.
type outcome struct {
	value float64 // of the metric; +Inf when jobs were left or the policy refuses its settings
	jobs  int     // simulated
	sims  int     // 0 when nothing had to be run
}

// bench measures policies and remembers what it measured.
type bench struct {
	plan *plan
	memo map[place]outcome
	// loads keeps the windows that are asked for again and again.
	loads map[place]*sim.Workload
	opt   Options
	// ran is called after each simulation, one call at a time.
	ran func()
}

// begin chooses the predictor where one is chosen, and measures the policies beside the candidates on the
// windows of training.
func (r *run) begin(ctx context.Context) error {
	c := r.plan.cfg
	if _, err := r.plan.on.Choices(ctx, c.Policy); err != nil {
		return err
	}
	return r.bench.measure(ctx, r.beside(schedenv.Train, 0, c.Windows))
}

// measure runs what is not known yet of a list; the result does not depend on the number of
// workers.
func (b *bench) measure(ctx context.Context, all []place) error {
	var trials []trial.Trial
	var of []place
	under := map[place]bool{}
	for _, at := range all {
		if _, done := b.memo[at]; done || under[at] {
			continue
		}
		fresh, err := b.plan.policy(at.spec)
		if err != nil { // the ranges were checked: values that do not go together
			b.memo[at] = outcome{value: math.Inf(1)}
			continue
		}
		w, err := b.window(at.part, at.window)
		if err != nil {
			return err
		}
		under[at] = true
		on := &b.plan.on
		predictor, err := on.Predicted(at.part, at.window, b.plan.cfg.Policy)
		if err != nil {
			return err
		}
		of = append(of, at)
		trials = append(trials, trial.Trial{Keys: results.Keys{Policy: at.spec, Replicate: int64(at.window)},
			Config: at.spec, WorkloadSHA256: "-",
			Workload: w, Topology: on.Topology, Policy: fresh, Speed: on.Speed, Costs: on.Costs,
			ModelBytes: on.ModelBytes, MarkEvery: on.MarkEvery, Power: on.Power, Services: on.Services,
			Operator: on.Operator, Predictor: predictor, History: trial.History(w),
			Outages: on.Failures(at.part, at.window)})
	}
	got, err := trial.Run(ctx, trials, trial.Options{Workers: b.opt.Workers, Done: func(int, *trial.Result, error) {
		if b.ran != nil {
			b.ran()
		}
	}})
	if err != nil {
		return err
	}
	for i, r := range got {
		v := metric(b.plan.cfg.Metric, &r.Row.Summary)
		if r.Row.Unfinished > 0 || r.Row.Rejected > 0 || math.IsNaN(v) {
			v = math.Inf(1)
		}
		b.memo[of[i]] = outcome{v, int(r.Row.Jobs), 1}
	}
	return nil
}

// window gives the jobs of a window; windows that every point is measured on are made once.
func (b *bench) window(part schedenv.Part, i int) (*sim.Workload, error) {
	at := place{part: part, window: i}
	if w := b.loads[at]; w != nil {
		return w, nil
	}
	w, err := b.plan.on.Source.Window(part, i)
	if err == nil && i < max(b.plan.cfg.Windows, b.plan.cfg.Validation) {
		b.loads[at] = w
	}
	return w, err
}

// places lists a policy on some windows. Windows beyond the part's begin again.
func (b *bench) places(spec string, part schedenv.Part, from, to int) []place {
	n := b.plan.on.Source.Windows(part)
	out := make([]place, 0, to-from)
	for w := from; w < to; w++ {
		out = append(out, place{spec, part, w % n})
	}
	return out
}

// values gives what was measured.
func (b *bench) values(all []place) []float64 {
	out := make([]float64, len(all))
	for i, at := range all {
		out[i] = b.memo[at].value
	}
	return out
}
