package trial

import (
	"testing"

	"tarry/sim/cluster"
)

func TestTypeNames(t *testing.T) {
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "v100"}, {Count: 1, GPUs: 2, Type: "k80"}, {Count: 1, GPUs: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	n := typeNames{topo: topo}
	for _, c := range []struct {
		gpus []cluster.GPU
		want string
	}{{[]cluster.GPU{0, 1}, "v100"}, {[]cluster.GPU{3}, "k80"}, {[]cluster.GPU{4}, ""}, {[]cluster.GPU{1, 2}, "k80+v100"}, {[]cluster.GPU{0, 1, 2, 3}, "k80+v100"}, {[]cluster.GPU{0, 4}, "+v100"}} {
		if got := n.of(c.gpus); got != c.want {
			t.Errorf("%v is %q, want %q", c.gpus, got, c.want)
		}
	}
	mixed := []cluster.GPU{1, 2}
	if allocs := testing.AllocsPerRun(100, func() { n.of([]cluster.GPU{0}); n.of(mixed) }); allocs > 1 { // the joined name, to look it up
		t.Errorf("%v allocations", allocs)
	}
	if plain, err := cluster.New(cluster.Uniform(1, 1, 2, 1)); err != nil || (&typeNames{topo: plain}).of([]cluster.GPU{0}) != "" {
		t.Errorf("a cluster without types names one, %v", err)
	}
}
