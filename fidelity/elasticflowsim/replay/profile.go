package replay

import (
	"math"
	"slices"
)

// point states how many GPUs are free, or given, from a time on, in seconds.
type point struct {
	at   int64
	gpus int32
}

// steps is a function of time, ascending; it keeps its last value.
type steps []point

// find is the first point not before t, and whether it is at t.
func (s steps) find(t int64) (int, bool) {
	for i := range s {
		if s[i].at >= t {
			return i, s[i].at == t
		}
	}
	return len(s), false
}

// has reports whether there is a point at t.
func (s steps) has(t int64) bool {
	_, ok := s.find(t)
	return ok
}

// on is the value of the point at t, 0 where there is none.
func (s steps) on(t int64) int32 {
	if i, ok := s.find(t); ok {
		return s[i].gpus
	}
	return 0
}

// set puts a point at t, or overwrites the point that is there.
func (s steps) set(t int64, gpus int32) steps {
	i, ok := s.find(t)
	if ok {
		s[i].gpus = gpus
		return s
	}
	return slices.Insert(s, i, point{t, gpus})
}

// before is the value of the last point before t, other where there is none.
func (s steps) before(t int64, other int32) int32 {
	for i := range s {
		if s[i].at >= t {
			break
		}
		other = s[i].gpus
	}
	return other
}

// merged drops points that repeat the value before.
func (s steps) merged() steps {
	out := s[:0]
	for i, p := range s {
		if i == 0 || out[len(out)-1].gpus != p.gpus {
			out = append(out, p)
		}
	}
	return out
}

// gpuTime is the integral up to an end, in GPU-seconds.
func (s steps) gpuTime(end int64) float64 {
	sum := 0.0
	for i, p := range s {
		to := end
		if i+1 < len(s) {
			to = s[i+1].at
		}
		sum += float64(int64(p.gpus) * (to - p.at))
	}
	return sum
}

// align is a time as start and a whole number of slots, not before it.
func align(start, t, slot int64) int64 {
	n := (t - start) / slot
	if (t-start)%slot > 0 {
		n++
	}
	return start + n*slot
}

// ceil is the next whole second.
func ceil(s float64) int64 {
	if !(math.Abs(s) < 1e15) {
		return 1e15
	}
	return int64(math.Ceil(s))
}
