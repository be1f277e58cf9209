// Package victim is which jobs give their GPUs up for a blocked one.
package victim

import "tarry/sim"

// Choice is which jobs go, of the jobs later in the order that may.
type Choice uint8

// The choices. OneByOne takes the last in order and holds the contest before the next one goes, so
// that others may take what is free in between; the rest choose all that is needed at once.
const (
	OneByOne Choice = iota
	// LastInOrder takes the last in order first.
	LastInOrder
	// LeastLost takes the job of which a kill undoes the least GPU-time.
	LeastLost
	// LeastLostPerGPU takes the job with the least of it per GPU that the blocked job needs.
	LeastLostPerGPU
	// AnyVictim takes one by a hash of the job and the instant: a placebo.
	AnyVictim
)

// Names are the names of the choices, in their order.
func Names() []string {
	return []string{"one-by-one", "last", "least-lost", "least-lost-per-gpu", "random"}
}

// Lost is the GPU-time in GPU-seconds that a kill of a running job undoes: what it ran since its
// last checkpoint, on all of its GPUs.
func Lost(v *sim.View, j sim.JobID) float64 {
	return v.Run(j).Unsaved().Seconds() * float64(len(v.Run(j).Held()))
}

// Score is what a running job has in the choice: the smallest goes. key is its key in the order, use
// how many of its GPUs the blocked job can use, lacks how many that still needs; both > 0.
func (k Choice) Score(v *sim.View, j sim.JobID, key float64, use, lacks int) float64 {
	switch k {
	case LeastLost:
		return Lost(v, j)
	case LeastLostPerGPU:
		return Lost(v, j) / float64(min(use, lacks))
	case AnyVictim:
		return float64(scramble(uint64(v.Now())<<20^uint64(j)) >> 11)
	}
	return -key
}

// scramble is the finaliser of SplitMix64: Steele, Lea and Flood, OOPSLA 2014.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
