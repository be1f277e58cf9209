package reference

import (
	"context"
	"math"

	"tarry/run/config"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/speed"
)

// life is what became of one job, in seconds; NaN where it never came to that.
type life struct {
	submit, start, end, queue float64
	preemptions               int
}

// simulate runs the one policy of a configuration, as tarry simulate does, and gives the lives of
// its jobs by their names in the trace. obs look on.
func (f *Folder) simulate(ctx context.Context, c config.Config, obs ...sim.Observer) (map[string]life, error) {
	e, _, w, err := f.drive(ctx, c, obs...)
	if err != nil {
		return nil, err
	}
	return lives(e, w), nil
}

// drive runs the one policy of a configuration and gives the run at its end.
func (f *Folder) drive(ctx context.Context, c config.Config, obs ...sim.Observer) (*sim.Engine, sim.Policy,
	*sim.Workload, error) {
	s, err := config.Build(c, f.From)
	if err != nil {
		return nil, nil, nil, err
	}
	t := s.Trials()[0]
	p, err := t.Policy()
	if err != nil {
		return nil, nil, nil, err
	}
	speed, err := t.Speed()
	if err != nil {
		return nil, nil, nil, err
	}
	e, err := sim.Run(ctx, sim.Config{Workload: t.Workload, Topology: t.Topology, Speed: speed, Costs: t.Costs,
		ModelBytes: t.ModelBytes, Estimate: t.Estimate, History: t.History, Outages: t.Outages, Until: t.Until,
		MarkEvery: t.MarkEvery}, p, obs...)
	return e, p, t.Workload, err
}

// run runs a policy at counting speeds, without costs. set, unless nil, changes the policy before.
func (f *Folder) run(ctx context.Context, w *sim.Workload, top *cluster.Topology, spec string,
	set func(sim.Policy)) (map[string]life, error) {
	return f.runAt(ctx, w, top, spec, speed.NewCounting(top, nil), set)
}

// runAt is run at other speeds.
func (f *Folder) runAt(ctx context.Context, w *sim.Workload, top *cluster.Topology, spec string, at sim.SpeedModel,
	set func(sim.Policy)) (map[string]life, error) {
	_, build, err := f.From.Policies.Parse(spec, cluster.BestFit)
	if err != nil {
		return nil, err
	}
	p, err := build()
	if err != nil {
		return nil, err
	}
	if set != nil {
		set(p)
	}
	e, err := sim.Run(ctx, sim.Config{Workload: w, Topology: top, Speed: at}, p)
	if err != nil {
		return nil, err
	}
	return lives(e, w), nil
}

// lives gives the lives of the jobs of a run by their names.
func lives(e *sim.Engine, w *sim.Workload) map[string]life {
	out := make(map[string]life, len(w.Jobs))
	for i := range w.Jobs {
		r := e.Record(sim.JobID(i))
		out[w.Jobs[i].ID] = life{w.Jobs[i].Submit.Seconds(), seconds(r.Start), seconds(r.End), r.Queue.Seconds(),
			int(r.Preemptions)}
	}
	return out
}

func seconds(t sim.Time) float64 {
	if t == sim.Never {
		return math.NaN()
	}
	return t.Seconds()
}
