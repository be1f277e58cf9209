package themis

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// part is a job that can use GPUs of the offer.
type part struct {
	app, at int32 // its app, and its index among the app's jobs
	held    int32 // GPUs that stay its own beyond this decision
	won     int32 // what it is to have, held included
	done    bool  // it takes part in no more auctions of this decision
}

// offer is the GPUs of one type that are free or whose lease has ended.
type offer struct {
	typ   int
	gpus  int             // not given out yet
	class []cluster.Level // the finest level at which so many are together
}

// open looks at the offer of a type on the free list as the decision has it.
func (o *offer) open(f *cluster.Free, typ int) {
	o.typ, o.gpus, o.class = typ, f.Total(), o.class[:0]
	l := cluster.LevelSlot
	for n := range o.gpus + 1 {
		for l < cluster.LevelCluster && f.Largest(l) < n {
			l++
		}
		o.class = append(o.class, l)
	}
}

// level is where a job would be with n more GPUs of the offer: as near to what it holds as they are
// free.
func (p *Policy) level(v *sim.View, x *part, n int) cluster.Level {
	l := p.offer.class[min(n, len(p.offer.class)-1)]
	if x.held == 0 || n == 0 {
		return l
	}
	m := p.of(x)
	held, f := v.Run(m.job).Held(), v.Free().Type(p.offer.typ)
	at, machine := v.Run(m.job).Level(), v.Topology().Machine(held[0])
	switch {
	case at <= cluster.LevelMachine && f.InMachine(machine) >= n:
		return cluster.LevelMachine
	case at <= cluster.LevelRack && f.InRack(v.Topology().Rack(machine)) >= n:
		return cluster.LevelRack
	}
	return cluster.LevelCluster
}

// of is the job of a part.
func (p *Policy) of(x *part) *member { return &p.book.apps[x.app].jobs[x.at] }

// speed is a job's with n GPUs in all, gained ones taken from the offer.
func (p *Policy) speed(v *sim.View, x *part, n int) float64 {
	m := p.of(x)
	if n == 0 {
		return 0
	}
	return m.curve[n] * p.classes.slow(v, m, p.offer.typ, n, p.level(v, x, n-int(x.held)))
}

// next is the least count above what a job is to have that it can use.
func (p *Policy) next(x *part) int {
	if m := p.of(x); x.won > 0 {
		return int(x.won) + m.unit
	} else {
		return m.lo
	}
}

// takes reports whether a job can use GPUs of a type that it does not hold yet.
func (p *Policy) takes(v *sim.View, x *part) bool {
	m, typ := p.of(x), p.offer.typ
	if x.done || m.wide || m.typ >= 0 && m.typ != typ || p.next(x) > m.hi {
		return false
	}
	t := v.Topology()
	return x.held == 0 || m.typ >= 0 || t.Type(t.Machine(v.Run(m.job).Held()[0])) == t.Types()[typ]
}

// table fills speeds with an app's speed at 0, 1, ... GPUs of the offer, best divided among its
// jobs in the system that want some, and choice with how many the last of the first k of them gets.
func (p *Policy) table(v *sim.View, parts []part, gpus int) {
	a := &p.book.apps[parts[0].app]
	most := 0
	for i := range parts {
		if x := &parts[i]; p.takes(v, x) {
			most = min(gpus, most+p.of(x).hi-int(x.held))
		}
	}
	w := most + 1
	p.speeds, p.choice = p.speeds[:0], p.choice[:0]
	for range w {
		p.speeds = append(p.speeds, a.speed)
	}
	for i := range parts {
		x, from := &parts[i], len(p.choice)
		for range w {
			p.choice = append(p.choice, 0)
		}
		if !p.takes(v, x) {
			continue
		}
		m, base, had := p.of(x), 0.0, int(x.held)
		if had > 0 {
			base = v.Run(m.job).Speed().Rate
		}
		p.gains = p.gains[:0]
		for n := p.next(x); n <= m.hi && n-had <= most; n += m.unit {
			if g := p.speed(v, x, n) - base; g > 0 {
				p.gains = append(p.gains, gain{n - had, g})
			}
		}
		for n := most; n > 0; n-- { // from the top: what is read below n is without this job
			for _, g := range p.gains {
				if g.gpus > n {
					break
				}
				if s := p.speeds[n-g.gpus] + g.speed; s > p.speeds[n] {
					p.speeds[n], p.choice[from+n] = s, int32(g.gpus)
				}
			}
		}
	}
}

// gain is what a job gains by GPUs of the offer.
type gain struct {
	gpus  int
	speed float64
}

// bid appends the values of an app's speeds.
func (p *Policy) bid(v *sim.View, a *app, out []float64) []float64 {
	from := len(out)
	for n, s := range p.speeds {
		switch {
		case !p.cfg.speedup:
			out = append(out, 1/p.rho(v, a, s))
		case s > 0:
			out = append(out, bounded(s))
		default:
			out = append(out, bounded(a.least/2)) // less than anything that runs
		}
		if n > 0 {
			out[from+n] = max(out[from+n], out[from+n-1])
		}
	}
	return out
}

// grant gives the jobs of an app n GPUs of the offer, as table has divided them.
func (p *Policy) grant(parts []part, n int) {
	w := len(p.speeds)
	for i := len(parts) - 1; i >= 0; i-- {
		k := p.choice[i*w+n]
		if k > 0 {
			parts[i].won = parts[i].held + k
		}
		n -= int(k)
	}
}
