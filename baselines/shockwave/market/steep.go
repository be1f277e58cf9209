package market

import "math"

// digit is how many bits of a key one pass of the sort looks at.
const digit = 11

// keyed is a step with its place in the order.
type keyed struct {
	key uint64
	at  int32 // in the list before
}

// steepest sorts steps by worth per GPU, the largest first; equal ones keep their order. It is a
// radix sort: windows have ten thousand steps, whose comparisons would take most of the time.
func (s *Solver) steepest(p *Problem) {
	n := len(s.steps)
	s.keys, s.other = resize(s.keys, n), resize(s.other, n)
	all, some := uint64(math.MaxUint64), uint64(0)
	for i := range s.steps {
		t := &s.steps[i]
		k := falling(t.worth / float64(p.Jobs[t.job].GPUs))
		s.keys[i] = keyed{k, int32(i)}
		all, some = all&k, some|k
	}
	for shift := 0; shift < 64; shift += digit {
		if (all^some)>>shift&(1<<digit-1) == 0 {
			continue // the same in all
		}
		var count [1 << digit]int32
		for _, x := range s.keys {
			count[x.key>>shift&(1<<digit-1)]++
		}
		sum := int32(0)
		for d, c := range count {
			count[d] = sum
			sum += c
		}
		for _, x := range s.keys {
			d := x.key >> shift & (1<<digit - 1)
			s.other[count[d]] = x
			count[d]++
		}
		s.keys, s.other = s.other, s.keys
	}
	s.sorted = s.sorted[:0]
	for _, x := range s.keys {
		s.sorted = append(s.sorted, s.steps[x.at])
	}
	s.steps, s.sorted = s.sorted, s.steps
}

// falling maps numbers to keys in the opposite order; both zeros have one key.
func falling(x float64) uint64 {
	k := math.Float64bits(x + 0)
	if k>>63 == 0 {
		return ^(k | 1<<63)
	}
	return k
}

// resize gives a slice of some length, with the memory of an earlier one where that is enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
