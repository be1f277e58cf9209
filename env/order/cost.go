package order

import (
	"context"
	"math"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/env/schedenv/replay"
	"tarry/env/trait"
)

// Cost is what Play compares.
type Cost uint8

// The costs.
const (
	// ByJCT is the mean completion time.
	ByJCT Cost = iota
	// ByBSLD is the mean bounded slowdown, with 10 s.
	ByBSLD
	// ByBoth is the root of the product of the two ratios: long jobs decide about the first, short
	// ones about the second.
	ByBoth
)

// Costs are how users write them: Costs()[c] is Cost c.
func Costs() []string { return []string{"jct", "bsld", "both"} }

// Reference is whom a vector is compared with, on the same window.
type Reference uint8

// The references.
const (
	// LeasedDally is Dally with leases, even where the agent has none.
	LeasedDally Reference = iota
	// RequestEASY is EASY by users' requests: Dally's contest in the order of arrival, without
	// leases, behind a reservation. It alone schedules the jobs, from the first on.
	RequestEASY
)

// References are how users write them: References()[r] is Reference r.
func References() []string { return []string{"dally", "easy"} }

// over is the cost of a run beside the reference's cost.
func (c Cost) over(f, base *figures) float64 {
	jct, slow := f.jctS/base.jctS, f.slowdown/base.slowdown
	switch c {
	case ByBSLD:
		return slow
	case ByBoth:
		return math.Sqrt(float64(jct * slow))
	}
	return jct
}

// compare has the reference play a window.
func (e *Env) compare(ctx context.Context, w *played, p trait.Part, number int) error {
	d := e.cfg.dallyConfig()
	switch {
	case e.cfg.Reference == RequestEASY:
		d.Order, d.TiesBySubmit, d.NoLease, d.Backfill = contest.FirstCome(), true, true, contest.ByRequest
		d.Auto, d.RackLeases, d.NetLeases = false, 0, 0
	case d.NoLease:
		d.NoLease, d.Backfill = false, contest.NoBackfill
	default: // it has played the window
		return nil
	}
	engine, load, err := e.cfg.Engine(p, number)
	if err != nil {
		return err
	}
	reference := dally.NewPolicy(d, nil)
	engine.Permit(reference.Knows())
	err = engine.Drive(ctx, reference, nil)
	run := played{Window: &replay.Window{Jobs: load.Jobs, Engine: engine}}
	w.base = run.figures()
	return err
}
