package cluster

import "math/bits"

// bitset is a set of small integers with a summary word per 64 words, level upon
// level, so that the next member after any point is found in a few steps.
type bitset struct {
	levels [][]uint64 // levels[0] holds the members, levels[k+1] which words of levels[k] are not zero
}

func newBitset(n int) bitset {
	var b bitset
	for {
		words := (n + 63) / 64
		b.levels = append(b.levels, make([]uint64, max(words, 1)))
		if words <= 1 {
			return b
		}
		n = words
	}
}

func (b *bitset) set(i int) {
	for _, l := range b.levels {
		w := i >> 6
		old := l[w]
		l[w] = old | 1<<(i&63)
		if old != 0 {
			return
		}
		i = w
	}
}

func (b *bitset) clear(i int) {
	for _, l := range b.levels {
		w := i >> 6
		l[w] &^= 1 << (i & 63)
		if l[w] != 0 {
			return
		}
		i = w
	}
}

// move clears one and sets another.
func (b *bitset) move(from, to int) {
	b.clear(from)
	b.set(to)
}

// next is the smallest member >= i, or -1.
func (b *bitset) next(i int) int {
	for k := 0; k < len(b.levels); k++ {
		l := b.levels[k]
		w := i >> 6
		if w >= len(l) {
			return -1
		}
		if m := l[w] >> (i & 63); m != 0 {
			i += bits.TrailingZeros64(m)
			for ; k > 0; k-- {
				i = i<<6 | bits.TrailingZeros64(b.levels[k-1][i])
			}
			return i
		}
		i = w + 1
	}
	return -1
}

// prev is the largest member <= i, or -1.
func (b *bitset) prev(i int) int {
	for k := 0; k < len(b.levels); k++ {
		if i < 0 {
			return -1
		}
		l := b.levels[k]
		w := i >> 6
		if w >= len(l) {
			w, i = len(l)-1, len(l)<<6-1
		}
		if m := l[w] << (63 - i&63); m != 0 {
			i -= bits.LeadingZeros64(m)
			for ; k > 0; k-- {
				i = i<<6 | (63 - bits.LeadingZeros64(b.levels[k-1][i]))
			}
			return i
		}
		i = w - 1
	}
	return -1
}

func (b *bitset) copyFrom(o *bitset) {
	for k := range b.levels {
		copy(b.levels[k], o.levels[k])
	}
}
