package elasticflow

import (
	"context"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
)

// spread counts allocations that one machine could hold, and how many of them are on several.
type spread struct {
	top        *cluster.Topology
	all, apart int
}

func (s *spread) Interval(i *sim.Interval) {
	if lo, hi := s.top.MachineGPUs(0); len(i.GPUs) > 1 && len(i.GPUs) <= int(hi-lo) {
		s.all++
		if s.top.Machine(i.GPUs[0]) != s.top.Machine(i.GPUs[len(i.GPUs)-1]) {
			s.apart++
		}
	}
}
func (s *spread) Job(*sim.Record)    {}
func (s *spread) Instant(*sim.Gauge) {}

// TestBlocksBesideCheckpoints: GPUs that are not free yet do not turn the blocks off for the
// others.
func TestBlocksBesideCheckpoints(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 8, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	apart := map[string]float64{}
	for _, place := range []string{"buddy", "near"} {
		s := &spread{top: top}
		for seed := range uint64(10) {
			w, err := sim.NewWorkload("drawn", workload(rand.New(rand.NewPCG(seed, 9)), 200, 64, 1))
			if err != nil {
				t.Fatal(err)
			}
			cfg := sim.Config{Workload: w, Topology: top, Speed: scales{},
				Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 1}}, Check: true}
			if _, err := sim.Run(context.Background(), cfg, policy(t, "variant=ef,slot_s=0,place="+place)(),
				s); err != nil {
				t.Fatal(err)
			}
		}
		apart[place] = float64(s.apart) / float64(s.all)
		t.Logf("%s: %d of %d allocations that fit on a machine are on several", place, s.apart, s.all)
	}
	if apart["buddy"] > apart["near"]/5 {
		t.Errorf("in blocks %.3f of the allocations are spread, near each other %.3f", apart["buddy"], apart["near"])
	}
}
