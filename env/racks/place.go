package racks

import (
	"cmp"
	"slices"

	"tarry/env/schedenv/sets"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// look finds the choices of the pending job; false = there is none but to wait.
func (s *scheduler) look(v *sim.View) bool {
	s.gpus, s.racks = [sets.N][]cluster.GPU{}, s.racks[:0]
	d := s.desks[s.rack].queue.Demand(s.job)
	if s.wide = !s.holds(v, s.job, s.rack); s.wide {
		s.search(v, d)
		return s.gpus[sets.Packed] != nil
	}
	mark := v.Free().Mark()
	s.hide(v)
	s.search(v, d)
	v.Free().Rollback(mark)
	s.targets(v, d)
	return s.gpus[sets.Packed] != nil || len(s.racks) > 0
}

// hide takes the free GPUs of other racks from the free list.
func (s *scheduler) hide(v *sim.View) {
	t, f := v.Topology(), v.Free()
	s.hidden = s.hidden[:0]
	for r := range s.desks {
		if r == s.rack || f.InRack(r) == 0 {
			continue
		}
		for m, hi := t.RackMachines(r); m < hi; m++ {
			for g, end := t.MachineGPUs(m); f.InMachine(m) > 0 && g < end; g++ {
				if f.Has(g) {
					s.hidden = append(s.hidden, g)
				}
			}
		}
	}
	f.TakeAll(s.hidden)
}

// search finds the sets of GPUs of a demand among the free ones, and takes none of them.
func (s *scheduler) search(v *sim.View, d *plan.Demand) {
	for k := range s.gpus {
		gpus, ok := s.find(v, d, k)
		if ok && !s.wide && !s.inside(v.Topology(), gpus) {
			gpus, _ = s.Quietest(v, d) // a shared GPU of another rack
		}
		s.gpus[k] = gpus
	}
}

// inside reports whether GPUs (ascending) are in the scheduler's rack.
func (s *scheduler) inside(t *cluster.Topology, gpus []cluster.GPU) bool {
	return t.Rack(t.Machine(gpus[0])) == s.rack && t.Rack(t.Machine(gpus[len(gpus)-1])) == s.rack
}

// find finds one of the sets of GPUs of a demand, and takes none of them. A part of a GPU has two: beside
// others, and a GPU of its own.
func (s *scheduler) find(v *sim.View, d *plan.Demand, set int) ([]cluster.GPU, bool) {
	switch shares := d.ShareMilli < 1000; {
	case shares && set == sets.Quiet:
		return s.Quietest(v, d)
	case shares && set != sets.Packed:
		return nil, false
	}
	return s.Find(v, d, set)
}

// targets lists the racks that can hold the job and have as many free GPUs as its demand asks for, the
// freest first, of equals the next one.
func (s *scheduler) targets(v *sim.View, d *plan.Demand) {
	f := v.Free().Of(d.Type)
	if f == nil || int(s.sent[s.job]) >= s.cfg.Forwards {
		return
	}
	n := len(s.desks)
	for i := 1; i < n; i++ {
		if r := (s.rack + i) % n; f.InRack(r) >= int(d.GPUs) && s.holds(v, s.job, r) {
			s.racks = append(s.racks, int32(r))
		}
	}
	slices.SortStableFunc(s.racks, func(a, b int32) int {
		return cmp.Compare(f.InRack(int(b)), f.InRack(int(a)))
	})
	s.racks = s.racks[:min(len(s.racks), s.cfg.Targets)]
}
