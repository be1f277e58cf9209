package rng

import "math/bits"

// Words fills out with what as many calls of Uint64 give.
func (s *Stream) Words(out []uint64) {
	for i := range out {
		out[i] = s.src.Uint64()
	}
}

// Indices fills out with what as many calls of IntN(n) give, n > 0, on a machine of 64 bits.
func (s *Stream) Indices(out []int, n int) {
	m := Below(n)
	for i := range out {
		at, ok := m.Index(s.src.Uint64())
		for !ok {
			at, ok = m.Index(s.src.Uint64())
		}
		out[i] = at
	}
}

// Range makes indices of words as IntN does.
type Range struct{ n, reject uint64 }

// Below is the range of [0, n), n > 0.
func Below(n int) Range { return Range{uint64(n), -uint64(n) % uint64(n)} }

// Index gives the index that IntN makes of a word of the stream; false when it takes the next word instead: Lemire, "Fast random
// integer generation in an interval", ACM TOMACS 29(1), 2019, section 4.
func (r Range) Index(word uint64) (int, bool) {
	if r.n&(r.n-1) == 0 {
		return int(word & (r.n - 1)), true
	}
	hi, lo := bits.Mul64(word, r.n)
	return int(hi), lo >= r.reject
}

// Sum adds the entries of a table, as long as the range, at the indices of the words, and counts them.
func (r Range) Sum(table, words []uint64) (sum uint64, drawn int) {
	if r.n&(r.n-1) == 0 {
		for _, w := range words {
			sum += table[w&(r.n-1)]
		}
		return sum, len(words)
	}
	drawn = len(words)
	for _, w := range words {
		hi, lo := bits.Mul64(w, r.n)
		if lo < r.reject {
			drawn--
			continue
		}
		sum += table[hi]
	}
	return sum, drawn
}
