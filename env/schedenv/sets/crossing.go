package sets

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// count counts the running jobs.
func (s *Starts) count(v *sim.View) {
	n := v.Topology().Machines()
	s.Crossing = slices.Grow(s.Crossing[:0], n)[:n]
	clear(s.Crossing)
	for _, j := range v.Running() {
		s.add(v.Topology(), v.Run(j).Held())
	}
}

// add counts a job on GPUs (ascending), if it has several machines.
func (s *Starts) add(t *cluster.Topology, gpus []cluster.GPU) {
	if len(gpus) == 0 || t.Machine(gpus[0]) == t.Machine(gpus[len(gpus)-1]) {
		return
	}
	last := -1
	for _, g := range gpus {
		if m := t.Machine(g); m != last {
			s.Crossing[m]++
			last = m
		}
	}
}

// fewest lists the machines with free GPUs: the fewest jobs first, of equals the most free GPUs. The
// list holds until the next call.
func (s *Starts) fewest(f *cluster.Free) []int32 {
	s.order = s.order[:0]
	for m := range s.Crossing {
		if f.InMachine(m) > 0 {
			s.order = append(s.order, int32(m))
		}
	}
	slices.SortStableFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.Crossing[a], s.Crossing[b]), cmp.Compare(f.InMachine(int(b)), f.InMachine(int(a))))
	})
	return s.order
}
