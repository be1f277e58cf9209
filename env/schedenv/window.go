package schedenv

import (
	"context"
	"fmt"

	"tarry/env/schedenv/charge"
	"tarry/sim"
)

// window is a workload at the end of its warm-up, from which any number of episodes start.
type window struct {
	number int
	jobs   []sim.Job
	engine *sim.Engine
	// view is of the instant at which episodes begin; state and sched are from before its
	// decisions.
	view  *sim.View
	state *sim.Snapshot
	sched Scheduler
	base  curve
	// slowdown is the mean bounded slowdown of the window under the base policy, with the reward gain.
	slowdown float64
	// energy is the account of the run, drawn the account at that instant.
	energy, drawn *charge.Account
}

// windows keeps the warm states that were used last.
type windows struct {
	cfg   *Config
	fresh func() Scheduler
	kept  Kept[*window]
	speed []sim.SpeedModel // by regime
}

// model is the speed model of the next window. One that keeps no account of running jobs is used
// again, with the prices that it has worked out.
func (ws *windows) model(window int) (m sim.SpeedModel, err error) {
	n := max(1, len(ws.cfg.Regimes))
	if ws.speed == nil {
		ws.speed = make([]sim.SpeedModel, n)
	}
	known := &ws.speed[window%n]
	if _, coupled := (*known).(sim.Coupled); *known != nil && !coupled {
		return *known, nil
	}
	of, _ := ws.cfg.Of(window)
	*known, err = of.Speed()
	return *known, err
}

func (ws *windows) get(i int) (*window, error) {
	if n := ws.cfg.Source.Windows(ws.cfg.Part); i < 0 || i >= n {
		return nil, fmt.Errorf("window %d of part %s, expected 0..%d", i, ws.cfg.Part, n-1)
	}
	w, err := ws.kept.Get(ws.cfg.Part, i, func() (*window, error) { return ws.warm(i) })
	if err != nil {
		return nil, fmt.Errorf("window %d of part %s: %w", i, ws.cfg.Part, err)
	}
	return w, nil
}

// warm runs a window under the base policy up to the first instant at or after the warm-up's end.
func (ws *windows) warm(i int) (*window, error) {
	load, err := ws.cfg.Source.Window(ws.cfg.Part, i)
	if err != nil {
		return nil, err
	}
	speed, err := ws.model(i)
	if err != nil {
		return nil, err
	}
	cfg, err := ws.cfg.run(i, load, speed)
	if err != nil {
		return nil, err
	}
	of, _ := ws.cfg.Of(i)
	w, warm := &window{number: i, jobs: load.Jobs, sched: ws.fresh()}, of.Warm
	if w.energy, err = of.account(); err != nil {
		return nil, err
	}
	e, err := sim.New(cfg, w.energy.Observers()...)
	if err != nil {
		return nil, err
	}
	w.engine = e
	e.Permit(w.sched.Knows())
	err = e.Drive(context.Background(), Alone{Scheduler: w.sched}, func(v *sim.View) (bool, error) {
		if v.Now() < warm {
			return true, nil
		}
		w.view, w.state = v, e.Snapshot()
		w.drawn = w.energy.Copy()
		return false, nil
	})
	switch {
	case err != nil:
		return nil, err
	case w.view == nil:
		return nil, fmt.Errorf("%d jobs end within the warm-up of %v, expected some after it", len(load.Jobs), warm)
	case ws.cfg.Reward.Kind == "relative" || ws.cfg.Reward.Kind == "gain":
		return w, w.runBase()
	}
	return w, nil
}

// runBase notes the jobs in the system when the base policy decides the rest of the window, and their
// slowdowns.
func (w *window) runBase() error {
	p := noting{Alone{Scheduler: w.sched.Clone()}, &w.base}
	if err := w.engine.Apply(p.Decide(w.view, nil)); err != nil {
		return err
	}
	err := w.engine.Drive(context.Background(), p, nil)
	for j := range w.jobs {
		job := &w.jobs[j]
		if r := w.engine.Record(sim.JobID(j)); r.End != sim.Never {
			ideal := max(shortest, job.Work/sim.Time(job.GPUs))
			least := 1.0
			if r.State == sim.Rejected {
				least = 0
			}
			w.slowdown += max(least, float64(r.End-job.Submit)/float64(ideal)) / float64(len(w.jobs))
		}
	}
	return err
}

// noting is a base policy whose jobs in the system are noted after each of its decisions: who is
// rejected has left.
type noting struct {
	Alone
	in *curve
}

func (n noting) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	from := len(out)
	out = n.Alone.Decide(v, out)
	in := v.Waiting() + v.Draining() + len(v.Running())
	for i := range out[from:] {
		if out[from+i].Kind == sim.Reject {
			in--
		}
	}
	n.in.add(v.Now(), int64(in))
	return out
}
