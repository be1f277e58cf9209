package order

import (
	"context"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/env/schedenv/replay"
	"tarry/env/trait"
)

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
	run := replay.Window{Jobs: load.Jobs, Engine: engine}
	w.base = run.Figures()
	return err
}
