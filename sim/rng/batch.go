package rng

import (
	"encoding/binary"
	"math/bits"
)

// many words at a time are made by groups, where the processor can.
const many = 256

// Words fills out with what as many calls of Uint64 give.
func (s *Stream) Words(out []uint64) {
	if vector && len(out) >= many {
		out = s.groups(out)
	}
	for i := range out {
		out[i] = s.src.Uint64()
	}
}

// perGroup is how many numbers a generator makes of one seed.
const perGroup = 124

// groups takes the state out of the generator and puts it back, which is made of a seed and of how many of its numbers are used: see
// math/rand/v2.ChaCha8.MarshalBinary. It gives what it did not fill: all of it when the state is of another form.
func (s *Stream) groups(out []uint64) []uint64 {
	const mark = "chacha8:"
	state, err := s.src.MarshalBinary()
	if err != nil || len(state) != len(mark)+5*8 || string(state[:len(mark)]) != mark {
		return out
	}
	seed, group, used := [4]uint64{}, [perGroup + 4]uint64{}, binary.BigEndian.Uint64(state[8:])
	for i := range seed {
		seed[i] = binary.LittleEndian.Uint64(state[16+8*i:])
	}
	before := out
	for chacha8(&seed, &group); len(out) > 0; {
		if used == perGroup {
			copy(seed[:], group[perGroup:])
			chacha8(&seed, &group)
			used = 0
		}
		n := copy(out, group[used:perGroup])
		out, used = out[n:], used+uint64(n)
	}
	binary.BigEndian.PutUint64(state[8:], used)
	for i, v := range seed {
		binary.LittleEndian.PutUint64(state[16+8*i:], v)
	}
	if s.src.UnmarshalBinary(state) != nil { // leaves the generator as it was
		return before
	}
	return nil
}

// Indices fills out with what as many calls of IntN(n) give, n > 0, on a machine of 64 bits.
func (s *Stream) Indices(out []int, n int) {
	r := Below(n)
	var words [1024]uint64
	for len(out) > 0 {
		some := words[:min(len(words), len(out))] // a word is at most one index
		s.Words(some)
		k := 0
		for _, w := range some {
			if at, ok := r.Index(w); ok {
				out[k] = at
				k++
			}
		}
		out = out[k:]
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
