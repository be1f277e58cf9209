package search

import "math/bits"

// repair makes a state one that can be: first the jobs of several nodes, then each job's maximum,
// then the nodes' GPUs, in the order of the rows.
func (s *Search) repair(o *one) {
	if s.b.avoid {
		s.separate(o)
	}
	s.cut(o)
	s.fit(o)
	if s.b.restricted {
		s.round(o)
	}
}

// separate leaves on each node no row from the second one on that belongs to a job of several
// nodes.
func (s *Search) separate(o *one) {
	b := &s.b
	seen, shut := s.seen[:b.w], s.shut[:b.w]
	clear(seen)
	met := uint64(0)
	for i := range o.info {
		x := &o.info[i]
		row := o.rows[i*b.w : (i+1)*b.w]
		if x.stale {
			nodes, gpus := measure(row)
			x.nodes, x.gpus = uint16(nodes), uint16(gpus)
		}
		if x.nodes > 1 {
			for k, w := range row {
				here := some(w)
				met |= seen[k] & here
				seen[k] |= here
			}
		}
	}
	if met == 0 {
		return
	}
	clear(seen)
	clear(shut)
	for i := range o.info {
		row, wide := o.rows[i*b.w:(i+1)*b.w], o.info[i].nodes > 1
		for k, w := range row {
			if w == 0 {
				continue
			}
			if wide {
				here := some(w)
				shut[k] |= seen[k] & here
				seen[k] |= here
			}
			if left := w &^ spread(shut[k]); left != w {
				row[k] = left
				o.info[i].stale = true
			}
		}
	}
}

// cut takes from each job what is above its maximum, from nodes in random order.
func (s *Search) cut(o *one) {
	b := &s.b
	for i := range o.info {
		if !o.info[i].stale {
			continue
		}
		j := &b.jobs[i]
		row := o.rows[i*b.w : (i+1)*b.w]
		if !j.free {
			for k := range row {
				row[k] &= b.allowed[j.first+k]
			}
		}
		if nodes, gpus := measure(row); gpus > int(j.max) || nodes > int(j.wide) {
			s.cutRow(j, row)
		}
	}
}

func (s *Search) cutRow(j *job, row []uint64) {
	at := s.nodes[:0]
	for k, w := range row {
		for m := some(w); m != 0; m &= m - 1 {
			at = append(at, int32(k*lanes+bits.TrailingZeros64(m)/8))
		}
	}
	gpus, nodes := int(j.max), int(j.wide)
	for k := len(at); k > 0; k-- {
		r := s.draws.index(k)
		n := int(at[r])
		at[r] = at[k-1]
		give := min(gpus, cell(row, n))
		if nodes == 0 {
			give = 0
		}
		if give > 0 {
			gpus -= give
			nodes--
		}
		setCell(row, n, give)
	}
}

// fit gives each node's GPUs out in the order of the rows.
func (s *Search) fit(o *one) {
	b := &s.b
	for k := range b.w {
		left, i := b.caps[k], 0
		for at := k; at < len(o.rows); at += b.w {
			if w := o.rows[at]; w != 0 {
				got := w
				if reaches(left, w) != high {
					got = lesser(w, left)
					o.rows[at] = got
					o.info[i].stale = true
				}
				left -= got
			}
			i++
		}
	}
}

// round empties rows that are below a job's least number, and takes from others what is no full
// step.
func (s *Search) round(o *one) {
	b := &s.b
	for i := range o.info {
		j := &b.jobs[i]
		if j.free || !o.info[i].stale {
			continue
		}
		row := o.rows[i*b.w : (i+1)*b.w]
		_, gpus := measure(row)
		over := gpus % int(j.step)
		if gpus-over < int(j.least) {
			over = gpus
		}
		for n := b.nodes - 1; over > 0; n-- {
			g := cell(row, n)
			take := min(g, over)
			setCell(row, n, g-take)
			over -= take
		}
	}
}

// Repair repairs a state in place. Draws of s choose what a job above its maximum loses.
func (s *Search) Repair(p *Problem, state [][]uint8) {
	s.open(p)
	o := s.b.fresh()
	o.read(&s.b, state)
	s.repair(o)
	for i := range state {
		o.write(&s.b, i, state[i])
	}
}
