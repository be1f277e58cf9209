package stages

import "math"

// Times are how long the stages of an iteration keep their resources busy, in seconds, >= 0:
// loading, computing, exchanging gradients. Their sum may be below or above the time of an
// iteration.
type Times [3]float64

// The stages.
const (
	Load = iota
	Compute
	Exchange
)

// Most is how many jobs a group has at most.
const Most = 4

// Sum is the busy time of all stages.
func (t Times) Sum() float64 { return t[Load] + t[Compute] + t[Exchange] }

// repeats is how much two rounds may differ, as a part of the first, to count as equal.
const repeats = 1e-3

// Slots is the time of one round of jobs in an order, at most Most of them, by the recurrence of
// Muri's simulator.
func Slots(order []Times) float64 {
	var f [2*Most + 1]float64
	for i := range 2 * Most {
		f[i+1] = done(&f, i, order)
		if i < Most {
			continue
		}
		if now, before := f[i+1]-f[i-3], f[i]-f[i-4]; math.Abs(now-before) <= repeats*before {
			return now
		}
	}
	return f[2*Most] - f[Most]
}

// done is when the jobs that have a stage in slot i are done with it; where none has, nothing
// happens. It may be before f(i): a job that loads alone does so from the slot before on.
func done(f *[2*Most + 1]float64, i int, order []Times) float64 {
	at, any := 0.0, false
	note := func(t float64) {
		if !any || t > at {
			at, any = t, true
		}
	}
	if s := (i + 1) % Most; s < len(order) {
		note(f[i] + order[s][Exchange])
	}
	if s := (i + 2) % Most; s < len(order) {
		note(f[i] + order[s][Compute])
	}
	if s := (i + 3) % Most; s < len(order) && i > 0 {
		note(f[i-1] + order[s][Load])
	}
	if !any {
		return f[i]
	}
	return at
}

// Cyclic is the time of one round by the paper's closed form: the sum over slots of the longest
// stage in each. There are as many slots as stages, or as jobs where these are more.
func Cyclic(order []Times) float64 {
	rounds, sum := max(len(Times{}), len(order)), 0.0
	for r := range rounds {
		longest := 0.0
		for i, t := range order {
			if s := (r - i + rounds) % rounds; s < len(t) {
				longest = max(longest, t[s])
			}
		}
		sum += longest
	}
	return sum
}
