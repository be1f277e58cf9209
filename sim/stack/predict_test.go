package stack_test

import (
	"context"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/hosts"
	"tarry/sim/interference"
	"tarry/sim/know"
	"tarry/sim/simtest"
	"tarry/sim/stack"
)

// guest starts job 0, and asks about job 1 on the same GPUs before it starts it there, and after.
type guest struct {
	gpus            []cluster.GPU
	knobs           sim.Knobs
	before, started sim.Speed
	alone           sim.Speed
}

func (*guest) Knows() know.Set { return know.Speed }

func (p *guest) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	start := sim.Decision{Kind: sim.Start, GPUs: p.gpus, Knobs: p.knobs}
	if v.Run(0).State() == sim.Waiting {
		return append(out, start, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Second})
	}
	switch v.Run(1).State() {
	case sim.Waiting:
		p.before = v.Predict(1, sim.Placement{GPUs: p.gpus, Knobs: p.knobs, Fresh: true})
		p.alone = v.Predict(1, sim.Placement{GPUs: p.gpus, Knobs: p.knobs, Idle: true})
		start.Job = 1
		return append(out, start, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Second})
	case sim.Running:
		if v.Run(0).State() == sim.Running {
			p.started = v.Run(1).Speed()
		}
	}
	return out
}

// What a view predicts of a job that waits is what it runs at once it has started, where layers
// bound it: beside a job on its GPUs 4 / 1.25 under interference, and with one core for each GPU of
// resnet18 half of that under the catalogue of hosts (3.5 cores feed 1/2, as its package tests).
func TestLayersPredictAStart(t *testing.T) {
	rule, err := interference.Parse("nway:a=0.25,util=0.5", nil)
	if err != nil {
		t.Fatal(err)
	}
	cores, err := hosts.Parse("catalogue")
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 1, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	jobs := []sim.Job{{ID: "0", GPUs: 4, Model: "resnet18", Work: 4000 * sim.Second},
		{ID: "1", GPUs: 4, Model: "resnet18", Work: 4000 * sim.Second, Submit: 100 * sim.Second}}
	beside := interference.NewLayer(rule, nil, top)
	for name, c := range map[string]struct {
		layers        []stack.Layer
		knobs         sim.Knobs
		before, alone float64
	}{
		"interference": {[]stack.Layer{beside}, sim.Knobs{ShareMilli: 500}, 3.2, 4},
		"hosts below": {[]stack.Layer{hosts.NewLayer(cores, top, nil, ""), beside},
			sim.Knobs{ShareMilli: 500, CPUMilli: 3500}, 1.6, 2},
	} {
		w, err := sim.NewWorkload("two", jobs)
		if err != nil {
			t.Fatal(err)
		}
		p := &guest{gpus: []cluster.GPU{0, 1, 2, 3}, knobs: c.knobs}
		cfg := sim.Config{Workload: w, Topology: top, Speed: stack.New(simtest.Counting{}, c.layers...), Check: true}
		if _, err := sim.Run(context.Background(), cfg, p); err != nil {
			t.Fatal(err)
		}
		if p.before.Rate != c.before || p.started != p.before || p.alone.Rate != c.alone {
			t.Errorf("%s: predicted %+v and alone %+v, started %+v; expected rates %v and %v", name, p.before, p.alone,
				p.started, c.before, c.alone)
		}
	}
}
