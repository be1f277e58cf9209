package interference

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/stack"
)

// Instances do not disturb one another; in one of 3 of 7 slices a job has min(1, p/u) alone, and
// beside another the law with parts of the instance.
func TestInstances(t *testing.T) {
	spec := cluster.Uniform(1, 1, 2, 1)
	for r := range spec.Racks {
		for m := range spec.Racks[r] {
			spec.Racks[r][m].MIG = "a100-40gb"
		}
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	three, other := uint8(0), uint8(0)
	for i := range top.MIG(0).Placements {
		switch top.MIG(0).String(i) {
		case "3g.20gb at 0:4":
			three = uint8(i + 1)
		case "3g.20gb at 4:4":
			other = uint8(i + 1)
		}
	}
	if three == 0 || other == 0 {
		t.Fatal("no 3g.20gb")
	}
	busy, idle, unknown := job("vgg16"), job("bert"), job("gpt2")
	busy.GPUUtilFrac, idle.GPUUtilFrac = 0.9, 0.3
	in := func(q *sim.Query, instance uint8) *sim.Query {
		q.Instance = instance
		return q
	}
	at := func(p sim.Peer, instance uint8) sim.Peer {
		p.Instance = instance
		return p
	}
	const p = 3. / 7
	for _, c := range []struct {
		spec string
		q    *sim.Query
		want float64
	}{
		{"nway:a=0.5", in(on(busy, 428, 0), three), p / 0.9},
		{"nway:a=0.5", in(on(idle, 428, 0), three), 1},
		{"nway:a=0.5", in(on(unknown, 428, 0), three), p},
		{"nway:a=0.5", beside(in(on(idle, 428, 0), three), at(peer(busy, 428, 0), other)), 1},
		{"nway:a=0.5", beside(in(on(idle, 214, 0), three), at(peer(busy, 214, 0), three)), 1 / 1.5 / (0.3/p + 1)},
		{"slices:switch_s=0", beside(in(on(busy, 214, 0), three), at(peer(idle, 214, 0), three)), p / 0.9 / 2},
		{"slices:by=ticket,switch_s=0", beside(in(on(idle, 107, 0), three), at(peer(idle, 321, 0), three)), 250. / 999},
		{"mps:bandwidth=0", beside(in(on(idle, 107, 0), three), at(peer(idle, 321, 0), three)), 0.25 / (0.3 / p)},
		{"nway:a=0.5", in(on(idle, 428, 0), 200), 1},
		{"mig", in(on(busy, 428, 0), three), p / 0.9},
		{"mig:bandwidth=0", beside(in(on(idle, 107, 0), three), at(peer(idle, 321, 0), three),
			at(peer(busy, 428, 0), other)), 0.107 / 0.3},
	} {
		if got := keeps(t, stack.New(common{}, NewLayer(rule(t, c.spec), nil, top)), c.q); !near(got, c.want) {
			t.Errorf("%s, instance %d beside %d: keeps %v, expected %v", c.spec, c.q.Instance, len(c.q.Peers), got,
				c.want)
		}
	}
}
