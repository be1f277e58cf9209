package ppo

import (
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/learn"
)

// byHand is two environments and three steps; the first is cut by a time limit after its
// second step, the second ends after its second.
func byHand() *learn.Rollout {
	unread := math.NaN()
	return &learn.Rollout{
		Envs:        2,
		Rewards:     []float64{1, 2, 3, 4, 5, 6},
		Values:      []float64{10, 20, 30, 40, 50, 60},
		NextValues:  []float64{70, 80},
		FinalValues: []float64{unread, unread, 100, unread, unread, unread},
		Terminated:  []bool{false, false, false, true, false, false},
		Truncated:   []bool{false, false, true, false, false, false},
		Discounts:   []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
		Advantages:  make([]float64, 6),
		Returns:     make([]float64, 6),
	}
}

func TestGAEByHand(t *testing.T) {
	r := byHand()
	GAE(r, 0.5)
	// env 0: 5+35-50 = -10; cut: 3+50-30 = 23; 1+15-10 + 23/4 = 11.75
	// env 1: 6+40-60 = -14; ended: 4-40 = -36; 2+20-20 - 36/4 = -7
	for i, want := range []float64{11.75, -7, 23, -36, -10, -14} {
		if r.Advantages[i] != want || r.Returns[i] != want+r.Values[i] {
			t.Errorf("advantage %d is %g, want %g; return %g, want %g", i, r.Advantages[i], want, r.Returns[i],
				want+r.Values[i])
		}
	}
}

// nextValue is the critic's value of what a step led to.
func nextValue(r *learn.Rollout, i int) float64 {
	next := i + r.Envs
	switch {
	case r.Terminated[i]:
		return 0
	case r.Truncated[i]:
		return r.FinalValues[i]
	case next < r.Rows():
		return r.Values[next]
	}
	return r.NextValues[next-r.Rows()]
}

// bruteGAE sums discounted deltas forward from each step, as the definition states.
func bruteGAE(r *learn.Rollout, lambda float64, at int) float64 {
	sum, weight := 0.0, 1.0
	for i := at; i < r.Rows(); i += r.Envs {
		sum += weight * (r.Rewards[i] + r.Discounts[i]*nextValue(r, i) - r.Values[i])
		if r.Terminated[i] || r.Truncated[i] {
			break
		}
		weight *= r.Discounts[i] * lambda
	}
	return sum
}

func TestGAEByBruteForce(t *testing.T) {
	s := agenttest.Draws("gae")
	for trial := range 200 {
		envs := 1 + s.IntN(4)
		r := learn.NewRollout(learn.Width{}, envs, 1+s.IntN(30))
		for i := range r.Rows() {
			r.Rewards[i], r.Values[i], r.FinalValues[i] = s.NormFloat64(), s.NormFloat64(), s.NormFloat64()
			r.Terminated[i], r.Truncated[i] = s.IntN(6) == 0, s.IntN(6) == 0
			r.Discounts[i] = 1 - 0.3*s.Float64()
		}
		for i := range envs {
			r.NextValues[i] = s.NormFloat64()
		}
		lambda := s.Float64()
		GAE(r, lambda)
		for i, got := range r.Advantages {
			if want := bruteGAE(r, lambda, i); !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
				t.Fatalf("trial %d: advantage %d is %g, by definition %g", trial, i, got, want)
			}
		}
	}
}

// With lambda 1 advantage plus value is the discounted return.
func TestGAEOfLambdaOneIsTheReturn(t *testing.T) {
	r := learn.NewRollout(learn.Width{}, 1, 3)
	copy(r.Rewards, []float64{1, 1, 1})
	copy(r.Values, []float64{7, -3, 2})
	copy(r.Discounts, []float64{0.9, 0.8, 0.7})
	r.Terminated[2] = true
	GAE(r, 1)
	if got, want := r.Returns[0], 1+0.9*(1+0.8); math.Abs(got-want) > 1e-12 {
		t.Errorf("return is %g, want %g", got, want)
	}
}
