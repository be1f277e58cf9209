package lwf

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
	"tarry/sim/preset"
	"tarry/sim/speed"
)

// No link ever carries more jobs than the rule lets in, in a tree and over spines that jobs take by
// themselves, and links do carry as many; without a rule one carries more.
func TestNoLinkHasMore(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(3, 3, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	for settings, most := range map[string]int{"admit=count": 1, "admit=count,n=2": 2, "": 2} {
		for _, spines := range []int{0, 1, 4} {
			seen := 0
			for seed := range uint64(effort.Of(t, 5, 50)) {
				seen = max(seen, busiest(t, top, spines, settings, seed))
			}
			if seen != most {
				t.Errorf("%q, %d spines: a link carries %d jobs, expected %d", settings, spines, seen, most)
			}
		}
	}
	if seen := busiest(t, top, 1, "admit=count,n=0", 1); seen < 3 {
		t.Errorf("without a limit a link carries %d jobs at most", seen)
	}
}

// busiest runs drawn jobs, and gives the most jobs that a link ever carries.
func busiest(t *testing.T, top *cluster.Topology, spines int, settings string, seed uint64) (most int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	var jobs []sim.Job
	for i := range 60 {
		model := []string{"vgg16", "resnet50"}[r.IntN(2)]
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: int32(1 + r.IntN(7)), Model: model,
			Submit: sim.Time(r.IntN(2000)) * sim.Second, Work: sim.Time(1+r.IntN(3000)) * sim.Second})
	}
	w, err := sim.NewWorkload("drawn", jobs)
	if err != nil {
		t.Fatal(err)
	}
	f := preset.NVLinkFabric()
	if spines > 0 {
		f.Spines = network.Spines{Count: spines, Seed: seed}
	}
	m, err := speed.NewContended(top, f, models.NewSet(models.Catalogue()...), "", speed.Contention{
		Share: speed.ShareCount, Alpha: 0.3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: m, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	p := build(t, settings)()
	e.Permit(p.Knows())
	for {
		v, ok, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return most
		}
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
		for l := range v.Links().Count() {
			most = max(most, len(v.Links().Jobs(int32(l))))
		}
	}
}
