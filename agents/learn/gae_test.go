package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim/rng"
)

// byHand is two environments and three steps; the first is cut by a time limit after its
// second step, the second ends after its second.
func byHand() *Rollout {
	return &Rollout{
		Envs:       2,
		Reward:     []float64{1, 2, 3, 4, 5, 6},
		Value:      []float64{10, 20, 30, 40, 50, 60},
		Next:       []float64{30, 40, 100, math.NaN(), 70, 80}, // NaN: nobody may look at it
		Terminated: []bool{false, false, false, true, false, false},
		Truncated:  []bool{false, false, true, false, false, false},
		Discount:   []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
	}
}

func TestGAEByHand(t *testing.T) {
	r := byHand()
	adv := make([]float64, 6)
	GAE(adv, r, 0.5)
	// env 0: 5+35-50 = -10; cut: 3+50-30 = 23; 1+15-10 + 23/4 = 11.75
	// env 1: 6+40-60 = -14; ended: 4-40 = -36; 2+20-20 - 36/4 = -7
	for i, want := range []float64{11.75, -7, 23, -36, -10, -14} {
		if adv[i] != want {
			t.Errorf("advantage %d is %g, want %g", i, adv[i], want)
		}
	}
}

// bruteGAE sums discounted deltas forward from each step, as the definition says.
func bruteGAE(r *Rollout, lambda float64, at int) float64 {
	sum, weight := 0.0, 1.0
	for i := at; i < len(r.Reward); i += r.Envs {
		next := r.Next[i]
		if r.Terminated[i] {
			next = 0
		}
		sum += weight * (r.Reward[i] + r.Discount[i]*next - r.Value[i])
		if r.Terminated[i] || r.Truncated[i] {
			break
		}
		weight *= r.Discount[i] * lambda
	}
	return sum
}

func TestGAEByBruteForce(t *testing.T) {
	s := draws("gae")
	for trial := range 200 {
		envs, n := 1+s.IntN(4), 0
		n = envs * (1 + s.IntN(30))
		r := &Rollout{Envs: envs}
		for range n {
			r.Reward = append(r.Reward, s.NormFloat64())
			r.Value = append(r.Value, s.NormFloat64())
			r.Next = append(r.Next, s.NormFloat64())
			r.Terminated = append(r.Terminated, s.IntN(6) == 0)
			r.Truncated = append(r.Truncated, s.IntN(6) == 0)
			r.Discount = append(r.Discount, 1-0.3*s.Float64())
		}
		adv, lambda := make([]float64, n), s.Float64()
		GAE(adv, r, lambda)
		for i := range adv {
			if want := bruteGAE(r, lambda, i); !(math.Abs(adv[i]-want) <= 1e-12*max(1, math.Abs(want))) {
				t.Fatalf("trial %d: advantage %d is %g, by definition %g", trial, i, adv[i], want)
			}
		}
	}
}

// With lambda 1 advantage plus value is the discounted return.
func TestGAEOfLambdaOneIsTheReturn(t *testing.T) {
	r := &Rollout{Envs: 1, Reward: []float64{1, 1, 1}, Value: []float64{7, -3, 2}, Next: []float64{-3, 2, 0},
		Terminated: []bool{false, false, true}, Truncated: make([]bool, 3), Discount: []float64{0.9, 0.8, 0.7}}
	adv := make([]float64, 3)
	GAE(adv, r, 1)
	if got, want := adv[0]+r.Value[0], 1+0.9*(1+0.8); math.Abs(got-want) > 1e-12 {
		t.Errorf("return is %g, want %g", got, want)
	}
}

// draws is a stream of random numbers.
func draws(name string) *rand.Rand { return rng.Source{Seed: 1}.Stream(name).Rand }
