package gandiva

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// compact moves jobs to what an ending job left, and then to what the moved ones left. It looks at
// the servers touched at this instant, at the most crowded server, and at the wide jobs that are
// spread.
func (p *Policy) compact(v *sim.View) {
	for i := 0; i < len(p.touched); i++ {
		p.attract(v, p.touched[i])
	}
	p.closeUp(v)
	p.moved = p.moved[:0]
	for i := 0; i < len(p.touched); i++ {
		p.thin(v, p.touched[i])
	}
	for p.offer(v) { // each move may change which server is the most crowded
	}
}

// offer gives the suspended jobs of the most crowded server what closeUp and thin have freed, and
// empty servers: servers that nothing touched since no job that waited then fitted. It reports
// whether a job moved.
func (p *Policy) offer(v *sim.View) (moved bool) {
	for i := 0; i < len(p.touched); i++ {
		moved = p.attract(v, p.touched[i]) || moved
	}
	for i := range p.fleet.groups {
		if g := &p.fleet.groups[i]; g.affinity == 0 && g.heap.Len() > 0 {
			moved = p.attract(v, top(&g.heap)) || moved
		}
	}
	return moved
}

// attract brings suspended jobs of the most crowded server to a server with free GPUs, and reports
// whether there was one.
func (p *Policy) attract(v *sim.View, m int32) (moved bool) {
	s := &p.fleet.servers[m]
	for !s.promised && s.suspended.len() == 0 {
		if p.fleet.crowded.Len() > 0 {
			p.shrink(v, m)
		}
		free := int32(v.Free().InMachine(int(m)))
		from := top(&p.fleet.crowded)
		if free == 0 || from < 0 || !p.move(v, from, m, free) {
			return moved
		}
		moved = true
	}
	return moved
}

// move takes the first suspended job that fits from one server and starts it on another.
func (p *Policy) move(v *sim.View, from, to, free int32) bool {
	src, typ := &p.fleet.servers[from], p.fleet.groups[p.fleet.servers[to].group].typ
	for i := range min(src.suspended.len(), reach) {
		j := src.suspended.at(i)
		d := p.demand(j)
		if d.GPUs > free || !p.typed(typ, d.Type) || v.Run(j).State() != sim.Waiting {
			continue
		}
		gpus, ok := p.place.On(v, d, to)
		if !ok {
			continue
		}
		src.suspended.take(i)
		p.leave(j)
		p.rehome(j, to)
		p.note(to)
		p.fleet.start(to, j)
		p.grant(v, j, gpus)
		return true
	}
	return false
}

// closeUp moves wide jobs that are spread to a finer level if one has room.
func (p *Policy) closeUp(v *sim.View) {
	for i := range p.visits {
		w := &p.visits[i]
		if w.promised || w.going || w.begun == v.Now() || v.Run(w.job).State() != sim.Running ||
			v.Run(w.job).Level() <= w.finest {
			continue
		}
		d := p.demand(w.job)
		p.place.Vacate(v, w.job, d) // its own GPUs may be part of the new place
		l, ok := p.place.Available(v, d, w.finest)
		var gpus []cluster.GPU
		if ok = ok && l < v.Run(w.job).Level(); ok {
			gpus, ok = p.place.PlaceWithin(v, d, l)
		}
		if !ok {
			p.place.Keep(v, w.job, d)
			continue
		}
		p.out = append(p.out, sim.Decision{Kind: sim.Migrate, Job: w.job, GPUs: gpus})
		p.book(w, -1)
		p.attach(v, w, gpus)
	}
}

// thin empties a server that is nearly empty: each of its jobs moves to the fuller server that it
// fits best, as long as there is one.
func (p *Policy) thin(v *sim.View, m int32) {
	s := &p.fleet.servers[m]
	if s.promised || s.suspended.len() > 0 || s.visited > 0 {
		return
	}
	for i := len(s.running) - 1; i >= 0; i-- {
		free := v.Free().InMachine(int(m))
		if float64(free) < float64(p.cfg.defrag*float64(s.up)) {
			return
		}
		j := s.running[i]
		if v.Run(j).State() != sim.Running || slices.Contains(p.moved, j) || p.mateOf(j) != sim.NoJob || p.fixed(v, j) {
			continue
		}
		d, ok := p.demand(j), false
		if p.buf, ok = v.Free().Of(d.Type).At(p.buf[:0], int(d.GPUs), cluster.LevelMachine, cluster.BestFit); !ok {
			return
		}
		to := int32(v.Topology().Machine(p.buf[0]))
		t := &p.fleet.servers[to]
		if to == m || v.Free().InMachine(int(to)) >= free || t.promised || t.suspended.len() > 0 {
			return
		}
		gpus, ok := p.place.On(v, d, to)
		if !ok {
			return
		}
		p.out = append(p.out, sim.Decision{Kind: sim.Migrate, Job: j, GPUs: gpus})
		p.moved = append(p.moved, j)
		p.place.Vacate(v, j, d)
		p.fleet.stop(m, j)
		p.leave(j)
		p.rehome(j, to)
		p.note(to)
		p.fleet.start(to, j)
	}
}
