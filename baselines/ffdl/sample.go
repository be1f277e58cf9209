package ffdl

// sample draws placements of a gang that fits, and keeps the one with the largest value, the first
// of equals. Pods are alike, so a draw that takes machines with room is always complete.
func (p *Policy) sample(s *shape) {
	b, most := &p.buf, int64(-1)
	for range p.cfg.samples {
		copy(b.now, b.req)
		copy(b.room, b.free)
		copy(b.drawn, b.scores)
		b.trial = b.trial[:0]
		for range s.learners() {
			m := p.draw()
			b.trial = append(b.trial, m)
			b.room[m]--
			b.now[m] = b.now[m].with(s)
			b.drawn[m] = p.cfg.score(b.now[m].with(s))
		}
		value := int64(0)
		for _, m := range b.trial {
			value += p.cfg.score(b.now[m])
		}
		if value > most {
			most = value
			p.order = append(p.order[:0], b.trial...)
		}
	}
}

// draw gives a machine with room, with a probability in proportion to (score + 1)^bias.
func (p *Policy) draw() int32 {
	b, sum, last := &p.buf, 0.0, int32(-1)
	for m, n := range b.room {
		if n > 0 {
			sum += weight(b.drawn[m], p.cfg.most(), p.cfg.bias)
		}
	}
	x := float64(p.draws.Float64() * sum)
	for m, n := range b.room {
		if n == 0 {
			continue
		}
		last = int32(m)
		if x -= weight(b.drawn[m], p.cfg.most(), p.cfg.bias); x < 0 {
			break
		}
	}
	return last // rounding may leave a little of x
}

// weight is (score + 1)^bias, of at most 1, of scores up to most.
func weight(score, most int64, bias int) float64 {
	w, x := 1.0, float64(score+1)/float64(most+1)
	for range bias {
		w = float64(w * x)
	}
	return w
}
