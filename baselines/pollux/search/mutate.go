package search

import "math/bits"

const tenth = 0x1999999a // of 32 bits

// mutate changes a child: rows go back to the present state, lose nodes, and grow where GPUs are
// free.
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

// tally counts the GPUs of each node that are free.
func (s *Search) tally(o *one) {
	b := &s.b
	for n := range b.nodes {
		s.left[n] = int32(cell(b.caps, n))
		for at := n / lanes; at < len(o.rows); at += b.w {
			s.left[n] -= int32(o.rows[at] >> (n % lanes * 8) & 0xff)
		}
	}
}

// column is what is used of the eight nodes of a word: sums and jobs of the four even and the four
// odd ones, 16 bits each.
type column struct{ even, odd, jobsEven, jobsOdd uint64 }

func (b *board) column(rows []uint64, k int) (c column) {
	for at := k; at < len(rows); at += b.w {
		if w := rows[at]; w != 0 {
			c.even += w & evens
			c.odd += w >> 8 & evens
			m := some(w) >> 7
			c.jobsEven += m & evens
			c.jobsOdd += m >> 8 & evens
		}
	}
	return c
}

// free has the high bit of each node that has a free GPU.
func (c *column) free(caps uint64) uint64 {
	even := (caps&evens | tops) - c.even - sums // a lane keeps its top bit where a GPU is left after one more
	odd := (caps>>8&evens | tops) - c.odd - sums
	return even&tops>>8 | odd&tops
}

// users is how many jobs are on a node of the word.
func (c *column) users(lane int) int {
	w := c.jobsEven
	if lane%2 == 1 {
		w = c.jobsOdd
	}
	return int(w >> (lane / 2 * 16) & 0xffff)
}

// grow raises cells on nodes with a free GPU, to any number from what they are up to the node's:
// each with a chance of 1/jobs, and cells that are not 0 with one of 1/jobs on the node besides.
func (s *Search) grow(o *one) {
	b := &s.b
	for k := range b.w {
		c := b.column(o.rows, k)
		free := c.free(b.caps[k])
		if free == 0 {
			continue
		}
		marks := s.marks[:len(o.info)]
		clear(marks)
		var shares [lanes]uint64
		for m := free; m != 0; m &= m - 1 {
			bit, l := m&-m, bits.TrailingZeros64(m)/8
			shares[l] = s.shares[min(c.users(l), len(s.shares)-1)]
			for n := s.draws.binomial(b.odds); n > 0; {
				if i := s.draws.index(len(marks)); marks[i]&bit == 0 {
					marks[i] |= bit
					n--
				}
			}
		}
		for i, m := range marks {
			for on := some(o.rows[i*b.w+k]) & free; on != 0; on &= on - 1 {
				if s.draws.word()>>32 < shares[bits.TrailingZeros64(on)/8] {
					m |= on & -on
				}
			}
			if m != 0 {
				s.raise(o, i, k, m)
			}
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

// fill raises changed rows that have less than their least to it where GPUs are free: on one node,
// from some node on, that can hold what is missing, else on any.
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
		missing := int(j.least) - gpus
		from := s.draws.index(b.nodes)
		missing = s.pour(row, b.allowed[j.first:], from, missing, missing)
		s.pour(row, b.allowed[j.first:], from, missing, 1)
	}
}

// pour adds missing GPUs to a row on allowed nodes with at least some free, from a node on, and
// gives how many are missing still.
func (s *Search) pour(row, allowed []uint64, from, missing, some int) int {
	for k := range s.b.nodes {
		if missing == 0 {
			break
		}
		n := (from + k) % s.b.nodes
		if left := int(s.left[n]); left >= some && cell(allowed, n) != 0 {
			give := min(left, missing)
			setCell(row, n, cell(row, n)+give)
			s.left[n] -= int32(give)
			missing -= give
		}
	}
	return missing
}
