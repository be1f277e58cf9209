package trial

import (
	"slices"
	"testing"

	"tarry/output/results"
	"tarry/sim/cluster"
)

func TestTypeNames(t *testing.T) {
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "v100"},
		{Count: 1, GPUs: 2, Type: "k80"}, {Count: 1, GPUs: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	n := typeNames{topo: topo}
	for _, c := range []struct {
		gpus []cluster.GPU
		want string
	}{{[]cluster.GPU{0, 1}, "v100"}, {[]cluster.GPU{3}, "k80"}, {[]cluster.GPU{4}, ""},
		{[]cluster.GPU{1, 2}, "k80+v100"}, {[]cluster.GPU{0, 1, 2, 3}, "k80+v100"}, {[]cluster.GPU{0, 4}, "+v100"}} {
		if got := n.of(c.gpus); got != c.want {
			t.Errorf("%v is %q, want %q", c.gpus, got, c.want)
		}
	}
	mixed := []cluster.GPU{1, 2}
	// the joined name, to look it up
	if allocs := testing.AllocsPerRun(100, func() { n.of([]cluster.GPU{0}); n.of(mixed) }); allocs > 1 {
		t.Errorf("%v allocations", allocs)
	}
	if plain, err := cluster.New(cluster.Uniform(1, 1, 2, 1)); err != nil ||
		(&typeNames{topo: plain}).of([]cluster.GPU{0}) != "" {
		t.Errorf("a cluster without types names one, %v", err)
	}
}

// The time held of each type adds up to the time that GPUs were held; a share counts as a part.
func TestTypeUse(t *testing.T) {
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "v100"},
		{Count: 1, GPUs: 2}, {Count: 1, GPUs: 1, Type: "v100"}}}})
	if err != nil {
		t.Fatal(err)
	}
	u := newTypeUse(topo)
	u.add(1, 3, 1000, []cluster.GPU{0, 1, 2, 4})
	if err := u.read(&results.Interval{Start: 3, End: 5, ShareMilli: 500,
		GPUList: results.FormatGPUs([]cluster.GPU{3, 4})}); err != nil {
		t.Fatal(err)
	}
	if want := []TypeUse{{"v100", 3, 7}, {"", 2, 3}}; !slices.Equal(u.uses(), want) {
		t.Errorf("uses %v, expected %v", u.uses(), want)
	}
	for _, list := range []string{"5", "x"} {
		if u.read(&results.Interval{GPUList: list}) == nil {
			t.Errorf("GPUs %q are taken", list)
		}
	}
	if plain, err := cluster.New(cluster.Uniform(1, 1, 2, 1)); err != nil || newTypeUse(plain).uses() != nil {
		t.Errorf("a cluster without types has uses, %v", err)
	}
}
