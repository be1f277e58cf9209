package elasticflow

import "tarry/sim"

// step states how many GPUs are free, or given to a job, from a time on.
type step struct {
	at   sim.Time
	gpus int32
}

// steps is a function of time, ascending; before its first step it is 0. The plan of a job ends
// with a step to 0.
type steps []step

// at is the value at a time.
func (s steps) at(t sim.Time) int32 {
	n := int32(0)
	for _, x := range s {
		if x.at > t {
			break
		}
		n = x.gpus
	}
	return n
}

// next is the first change after a time, Never if there is none.
func (s steps) next(t sim.Time) sim.Time {
	for _, x := range s {
		if x.at > t {
			return x.at
		}
	}
	return sim.Never
}

// end is when the last step begins, now at the earliest.
func (s steps) end(now sim.Time) sim.Time {
	if len(s) == 0 {
		return now
	}
	return max(now, s[len(s)-1].at)
}

// push appends a step, unless it changes nothing.
func (s steps) push(at sim.Time, gpus int32) steps {
	if n := len(s); n > 0 && s[n-1].gpus == gpus {
		return s
	}
	return append(s, step{at, gpus})
}

// plus appends to dst the sum of a and sign x b from a time on.
func plus(dst, a, b steps, sign int32, from sim.Time) steps {
	dst = append(dst[:0], step{from, a.at(from) + sign*b.at(from)})
	i, k := 0, 0
	for {
		for i < len(a) && a[i].at <= dst[len(dst)-1].at {
			i++
		}
		for k < len(b) && b[k].at <= dst[len(dst)-1].at {
			k++
		}
		t := sim.Never
		if i < len(a) {
			t = a[i].at
		}
		if k < len(b) {
			t = min(t, b[k].at)
		}
		if t == sim.Never {
			break
		}
		x, y := int32(0), int32(0)
		if i < len(a) && a[i].at == t {
			x = a[i].gpus
		} else if i > 0 {
			x = a[i-1].gpus
		}
		if k < len(b) && b[k].at == t {
			y = b[k].gpus
		} else if k > 0 {
			y = b[k-1].gpus
		}
		dst = append(dst, step{t, x + sign*y})
	}
	n := 1
	for _, x := range dst[1:] {
		if x.gpus != dst[n-1].gpus {
			dst[n] = x
			n++
		}
	}
	return dst[:n]
}

// gpuTime is the integral from a time on, in GPU-microseconds.
func (s steps) gpuTime(from sim.Time) float64 {
	sum := 0.0
	for i, x := range s {
		if i+1 < len(s) && s[i+1].at > from {
			sum += float64(float64(x.gpus) * float64(s[i+1].at-max(from, x.at)))
		}
	}
	return sum
}
