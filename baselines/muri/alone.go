package muri

import "tarry/sim/stages"

// busy has the stages of a class that alone make a group slower than its jobs one after the other, if
// the other jobs of the group have the same.
type busy uint8

const (
	computes busy = 1 << iota
	exchanges
)

// exact is the part of the sum of a stage's times that a round takes at least: a round counts as
// found when it repeats to a thousandth.
const exact = 0.99

// own is the stages that keep a class so busy. A round takes no less than the computing of its jobs one
// after the other, and no less than their exchanges, and a group is slower than its round by a factor.
func (c *class) own(most int) (b busy) {
	least := stages.Factor(2)
	for n := 3; n <= most; n++ {
		least = min(least, stages.Factor(n))
	}
	if exact*least*c.times[stages.Compute] > c.iterS {
		b |= computes
	}
	if exact*least*c.times[stages.Exchange] > c.iterS {
		b |= exchanges
	}
	return b
}

// apart reports whether every group that the candidates can form would be dissolved: then none is
// looked for.
func (p *Policy) apart() bool {
	if !p.cfg.dissolve || p.program != nil {
		return false
	}
	for _, i := range p.turns {
		q := &p.pools[i]
		if q.alone || len(q.groups) < 2 {
			continue
		}
		all := computes | exchanges
		for k := range q.groups {
			all &= p.kinds.all[q.groups[k].jobs[0].class].busy
		}
		if all == 0 {
			return false
		}
	}
	return true
}
