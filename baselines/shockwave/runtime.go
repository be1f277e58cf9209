package shockwave

import "math"

// elapsedS is the length of the epochs that are done, s.
func (m *member) elapsedS() (sum float64) {
	m.count(m.progress, func(b int32, n float64) { sum += float64(n * m.epochS(b)) })
	return sum
}

// meanS is the mean length of the epochs seen so far, the present one included, s.
func (m *member) meanS() float64 {
	sum, all := 0.0, 0.0
	m.count(min(m.progress+1, m.epochs), func(b int32, n float64) {
		sum += float64(n * m.epochS(b))
		all += n
	})
	return sum / all
}

// remainingS predicts the remaining time of a job, s. The sizes of its E epochs are taken as drawn
// from a categorical law with a Dirichlet prior of weight E in equal parts for the possible sizes.
// With the epochs seen, the present one included, the mean of the posterior gives how many of E
// epochs have each size; those seen are taken off, and the lengths of the rest are scaled to the
// epochs that are left.
func (m *member) remainingS() float64 {
	left := float64(m.epochs - m.progress)
	if left <= 0 {
		return 1
	}
	e, seen := float64(m.epochs), min(m.progress+1, m.epochs)
	prior := e / float64(len(m.modes))
	sum, all := 0.0, 0.0
	for i := range m.modes {
		n := 0.0
		m.count(seen, func(b int32, k float64) {
			if b == m.modes[i].batch {
				n += k
			}
		})
		x := e * (prior + n) / (e + float64(seen))
		if off := min(n, math.Floor(x)); off > 0 {
			x -= off
		}
		all += x
		sum += float64(x * m.epochS(m.modes[i].batch))
	}
	return sum * left / max(left, math.Floor(all+1))
}

// calibrate corrects the lengths of epochs where the epochs measured in a range of time differ by
// more than 40 % from the epochs that the lengths give.
func (m *member) calibrate() {
	if !(m.measured.epochs > 0) || !(m.rangeS > 0) {
		return
	}
	var given, used float64
	last := m.batch[0]
	open := true
	m.count(m.epochs, func(b int32, n float64) {
		if !open {
			return
		}
		one := m.epochS(b) / m.scale
		fit := min(n, math.Floor((m.rangeS-used)/one))
		given += fit
		used += float64(fit * one)
		last, open = b, fit == n
	})
	given += (m.rangeS - used) / m.epochS(last)
	if given > 0 && math.Abs(m.measured.epochs-given)/given > 0.4 {
		m.scale = given / m.measured.epochs
	}
}
