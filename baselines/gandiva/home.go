package gandiva

import (
	"slices"

	"tarry/sim"
)

// settle homes a job that fits a server and lets the server start it if there is room. A job
// that no server can hold now (they are down) waits for a repair.
func (p *Policy) settle(v *sim.View, j sim.JobID) {
	m := p.choose(v, j)
	if m < 0 {
		p.homeless = append(p.homeless, j)
		return
	}
	p.rehome(j, m)
	p.fleet.suspend(m, j)
	p.touch(m)
}

// rehome books a job that is homed nowhere on a server.
func (p *Policy) rehome(j sim.JobID, m int32) {
	g := p.demand(j).GPUs
	p.home[j] = m
	s := &p.fleet.servers[m]
	if s.homed++; s.load == 0 && p.cfg.affinity {
		p.fleet.assign(m, g)
	}
	p.fleet.add(m, g)
}

// leave takes a job off its home.
func (p *Policy) leave(j sim.JobID) {
	m := p.home[j]
	if m < 0 {
		return
	}
	p.forgo(j)
	p.home[j] = nowhere
	if p.pals != nil { // another server may have other GPUs
		p.pals[j].alone = 0
		s := &p.fleet.servers[m]
		s.ruled = slices.DeleteFunc(s.ruled, func(x [2]sim.JobID) bool { return x[0] == j || x[1] == j })
	}
	p.fleet.servers[m].homed--
	p.fleet.add(m, -p.demand(j).GPUs)
	p.touch(m)
}

// choose finds a home in the order (a) to (d) of the package comment: one look at the top of each
// group of servers.
func (p *Policy) choose(v *sim.View, j sim.JobID) int32 {
	d := p.demand(j)
	best, class, most := int32(-1), 9, int32(0)
	for i := range p.fleet.groups {
		g := &p.fleet.groups[i]
		m := top(&g.heap)
		if m < 0 || !p.typed(g.typ, d.Type) || p.fleet.servers[m].up < d.GPUs {
			continue
		}
		c, slack := 4, p.fleet.servers[m].slack()
		switch room, own := slack >= d.GPUs, g.affinity == d.GPUs; {
		case room && own:
			c = 0
		case room && g.affinity == 0:
			c = 1
		case room:
			c = 2
		case own:
			c = 3
		}
		if c < class || c == class && (slack > most || slack == most && m < best) {
			best, class, most = m, c, slack
		}
	}
	if best < 0 && p.broken {
		return p.search(d.GPUs, d.Type)
	}
	return best
}

// search looks at every server for one that can hold g GPUs: the last resort while GPUs are down,
// when the top of a group need not be its largest server.
func (p *Policy) search(g int32, typ string) int32 {
	best, most := int32(-1), int32(0)
	for m := range p.fleet.servers {
		s := &p.fleet.servers[m]
		if s.up >= g && p.typed(p.fleet.groups[s.group].typ, typ) && (best < 0 || s.slack() > most) {
			best, most = int32(m), s.slack()
		}
	}
	return best
}

func (p *Policy) typed(have, want string) bool { return want == "" || p.oneType || have == want }
