package search

import (
	"math/bits"

	"tarry/sim/rng"
)

// draws hands out the words of a stream, made many at a time. What is left over at the end of a
// search is thrown away.
type draws struct {
	src *rng.Stream
	buf []uint64
	at  int
}

const atOnce = 1024

func (d *draws) open() {
	if d.buf == nil {
		d.buf = make([]uint64, atOnce)
	}
	d.at = len(d.buf)
}

// word is 64 random bits.
func (d *draws) word() uint64 {
	if d.at == len(d.buf) {
		d.src.Words(d.buf)
		d.at = 0
	}
	w := d.buf[d.at]
	d.at++
	return w
}

// index is uniform in 0..n-1.
func (d *draws) index(n int) int {
	hi, _ := bits.Mul64(d.word(), uint64(n)) // off by less than n in 2^64
	return int(hi)
}

// chance is a probability as a threshold of 32 bits.
func chance(p float64) uint64 { return uint64(p * (1 << 32)) }

// hit reports whether an event of such a chance happens.
func (d *draws) hit(chance uint64) bool { return d.word()>>32 < chance }

// shuffle puts 0..len(out)-1 into random order.
func (d *draws) shuffle(out []int32) {
	for i := range out {
		k := d.index(i + 1)
		out[i] = out[k]
		out[k] = int32(i)
	}
}

// binomial gives how many of n trials of chance 1/n succeed. The table is odds'.
func (d *draws) binomial(table []uint64) int {
	w, k := d.word(), 0
	for k < len(table) && w >= table[k] {
		k++
	}
	return k
}

// odds appends the thresholds of binomial: the chance of at most 0, 1, ... successes, up to one
// that is all but certain.
func odds(n int, out []uint64) []uint64 {
	p := 1 / float64(n)
	at, sum := 1.0, 0.0
	for range n {
		at *= 1 - p
	}
	if n == 1 {
		return append(out, 0) // it always succeeds
	}
	for k := range n {
		sum += at
		if sum > 1-1e-15 {
			break
		}
		out = append(out, uint64(sum*(1<<63))<<1)
		at *= float64(n-k) / float64(k+1) * p / (1 - p)
	}
	return out
}
