package ones

import (
	"cmp"
	"slices"
)

// window is how many measurements of a count are averaged.
const window = 5

// measured is the throughput on one count: the last measurements.
type measured struct {
	gpus int32
	n    int32 // measurements so far
	last [window]float64
}

func (m *measured) mean() float64 {
	k := min(m.n, window)
	sum := 0.0
	for _, x := range m.last[:k] {
		sum += x
	}
	return sum / float64(k)
}

// speeds are the throughputs that a job has measured, by count ascending.
type speeds []measured

// note adds a measurement, > 0.
func (s speeds) note(gpus int32, x float64) speeds {
	i, found := slices.BinarySearchFunc(s, gpus, func(m measured, g int32) int { return cmp.Compare(m.gpus, g) })
	if !found {
		s = slices.Insert(s, i, measured{gpus: gpus})
	}
	m := &s[i]
	m.last[m.n%window] = x
	m.n++
	return s
}

// at is the throughput on a count: interpolated, or on the line through the two nearest counts.
// With more GPUs it is at most in proportion, and at least a tenth of the nearest; with fewer at
// least in proportion. 0 where nothing is measured.
func (s speeds) at(gpus int32) float64 {
	n := len(s)
	if n == 0 {
		return 0
	}
	i, found := slices.BinarySearchFunc(s, gpus, func(m measured, g int32) int { return cmp.Compare(m.gpus, g) })
	if found {
		return s[i].mean()
	}
	a, b := max(0, min(i-1, n-2)), min(n-1, max(i, 1)) // the two counts of the line
	x, y := s[a].mean(), s[b].mean()
	line := x
	if a != b {
		line += float64((y-x)/float64(s[b].gpus-s[a].gpus)) * float64(gpus-s[a].gpus)
	}
	switch {
	case i == n:
		near := s[n-1].mean()
		part := float64(near*float64(gpus)) / float64(s[n-1].gpus)
		if n == 1 {
			return part
		}
		return max(near/10, min(line, part))
	case i == 0:
		part := float64(s[0].mean()*float64(gpus)) / float64(s[0].gpus)
		if n == 1 {
			return part
		}
		return max(line, part)
	}
	return line
}
