package hadar

import (
	"slices"

	"tarry/sim"
	"tarry/sim/plan"
)

// assign turns the counts of the plan into GPUs: a running job keeps the GPUs that it has on a
// machine of its parts; the others get GPUs that are free now before GPUs that others must leave
// first, lowest first.
func (p *Policy) assign(v *sim.View) {
	s := &p.search
	clear(p.taken)
	p.wants, p.held = p.wants[:0], p.held[:0]
	for _, c := range s.now {
		p.keep(v, p.queue[c.bid].job, s.arena[c.lo:c.hi])
	}
	for _, c := range s.now {
		j, lo := p.queue[c.bid].job, len(p.held)
		for _, y := range s.arena[c.lo:c.hi] {
			p.pick(v, j, y)
		}
		slices.Sort(p.held[lo:])
		p.wants = append(p.wants, plan.Want{Job: j})
	}
	at := 0 // the memory of held has settled
	for i, c := range s.now {
		n := 0
		for _, y := range s.arena[c.lo:c.hi] {
			n += int(y.gpus)
		}
		p.wants[i].GPUs = p.held[at : at+n : at+n]
		at += n
	}
}

// keep takes for a running job the GPUs that it has within its parts.
func (p *Policy) keep(v *sim.View, j sim.JobID, parts []part) {
	if v.Run(j).State() != sim.Running {
		return
	}
	for _, y := range parts {
		n := y.gpus
		for _, g := range v.Run(j).Held() {
			if n > 0 && int32(v.Topology().Machine(g)) == y.host && v.Up(g) {
				p.taken[g] = true
				n--
			}
		}
	}
}

// pick appends GPUs of a machine for a job: kept ones, free ones, others.
func (p *Policy) pick(v *sim.View, j sim.JobID, y part) {
	lo, hi := v.Topology().MachineGPUs(int(y.host))
	n := y.gpus
	if v.Run(j).State() == sim.Running {
		for _, g := range v.Run(j).Held() {
			if n > 0 && g >= lo && g < hi && v.Up(g) {
				p.held = append(p.held, g)
				n--
			}
		}
	}
	for _, free := range [...]bool{true, false} {
		for g := lo; g < hi && n > 0; g++ {
			if !p.taken[g] && v.Up(g) && (v.Share(g) == 0) == free {
				p.taken[g] = true
				p.held = append(p.held, g)
				n--
			}
		}
	}
}
