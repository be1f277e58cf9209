package multifactor

import (
	"math"

	"tarry/sim"
)

// weights are the shares of tenants.
type weights interface {
	Weight(vc string) float64
	UserWeight(vc, user string) float64
}

// mostQOS bounds the priority of a job's own that preempt=qos orders by: with the 32 bits of a
// priority it makes a whole number that a float64 holds.
const mostQOS = 1 << 20

// arrive gives a job its place in the tree and what does not change of its priority.
func (p *Policy) arrive(v *sim.View, j sim.JobID) {
	a := v.Job(j).Public()
	x := &p.jobs[j]
	x.user, x.at, x.qos = p.userOf(v, a.VC, a.User), -1, a.Priority
	p.topQOS = max(p.topQOS, a.Priority)
	gpus, c := v.Job(j).GPUs(), &p.cfg
	size := (float64((gpus+p.widest-1)/p.widest)/p.machines + v.Job(j).Width()/p.gpus) / 2
	if c.small {
		size = 1 - size
	}
	x.still = float64(c.size*unit(size)) + float64(c.part*p.partition(v, a.VC)) +
		float64(c.gpu*unit(v.Job(j).Width()/p.gpus))
}

// unit brings a factor between 0 and 1.
func unit(f float64) float64 { return min(1, max(0, f)) }

// key is minus the priority of a job at a time, so that the highest goes first; with preempt=qos
// behind its QOS.
func (p *Policy) key(now, submit sim.Time, x *job) float64 {
	k := -p.priority(now, submit, x)
	if p.cfg.preempts {
		k -= float64(min(max(x.qos, -mostQOS), mostQOS)) * (1 << 32)
	}
	return k
}

// priority is Slurm's Job_priority at a time: a whole number from 1 to 2^32 - 1.
func (p *Policy) priority(now, submit sim.Time, x *job) float64 {
	c := &p.cfg
	sum := x.still + float64(c.fair*p.tree.Factor(x.user))
	sum += float64(c.age * min(1, float64(max(0, now-submit))/float64(c.maxAge)))
	if p.topQOS > 0 {
		sum += float64(c.qos * unit(float64(x.qos)/float64(p.topQOS)))
	}
	return min(max(1, math.Floor(sum)), math.MaxUint32)
}
