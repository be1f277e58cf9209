package reference

import (
	"context"
	"math"

	"tarry/run/config"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/speed"
)

// Life is what became of one job, in seconds; NaN where it never came to that.
type Life struct {
	// Submit, Start and End are instants, Queue is the time spent waiting.
	Submit, Start, End, Queue float64
	// Preemptions counts how often its GPUs were taken away.
	Preemptions int
}

// Simulate runs the one policy of a configuration, as tarry simulate does, and gives the lives of
// its jobs by their names in the trace. obs look on.
func (f *Folder) Simulate(ctx context.Context, c config.Config, obs ...sim.Observer) (map[string]Life, error) {
	e, _, w, err := f.Drive(ctx, c, obs...)
	if err != nil {
		return nil, err
	}
	return Lives(e, w), nil
}

// Drive runs the one policy of a configuration and gives the run at its end.
func (f *Folder) Drive(ctx context.Context, c config.Config, obs ...sim.Observer) (*sim.Engine, sim.Policy,
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

// Play runs a policy at counting speeds, without costs. set, unless nil, changes the policy before.
func (f *Folder) Play(ctx context.Context, w *sim.Workload, top *cluster.Topology, spec string,
	set func(sim.Policy)) (map[string]Life, error) {
	return f.PlayAt(ctx, w, top, spec, speed.NewCounting(top, nil), set)
}

// PlayAt is Play at other speeds.
func (f *Folder) PlayAt(ctx context.Context, w *sim.Workload, top *cluster.Topology, spec string, at sim.SpeedModel,
	set func(sim.Policy)) (map[string]Life, error) {
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
	return Lives(e, w), nil
}

// Lives gives the lives of the jobs of a run by their names.
func Lives(e *sim.Engine, w *sim.Workload) map[string]Life {
	out := make(map[string]Life, len(w.Jobs))
	for i := range w.Jobs {
		r := e.Record(sim.JobID(i))
		out[w.Jobs[i].ID] = Life{w.Jobs[i].Submit.Seconds(), Seconds(r.Start), Seconds(r.End), r.Queue.Seconds(),
			int(r.Preemptions)}
	}
	return out
}

// Seconds gives an instant in seconds, NaN for never.
func Seconds(t sim.Time) float64 {
	if t == sim.Never {
		return math.NaN()
	}
	return t.Seconds()
}
