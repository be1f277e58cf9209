package colocate

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Ticket is the share of each of these GPUs that a job may hold once the decision is carried out,
// in thousandths: 1000 over the most jobs on one of them, and at most what it asks for.
func (b *Board) Ticket(v *sim.View, j sim.JobID, gpus []cluster.GPU) int32 {
	most := 1
	for _, g := range gpus {
		n := len(v.On(g))
		if b.given[g] {
			n++
		}
		most = max(most, n)
	}
	return plan.Ticket(v, j, most)
}

// Write appends the decisions: who holds too much is cut, then the jobs start, then those beside
// whom a job has left get more.
func (b *Board) Write(v *sim.View, out []sim.Decision) []sim.Decision {
	b.affected = append(b.affected[:0], v.FewerSharers()...)
	for i := range b.starts {
		for _, g := range b.starts[i].GPUs {
			b.affected = append(b.affected, v.On(g)...)
		}
	}
	slices.Sort(b.affected)
	b.affected = slices.Compact(b.affected)
	tune := func(less bool) {
		for _, j := range b.affected {
			if v.Run(j).State() != sim.Running {
				continue
			}
			now, want := v.Run(j).Knobs().ShareMilli, b.Ticket(v, j, v.Run(j).Held())
			if less && want < now || !less && want > now {
				out = append(out, sim.Decision{Kind: sim.Tune, Job: j, Knobs: sim.Knobs{ShareMilli: want}})
			}
		}
	}
	tune(true)
	for i := range b.starts {
		s := &b.starts[i]
		k := s.Knobs
		k.ShareMilli = b.Ticket(v, s.Job, s.GPUs)
		out = append(out, sim.Decision{Kind: sim.Start, Job: s.Job, GPUs: s.GPUs, Knobs: k})
	}
	tune(false)
	return out
}
