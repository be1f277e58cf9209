package delaytimer

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
)

// Classes is the number of classes of demand.
const Classes = 6

// class is a demand's class on machines of m GPUs.
func class(gpus, m int) int {
	switch {
	case 4*gpus <= m:
		return 0
	case 2*gpus <= m:
		return 1
	case gpus <= m:
		return 2
	case gpus <= 2*m:
		return 3
	case gpus <= 4*m:
		return 4
	}
	return 5
}

// base of the logarithmic scale: a = 1 is so many leases, a = 0 one.
const base = 60

// Encode gives the action for a timer in leases, between -1 and 1; the scale ends at 60 leases, and
// 1/60 lease or less is 0.
func Encode(leases float64) float64 {
	if leases <= 1./base {
		return -1
	}
	return min(1, math.Log(leases)/math.Log(base))
}

// decode gives the timer for an action.
func decode(a float64, lease sim.Time) sim.Time {
	if a <= -1 {
		return 0
	}
	return whole(fixmath.Pow(base, min(a, 1)), lease)
}

// whole rounds a time in leases to seconds, far coarser than the last bits of a power.
func whole(leases float64, lease sim.Time) sim.Time {
	return sim.Time(math.Round(float64(leases*lease.Seconds()))) * sim.Second
}

// coded is a timer as an observation: where Encode puts it, from 0 to 1.
func coded(t, lease sim.Time) float64 {
	if t == sim.Never {
		return 1
	}
	return (Encode(float64(t)/float64(lease)) + 1) / 2
}

// grid has the timers of the discrete twin, in leases.
func grid() []float64 { return []float64{0, 1, 3, 6, 12, 24} }

// Pairs lists the pairs (T_rack, T_net) of the discrete twin, in leases; the action is the index.
func Pairs() [][2]float64 {
	var list [][2]float64
	for i, r := range grid() {
		for _, n := range grid()[i:] {
			list = append(list, [2]float64{r, n})
		}
	}
	return list
}

// Pair is the action of the discrete twin for a pair in leases; -1 if it is none of Pairs.
func Pair(rack, net float64) int {
	for i, p := range Pairs() {
		if p == [2]float64{rack, net} {
			return i
		}
	}
	return -1
}
