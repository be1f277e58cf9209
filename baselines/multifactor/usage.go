package multifactor

import (
	"tarry/baselines/multifactor/fairshare"
	"tarry/sim"
)

// enrol opens an account for each virtual cluster that the tenants name.
func (p *Policy) enrol(v *sim.View) {
	s := v.Tenants()
	for i := range s.Len() {
		t := s.At(i)
		p.accounts[t.VC] = p.tree.Add(fairshare.Root, t.Weight, false)
		p.topPart = max(p.topPart, t.Priority)
	}
}

// partition is the partition factor of a virtual cluster.
func (p *Policy) partition(v *sim.View, vc string) float64 {
	s := v.Tenants()
	i, ok := s.Index(vc)
	if !ok || p.topPart <= 0 {
		return 0
	}
	return unit(float64(s.At(i).Priority) / float64(p.topPart))
}

// userOf gives the node of a user of a virtual cluster, a new one if it is the first time.
func (p *Policy) userOf(v *sim.View, vc, user string) int32 {
	var s weights = v.Tenants()
	a, ok := p.accounts[vc]
	if !ok {
		a = p.tree.Add(fairshare.Root, s.Weight(vc), false)
		p.accounts[vc] = a
	}
	key := owner{a, user}
	u, ok := p.users[key]
	if !ok {
		u = p.tree.Add(a, s.UserWeight(vc, user), true)
		p.users[key], p.fresh = u, true
	}
	return u
}

// calculate does what is due of the calc periods: usage fades, what ran is charged, users are
// ranked. It reports whether one has ended.
func (p *Policy) calculate(now sim.Time) bool {
	n := int64((now - p.tick) / p.cfg.calc)
	if n == 0 {
		return false
	}
	d, one, first := p.cfg.decay, p.cfg.calc.Seconds(), p.tick+p.cfg.calc
	p.tree.Scale(d.Keeps(one))
	for i := range p.running {
		r := &p.running[i]
		p.tree.Charge(p.jobs[r.job].user, float64(r.gpus*d.Accrues((first-r.from).Seconds())))
	}
	p.tick += sim.Time(n) * p.cfg.calc
	if n > 1 { // periods without a look, all alike
		p.tree.Scale(d.Keeps(float64(one * float64(n-1))))
		each := d.Repeats(one, n-1)
		for i := range p.running {
			r := &p.running[i]
			p.tree.Charge(p.jobs[r.job].user, float64(r.gpus*each))
		}
	}
	for i := range p.running {
		p.running[i].from = p.tick
	}
	p.rank()
	return true
}

// settle charges a job that stops in the middle of a period. The tree's usage is as at the period's
// begin, and fades as such.
func (p *Policy) settle(now sim.Time, r *run) {
	d := p.cfg.decay
	used := float64(r.gpus * d.Accrues((now - r.from).Seconds()))
	if d.Exact {
		used /= d.Keeps((now - p.tick).Seconds())
	}
	p.tree.Charge(p.jobs[r.job].user, used)
}

// rank computes the fair-share factors.
func (p *Policy) rank() {
	if p.fresh = false; p.cfg.classic {
		p.tree.Classic(p.cfg.dampening)
	} else {
		p.tree.FairTree()
	}
}
