package links

import (
	"slices"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/network"
)

// lab is four racks of two machines of two GPUs: machine m has GPUs 2m and 2m+1.
func lab(t *testing.T, s network.Spines) *Graph {
	t.Helper()
	topo, err := cluster.New(cluster.Uniform(4, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	f := network.Fabric{Spines: s}
	f.Links[network.AcrossRack].GBps = 10
	return New(topo, &f)
}

func TestCrossByHand(t *testing.T) {
	leafSpine := network.Spines{Count: 3}
	fatTree := network.Spines{Count: 2, PodRacks: 2, Cores: 2}
	rails := network.Spines{Count: 2, Rails: 2}
	for _, c := range []struct {
		why   string
		s     network.Spines
		gpus  []cluster.GPU
		path  uint64
		links []int32
		loads []float64
	}{
		{"one machine", network.Spines{}, []cluster.GPU{0, 1}, 0, nil, nil},
		{"one rack", network.Spines{}, []cluster.GPU{0, 1, 2}, 0, []int32{0, 1}, nil},
		{"two racks of a tree", network.Spines{}, []cluster.GPU{0, 2, 12}, 0, []int32{0, 1, 6, 8, 11}, nil},
		{"one rack of a leaf-spine", leafSpine, []cluster.GPU{4, 6}, 1, []int32{2, 3}, nil},
		{"spine 1: links 8 + 3 x rack + 1", leafSpine, []cluster.GPU{0, 4}, 2, []int32{0, 2, 9, 12},
			[]float64{1, 1, 1, 1}},
		{"spines 0 and 2, half on each", leafSpine, []cluster.GPU{0, 4}, 5, []int32{0, 2, 8, 11, 10, 13},
			[]float64{1, 1, .5, .5, .5, .5}},
		{"a ring of three racks: a link once", leafSpine, []cluster.GPU{0, 4, 8}, 1, []int32{0, 2, 4, 8, 11, 14},
			[]float64{1, 1, 1, 1, 1, 1}},
		{"bits beyond the last path", leafSpine, []cluster.GPU{0, 4}, 8 | 2, []int32{0, 2, 9, 12},
			[]float64{1, 1, 1, 1}},
		{"within a pod: switch 1 by path 3", fatTree, []cluster.GPU{0, 4}, 8, []int32{0, 2, 9, 11},
			[]float64{1, 1, 1, 1}},
		{"between pods: switch 1, core 1 of each pod", fatTree, []cluster.GPU{0, 12}, 8,
			[]int32{0, 6, 9, 15, 19, 23}, []float64{1, 1, 1, 1, 1, 1}},
		{"two cores of one switch", fatTree, []cluster.GPU{0, 12}, 3, []int32{0, 6, 8, 14, 16, 20, 17, 21},
			[]float64{1, 1, 1, 1, .5, .5, .5, .5}},
		{"two machines of each rack: twice the load", leafSpine, []cluster.GPU{0, 2, 4, 6}, 5,
			[]int32{0, 1, 2, 3, 8, 11, 10, 13}, []float64{1, 1, 1, 1, 1, 1, 1, 1}},
		{"two machines and one: the smaller", leafSpine, []cluster.GPU{0, 2, 4}, 1, []int32{0, 1, 2, 8, 11},
			[]float64{1, 1, 1, 1, 1}},
		{"two machines over the core", fatTree, []cluster.GPU{0, 2, 12, 14}, 1, []int32{0, 1, 6, 7, 8, 14, 16, 20},
			[]float64{1, 1, 1, 1, 2, 2, 2, 2}},
		{"two rails", rails, []cluster.GPU{0, 4}, 1, []int32{0, 2, 8, 12, 10, 14}, []float64{1, 1, .5, .5, .5, .5}},
	} {
		links, loads := lab(t, c.s).Cross(nil, nil, c.gpus, 7, c.path)
		if !slices.Equal(links, c.links) || !slices.Equal(loads, c.loads) {
			t.Errorf("%s: links %v, loads %v, expected %v, %v", c.why, links, loads, c.links, c.loads)
		}
	}
}

func TestCapacity(t *testing.T) {
	for _, c := range []struct {
		s     network.Spines
		links int
		at    map[int32]float64
	}{
		{network.Spines{}, 8 + 4, map[int32]float64{0: 1, 11: 1}},
		{network.Spines{Count: 3, GBps: 5}, 8 + 12, map[int32]float64{7: 1, 8: .5, 19: .5}},
		{network.Spines{Count: 2, PodRacks: 2, Cores: 2, CoreGBps: 20}, 8 + 8 + 8, map[int32]float64{15: 1, 16: 2}},
		{network.Spines{Count: 2, Rails: 4}, 8 + 32, map[int32]float64{8: .25}},
	} {
		g := lab(t, c.s)
		if len(g.Capacity) != c.links {
			t.Errorf("%+v: %d links, expected %d", c.s, len(g.Capacity), c.links)
		}
		for l, want := range c.at {
			if g.Capacity[l] != want {
				t.Errorf("%+v: link %d has capacity %v, expected %v", c.s, l, g.Capacity[l], want)
			}
		}
	}
}

// Without a path of its own a job takes one per pair of racks: the same each time, another one for
// another seed or job, all of them equally often.
func TestPathsAreDrawn(t *testing.T) {
	g, other := lab(t, network.Spines{Count: 4}), lab(t, network.Spines{Count: 4, Seed: 1})
	count, differ := map[int32]int{}, 0
	for job := range int32(4000) {
		links, _ := g.Cross(nil, nil, []cluster.GPU{0, 4}, job, 0)
		again, _ := g.Cross(nil, nil, []cluster.GPU{1, 6}, job, 0)
		if !slices.Equal(links[2:], again[2:]) || len(links) != 4 || links[3] != links[2]+4 {
			t.Fatalf("job %d crosses %v, then %v", job, links, again)
		}
		count[links[2]-8]++
		if moved, _ := other.Cross(nil, nil, []cluster.GPU{0, 4}, job, 0); moved[2] != links[2] {
			differ++
		}
	}
	for spine := range int32(4) {
		if n := count[spine]; n < 900 || n > 1100 {
			t.Errorf("spine %d is drawn %d times of 4000", spine, n)
		}
	}
	if differ < 2800 || differ > 3200 {
		t.Errorf("another seed moves %d of 4000 jobs, expected three quarters", differ)
	}
}

// In a domain of NVLink jobs share nothing, between domains what lies there.
func TestDomains(t *testing.T) {
	topo, err := cluster.New(cluster.Uniform(4, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s     network.Spines
		gpus  []cluster.GPU
		links []int32
		loads []float64
	}{
		{network.Spines{}, []cluster.GPU{0, 2}, nil, nil},
		{network.Spines{}, []cluster.GPU{0, 2, 4}, []int32{8, 9}, nil},
		{network.Spines{Count: 3}, []cluster.GPU{1, 3}, nil, nil},
		{network.Spines{Count: 3}, []cluster.GPU{0, 2, 4, 6}, []int32{9, 12}, []float64{2, 2}},
	} {
		f := network.Fabric{Spines: c.s, Domains: true}
		f.Links[network.AcrossRack].GBps = 10
		links, loads := New(topo, &f).Cross(nil, nil, c.gpus, 0, 2)
		if !slices.Equal(links, c.links) || !slices.Equal(loads, c.loads) {
			t.Errorf("%+v, %v: links %v, loads %v, expected %v, %v", c.s, c.gpus, links, loads, c.links, c.loads)
		}
	}
}

// The traffic of each machine takes a path of its own where the scheduler chooses none.
func TestMachinesDrawPaths(t *testing.T) {
	g, apart := lab(t, network.Spines{Count: 4}), 0
	for job := range int32(1000) {
		links, loads := g.Cross(nil, nil, []cluster.GPU{0, 2, 4, 6}, job, 0)
		sum := 0.0
		for i, l := range links {
			if l >= 8 && l < 12 {
				sum += loads[i]
			}
		}
		if len(links) == 8 {
			apart++
		}
		if sum != 2 || len(links) != 6 && len(links) != 8 {
			t.Fatalf("job %d: links %v, loads %v", job, links, loads)
		}
	}
	if apart < 700 || apart > 800 {
		t.Errorf("%d of 1000 jobs have two paths, expected three quarters", apart)
	}
}

// What a job puts on the links of a rack to spines is one unit per rail part, whatever the paths.
func TestLoadsAddUp(t *testing.T) {
	g := lab(t, network.Spines{Count: 4, PodRacks: 2, Cores: 4, Rails: 2})
	for set := uint64(1); set < 1<<16; set += 97 {
		links, loads := g.Cross(nil, nil, []cluster.GPU{0, 12}, 3, set)
		sum := map[int32]float64{}
		for i, l := range links {
			switch {
			case l < 8:
			case l < g.core:
				sum[(l-8)/8] += loads[i]
			default:
				sum[100+(l-g.core)/32] += loads[i]
			}
		}
		for at, v := range sum {
			if v < 1-1e-12 || v > 1+1e-12 {
				t.Fatalf("set %b: %v leaves %d", set, v, at)
			}
		}
		if len(sum) != 4 {
			t.Fatalf("set %b: loads of %v", set, sum)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	g := lab(t, network.Spines{Count: 4, PodRacks: 2, Cores: 2, Rails: 2})
	var links []int32
	var loads []float64
	gpus := []cluster.GPU{0, 4, 8, 12}
	cross := func() { links, loads = g.Cross(links[:0], loads[:0], gpus, 3, 0) }
	cross()
	if n := testing.AllocsPerRun(100, cross); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
