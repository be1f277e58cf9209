package typespeed

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/stack"
)

// What depends on progress within does so outside, at the clock of the type; what does not has no
// marks.
func TestProgressPassesThrough(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "slow"},
		{Count: 1, GPUs: 2, Type: "fast"}}}})
	if err != nil {
		t.Fatal(err)
	}
	wrap := func(m sim.SpeedModel) sim.SpeedModel {
		l, err := New(top, map[string]float64{"slow": .5}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return stack.New(m, l)
	}
	if p := sim.AsProgressive(wrap(simtest.Counting{})); p != nil {
		t.Errorf("counting is progressive: %T", p)
	}
	m := wrap(simtest.InEpochs{Inner: simtest.Counting{}})
	p := sim.AsProgressive(m)
	if p == nil {
		t.Fatal("epochs are not progressive")
	}
	var slow, fast sim.Telemetry
	q := sim.Query{Job: &sim.Job{ID: "j", Work: 30}, GPUs: []cluster.GPU{0, 1},
		Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}}
	if at := p.Mark(&q); at != 10 {
		t.Errorf("the first of three epochs of 30 ends at %v", at)
	}
	okS := p.Telemetry(&q, &slow)
	q.GPUs = []cluster.GPU{2, 3}
	okF := p.Telemetry(&q, &fast)
	if !okS || !okF || slow.StepS != 2*fast.StepS || p.Batches(q.Job) != (simtest.InEpochs{}).Batches(q.Job) {
		t.Errorf("on slow GPUs %+v, on fast ones %+v", slow, fast)
	}
}
