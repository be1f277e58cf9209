package order

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tarry/env/schedenv/replay"
	"tarry/env/trait"
	"tarry/sim"
)

// played is a window at the end of its warm-up, and what Dally did with it.
type played struct {
	*replay.Window
	sched  *scheduler // from before the instant's decisions
	policy parametric // in whose memory vectors are played
	warm   sim.Time   // how long Dally decides
	asked  bool       // the window has a question
	base   figures
	waits  []float64 // scratch
}

// figures are the results of one run over a window.
type figures struct{ jctS, queueP99S, slowdown, preemptions float64 }

// Play simulates a window from the end of its warm-up to its last job under a vector. The cost is
// Config.Cost of all its jobs over Config.Reference's.
func (e *Env) Play(ctx context.Context, params []float64, p trait.Part, window int) (trait.Outcome, error) {
	if err := e.check(params); err != nil {
		return trait.Outcome{}, err
	}
	w, err := e.window(ctx, p, window)
	if err != nil {
		return trait.Outcome{}, fmt.Errorf("%s: window %d of part %s: %w", ID, window, p, err)
	}
	if !w.asked {
		return trait.Outcome{}, fmt.Errorf("%s: window %d of part %s: %w", ID, window, p, trait.ErrNoQuestion)
	}
	w.begin()
	w.policy.set(e.cfg, params, w.warm)
	if err := w.Play(ctx, &w.policy); err != nil {
		return trait.Outcome{}, fmt.Errorf("%s: window %d of part %s: %w", ID, window, p, err)
	}
	f := w.figures()
	base := References()[e.cfg.Reference]
	return trait.Outcome{Cost: e.cfg.Cost.over(&f, &w.base), Metrics: []trait.Metric{
		{Name: "jct_s", Value: f.jctS}, {Name: base + "_jct_s", Value: w.base.jctS},
		{Name: "queue_p99_s", Value: f.queueP99S},
		{Name: base + "_queue_p99_s", Value: w.base.queueP99S}, {Name: "slowdown", Value: f.slowdown},
		{Name: base + "_slowdown", Value: w.base.slowdown},
		{Name: "preemptions_per_job", Value: f.preemptions}}}, nil
}

// window finds a window among the windows that are kept, or has it played.
func (e *Env) window(ctx context.Context, p trait.Part, number int) (*played, error) {
	return e.Played.Get(p, number, func() (*played, error) { return e.warm(ctx, p, number) })
}

// warm warms a window up and has Dally and the reference play it.
func (e *Env) warm(ctx context.Context, p trait.Part, number int) (*played, error) {
	of, _ := e.cfg.Of(number)
	w := &played{sched: newScheduler(e.cfg), warm: of.Warm}
	var err error
	if w.Window, err = replay.Open(ctx, &e.cfg.Config, p, number, dallyAlone{w.sched, nil}, w.warm); err != nil {
		return nil, err
	}
	if w.View == nil {
		return nil, fmt.Errorf("%d jobs end within the warm-up of %v: %w", len(w.Jobs), w.warm, trait.ErrNoQuestion)
	}
	w.policy.scheduler = newScheduler(e.cfg)
	w.begin()
	if err := w.Play(ctx, dallyAlone{w.policy.scheduler, &w.asked}); err != nil {
		return nil, err
	}
	w.base = w.figures()
	return w, e.compare(ctx, w, p, number)
}

// begin goes back to the end of the warm-up.
func (w *played) begin() { w.policy.CopyFrom(w.sched) }

// dallyAlone is the base policy without an agent; asked, if not nil, is set at the first question.
type dallyAlone struct {
	*scheduler
	asked *bool
}

// Decide implements sim.Policy.
func (d dallyAlone) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = d.Begin(v, out)
	if d.asked == nil || !*d.asked {
		if d.Ask(v) {
			d.Answer(v, nil)
			if d.asked != nil {
				*d.asked = true
			}
		}
	}
	return d.Finish(v, out)
}

// shortestS bounds the run times of the slowdown from below, in seconds.
const shortestS = 10

// figures reads the results of a run that has ended.
func (w *played) figures() figures {
	f, n := figures{}, float64(len(w.Jobs))
	w.waits = w.waits[:0]
	for j := range w.Jobs {
		r := w.Engine.Record(sim.JobID(j))
		jct := (w.End(sim.JobID(j)) - w.Jobs[j].Submit).Seconds()
		f.jctS += jct / n
		f.slowdown += max(1, jct/max(shortestS, w.Jobs[j].RunTime().Seconds())) / n
		f.preemptions += float64(r.Preemptions) / n
		w.waits = append(w.waits, r.Queue.Seconds())
	}
	slices.Sort(w.waits)
	f.queueP99S = w.waits[int(math.Ceil(0.99*n))-1]
	return f
}
