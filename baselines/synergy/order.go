package synergy

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// member is a job in the system.
type member struct {
	id  sim.JobID
	m   *matrix
	key float64 // of this round; smaller goes first
}

// sort puts the jobs in the order of the round: by key, equals by arrival.
func (p *Policy) sort(v *sim.View) {
	load := 0.0
	for i := range p.active {
		load += float64(v.Job(p.active[i].id).GPUs())
	}
	load = max(1, load/float64(max(1, v.Topology().GPUs())))
	p.line = append(p.line[:0], p.active...)
	for i := range p.line {
		x := &p.line[i]
		switch p.cfg.order {
		case "las":
			x.key = float64(v.Run(x.id).Service())
		case "srtf":
			x.key = v.Run(x.id).Left() / x.rate()
		case "ftf":
			x.key = -p.unfairness(v, x, load)
		}
	}
	slices.SortFunc(p.line, func(a, b member) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id)) })
}

// rate is the speed at the part by GPUs; 1 where the model has no answer.
func (x *member) rate() float64 {
	if x.m.rate > 0 {
		return x.m.rate
	}
	return 1
}

// unfairness is finish-time fairness (Themis, NSDI 2020): the time from arrival to the end, if the
// job ran at its part from now on, over the time that it takes at its part in an equal share of the
// cluster. load is the GPUs that jobs in the system ask for over the cluster's, at least 1.
func (p *Policy) unfairness(v *sim.View, x *member, load float64) float64 {
	shared := float64(v.Now()-v.Job(x.id).Submit()) + v.Run(x.id).Left()/x.rate()
	return shared / max(1, float64(v.Job(x.id).Work()/x.rate()*load))
}
