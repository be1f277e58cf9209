package search

import "math/bits"

const tenth = 0x1999999a // of 32 bits

// mutate changes a child: rows go back to the present state, lose nodes, and grow where GPUs are free.
func (s *Search) mutate(o *one) {
	b := &s.b
	for i := range o.info {
		w := s.draws.word()
		if w>>32 >= tenth && w&0xffffffff >= tenth {
			continue
		}
		row := o.rows[i*b.w : (i+1)*b.w]
		if w>>32 < tenth {
			copy(row, b.base[i*b.w:(i+1)*b.w])
			o.info[i].stale = true
		}
		if w&0xffffffff < tenth {
			s.lose(o, i, row)
		}
	}
	s.tally(o)
	s.grow(o)
	if b.restricted {
		s.fill(o)
	}
}

// lose takes each node from a row with a chance of a tenth.
func (s *Search) lose(o *one, i int, row []uint64) {
	for k, w := range row {
		for m := some(w); m != 0; m &= m - 1 {
			if s.draws.hit(tenth) {
				row[k] &^= 0xff << (bits.TrailingZeros64(m) / 8 * 8)
				o.info[i].stale = true
			}
		}
	}
}

// tally counts GPUs in use and jobs of each node.
func (s *Search) tally(o *one) {
	b := &s.b
	for k := range b.w {
		var even, odd, jobsEven, jobsOdd uint64 // four nodes each
		for at := k; at < len(o.rows); at += b.w {
			if w := o.rows[at]; w != 0 {
				even += w & evens
				odd += w >> 8 & evens
				m := some(w) >> 7
				jobsEven += m & evens
				jobsOdd += m >> 8 & evens
			}
		}
		for l := 0; l < lanes && k*lanes+l < b.nodes; l++ {
			u, j := even, jobsEven
			if l%2 == 1 {
				u, j = odd, jobsOdd
			}
			n, shift := k*lanes+l, l/2*16
			s.left[n] = int32(cell(b.caps, n)) - int32(u>>shift&0xffff)
			s.users[n] = int32(j >> shift & 0xffff)
		}
	}
}

// grow raises cells on nodes with a free GPU, to any number from what they are up to the node's: each with a chance of 1/jobs, and cells that are not 0 with
// one of 1/jobs on the node besides.
func (s *Search) grow(o *one) {
	b := &s.b
	marks := s.marks[:len(o.rows)]
	clear(marks)
	for k := range b.w {
		free := uint64(0) // high bits of the nodes with a free GPU
		for l := 0; l < lanes && k*lanes+l < b.nodes; l++ {
			if s.left[k*lanes+l] <= 0 {
				continue
			}
			bit := uint64(0x80) << (l * 8)
			free |= bit
			for n := s.draws.binomial(b.odds); n > 0; {
				if at := s.draws.index(len(o.info))*b.w + k; marks[at]&bit == 0 {
					marks[at] |= bit
					n--
				}
			}
		}
		if free == 0 {
			continue
		}
		i := 0
		for at := k; at < len(o.rows); at += b.w {
			m := marks[at]
			for on := some(o.rows[at]) & free; on != 0; on &= on - 1 {
				l := bits.TrailingZeros64(on) / 8
				if s.draws.word()>>32 < s.shares[min(int(s.users[k*lanes+l]), len(s.shares)-1)] {
					m |= 0x80 << (l * 8)
				}
			}
			if m != 0 {
				s.raise(o, i, k, m)
			}
			i++
		}
	}
}

// raise draws the cells of a word of a row anew that are marked.
func (s *Search) raise(o *one, i, k int, marks uint64) {
	b := &s.b
	marks &= b.allowed[i*b.w+k]
	w := o.rows[i*b.w+k]
	for ; marks != 0; marks &= marks - 1 {
		shift := bits.TrailingZeros64(marks) / 8 * 8
		has, top := int(w>>shift&0xff), int(b.caps[k]>>shift&0xff)
		if has < top {
			w += uint64(s.draws.index(top-has+1)) << shift
		}
	}
	if w != o.rows[i*b.w+k] {
		o.rows[i*b.w+k] = w
		o.info[i].stale = true
	}
}

// fill raises changed rows that have less than their least to it where GPUs are free, from some node on.
func (s *Search) fill(o *one) {
	b := &s.b
	ready := false
	for i := range o.info {
		j := &b.jobs[i]
		if j.least == 1 || !o.info[i].stale {
			continue
		}
		row := o.rows[i*b.w : (i+1)*b.w]
		_, gpus := measure(row)
		if gpus == 0 || gpus >= int(j.least) {
			continue
		}
		if !ready {
			s.tally(o)
			ready = true
		}
		n := s.draws.index(b.nodes)
		for range b.nodes {
			if left := int(s.left[n]); left > 0 && cell(b.allowed[i*b.w:], n) != 0 && gpus < int(j.least) {
				give := min(left, int(j.least)-gpus)
				setCell(row, n, cell(row, n)+give)
				s.left[n] -= int32(give)
				gpus += give
			}
			if n++; n == b.nodes {
				n = 0
			}
		}
	}
}
