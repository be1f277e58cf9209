package themis

import (
	"math"
	"slices"

	"tarry/sim"
)

// bidder is an app in an auction: its parts are parts[from:to].
type bidder struct{ app, from, to int32 }

// gather lists the apps that could use GPUs of the offer, the worst-off first, and their parts.
func (p *Policy) gather(v *sim.View) {
	b := &p.book
	if !math.IsInf(p.cfg.admit, 1) {
		p.admit(v)
	}
	p.parts, p.apps, p.order = p.parts[:0], p.apps[:0], p.order[:0]
	idle := 0
	for _, i := range b.live {
		a := &b.apps[i]
		if p.measure(v, a); a.wants && !a.apart {
			p.order = append(p.order, ranked{a.rho, a.jobs[0].job, i})
			continue
		}
		b.live[idle] = i
		idle++
	}
	rank(p.order)
	for at, o := range p.order {
		i := o.app
		b.live[idle+at] = i
		x := bidder{app: i, from: int32(len(p.parts))}
		for at := range b.apps[i].jobs {
			m := &b.apps[i].jobs[at]
			held := p.keeps(v, m.job)
			s := v.Run(m.job).State()
			if held > 0 && (!p.cfg.grow || held >= m.hi) || s != sim.Waiting && s != sim.Running {
				continue
			}
			p.parts = append(p.parts, part{app: i, at: int32(at), held: int32(held), won: int32(held)})
		}
		x.to = int32(len(p.parts))
		p.apps = append(p.apps, x)
	}
}

// admit lets the first app in that stays outside, if no app inside is badly off, or none is inside.
func (p *Policy) admit(v *sim.View) {
	first, inside, worst := int32(-1), false, 0.0
	for _, i := range p.book.live {
		a := &p.book.apps[i]
		if !a.apart {
			p.measure(v, a)
			inside, worst = true, max(worst, a.rho)
		} else if first < 0 || p.book.apps[first].jobs[0].job > a.jobs[0].job {
			first = i
		}
	}
	if first >= 0 && (!inside || worst < p.cfg.admit) {
		p.book.apps[first].apart = false
	}
}

// divide holds the auctions for the GPUs of one type, and gives out what they leave.
func (p *Policy) divide(v *sim.View, typ int) {
	p.offer.open(v.Free().Type(typ), typ)
	p.able = p.able[:0]
	for i := range p.apps {
		x := &p.apps[i]
		if slices.ContainsFunc(p.parts[x.from:x.to], func(y part) bool { return p.takes(v, &y) }) {
			p.able = append(p.able, int32(i))
		}
	}
	for from := 0; from < len(p.able) && p.offer.gpus > 0; {
		to := from + p.cfg.bidders(len(p.able)-from)
		p.auction(v, p.able[from:to])
		if p.cfg.left != "auction" {
			p.leftovers(v, to)
			return
		}
		from = to
	}
	p.insiders(v, p.able)
}

// auction lets apps bid for the offer.
func (p *Policy) auction(v *sim.View, apps []int32) {
	p.bids, p.values, p.ends = p.bids[:0], p.values[:0], p.ends[:0]
	for _, i := range apps {
		x := &p.apps[i]
		p.table(v, p.parts[x.from:x.to], p.offer.gpus)
		p.values = p.bid(v, &p.book.apps[x.app], p.values)
		p.ends = append(p.ends, len(p.values))
	}
	from := 0
	for _, to := range p.ends {
		p.bids = append(p.bids, p.values[from:to])
		from = to
	}
	o := p.market.Run(p.bids, p.offer.gpus)
	offered := p.offer.gpus
	for k, i := range apps {
		if o.GPUs[k] == 0 {
			continue
		}
		x := &p.apps[i]
		parts := p.parts[x.from:x.to]
		p.table(v, parts, offered)
		n := min(o.GPUs[k], len(p.speeds)-1)
		if p.cfg.payments {
			n = p.rounded(o.Kept[k], n)
		}
		p.grant(parts, n)
		for y := range parts {
			p.offer.gpus -= int(parts[y].won - parts[y].held)
		}
	}
}

// rounded is the part c of n GPUs, as a count at which the app of the table gains.
func (p *Policy) rounded(c float64, n int) int {
	want := float64(c * float64(n))
	low, high := 0, n
	for k := 1; k <= n; k++ {
		if p.speeds[k] <= p.speeds[k-1] {
			continue
		}
		if float64(k) <= want+1e-9 {
			low = k
		} else {
			high = k
			break
		}
	}
	switch {
	case float64(low) >= want-1e-9 || p.cfg.round == "down":
		return low
	case p.cfg.round == "draw":
		if p.draws.Float64()*float64(high-low) < want-float64(low) {
			return high
		}
	case want-float64(low) >= float64(high)-want:
		return high
	}
	return low
}

// leftovers gives what the auction leaves to the apps outside it, one step at a time, and at last
// to its bidders.
func (p *Policy) leftovers(v *sim.View, bidders int) {
	p.outside = p.outside[:0]
	for _, i := range p.able[bidders:] {
		for y := p.apps[i].from; y < p.apps[i].to; y++ {
			for p.cfg.left == "rho" && p.step(v, &p.parts[y]) { // each as much as it can use
			}
			p.outside = append(p.outside, y)
		}
	}
	for len(p.outside) > 0 && p.offer.gpus > 0 && p.cfg.left == "random" {
		k := p.draws.IntN(len(p.outside))
		if !p.step(v, &p.parts[p.outside[k]]) {
			p.outside[k] = p.outside[len(p.outside)-1]
			p.outside = p.outside[:len(p.outside)-1]
		}
	}
	p.insiders(v, p.able[:bidders])
}

// insiders gives apps what is left, a step for each in turn, the worst-off first.
func (p *Policy) insiders(v *sim.View, apps []int32) {
	for again := true; again; {
		again = false
		for _, i := range apps {
			for y := p.apps[i].from; y < p.apps[i].to && p.offer.gpus > 0; y++ {
				if p.step(v, &p.parts[y]) {
					again = true
					break
				}
			}
		}
	}
}

// step gives a job the next count that it can use, if there are as many and it runs faster with
// them.
func (p *Policy) step(v *sim.View, x *part) bool {
	n := p.next(x)
	if !p.takes(v, x) || n-int(x.won) > p.offer.gpus {
		return false
	}
	if had := int(x.won); had > 0 && !(p.speed(v, x, n) > p.speed(v, x, had)) {
		return false
	}
	p.offer.gpus -= n - int(x.won)
	x.won = int32(n)
	return true
}

// close takes the winners of one type out of the auctions for the next, and gives what is left of
// all types to jobs that no type alone can hold.
func (p *Policy) close() {
	for i := range p.parts {
		p.parts[i].done = p.parts[i].won > 0
	}
}

// spread gives GPUs of any types to jobs that no type alone can hold, the worst-off first.
func (p *Policy) spread(left int) {
	for i := range p.parts {
		x := &p.parts[i]
		if m := p.of(x); m.wide && x.won == 0 && m.lo <= left {
			x.won = int32(m.lo)
			left -= m.lo
		}
	}
}
