package replay

import (
	"math"

	"tarry/env"
	"tarry/env/vec"
)

// Scale is the size of rewards: the running deviation of the discounted return. Rewards are kept
// as they were and divided when they are learned from, so that old and new ones have one scale.
type Scale struct {
	moments *env.Moments
	returns []float64 // discounted return so far, by environment
}

// NewScale is for that many environments.
func NewScale(envs int) *Scale { return &Scale{env.NewMoments(1), make([]float64, envs)} }

// Add takes in a step of all environments and the discount over each.
func (s *Scale) Add(b *vec.Batch, discount []float64) {
	for i, r := range b.Reward {
		s.returns[i] = float64(s.returns[i]*discount[i]) + r
	}
	s.moments.Add(s.returns)
	for i := range s.returns {
		if b.Done(i) {
			s.returns[i] = 0
		}
	}
}

// Value is what to divide rewards by; 1 for a Scale that is nil.
func (s *Scale) Value() float64 {
	if s == nil {
		return 1
	}
	return math.Sqrt(s.moments.Var(0) + 1e-8)
}
