package vec

import (
	"fmt"
	"math"

	"tarry/env"
	"tarry/internal/fixmath"
	"tarry/internal/pack"
)

// Normalizer scales batches by running moments that all environments share: observations to mean
// 0 and variance 1, rewards by the standard deviation of the discounted return (Engstrom et al.
// 2020, "Implementation matters in deep policy gradients", section 3). Both are clipped at 10. It
// sees whole batches, so the number of workers does not move it. Save it with the weights; freeze
// it to evaluate.
type Normalizer struct {
	obs, ret *env.Moments // nil = not normalised
	gamma    float64
	returns  []float64 // discounted return so far, by environment
	frozen   bool
}

// NormalizerConfig states what to normalise.
type NormalizerConfig struct {
	// Obs and Reward turn on the normalisation of each.
	Obs, Reward bool
	// Gamma is the discount per unit of Elapsed, in [0, 1]; used for rewards only.
	Gamma float64
}

// clip bounds normalised values, as in Gymnasium and Stable-Baselines3.
const clip = 10

// NewNormalizer makes a normaliser for batches of v.
func NewNormalizer(v *Vec, cfg NormalizerConfig) (*Normalizer, error) {
	if !(cfg.Gamma >= 0 && cfg.Gamma <= 1) {
		return nil, fmt.Errorf("vec: gamma is %v, expected a number in [0, 1]", cfg.Gamma)
	}
	n := &Normalizer{gamma: cfg.Gamma}
	if cfg.Obs {
		n.obs = env.NewMoments(v.spec.Observation.Len())
	}
	if cfg.Reward {
		n.ret, n.returns = env.NewMoments(1), make([]float64, v.N())
	}
	return n, nil
}

// Freeze stops (or resumes) the learning of moments; scaling continues with those learnt.
func (n *Normalizer) Freeze(frozen bool) { n.frozen = frozen }

// Reset takes in the batch of a Reset and scales it in place.
func (n *Normalizer) Reset(b *Batch) {
	clear(n.returns)
	n.scaleObs(b)
}

// Step takes in the batch of a Step and scales it in place. Final observations are scaled by the
// same moments, which only learn from Obs: a state is not counted twice.
func (n *Normalizer) Step(b *Batch) {
	if n.ret != nil {
		n.scaleReward(b)
	}
	n.scaleObs(b)
}

func (n *Normalizer) scaleReward(b *Batch) {
	for i, r := range b.Reward {
		g := n.gamma
		if b.Elapsed[i] != 1 {
			g = fixmath.Pow(g, b.Elapsed[i])
		}
		n.returns[i] = float64(n.returns[i]*g) + r
	}
	if !n.frozen {
		n.ret.Add(n.returns)
	}
	sd := math.Sqrt(n.ret.Var(0) + 1e-8)
	for i := range b.Reward {
		b.Reward[i] = max(-clip, min(clip, b.Reward[i]/sd))
		if b.Done(i) {
			n.returns[i] = 0
		}
	}
}

func (n *Normalizer) scaleObs(b *Batch) {
	if n.obs == nil {
		return
	}
	if !n.frozen {
		n.obs.Add(b.Obs)
	}
	n.Observe(b.Obs)
	n.Observe(b.FinalObs)
}

// Observe scales observations in place, one after the other, without learning from them: what an
// agent that acts alone does with what it sees.
func (n *Normalizer) Observe(rows []float64) {
	if n.obs == nil {
		return
	}
	k := n.obs.Len()
	for i := range rows {
		rows[i] = n.obs.Scale(i%k, rows[i], clip)
	}
}

const normalizerRecord = "tarry/normalizer/1"

// MarshalBinary saves the moments and the returns under way.
func (n *Normalizer) MarshalBinary() ([]byte, error) {
	w := pack.NewWriter(normalizerRecord)
	for _, m := range []*env.Moments{n.obs, n.ret} {
		w.Bool(m != nil)
		if m != nil {
			data, err := m.MarshalBinary()
			if err != nil {
				return nil, err
			}
			w.Bytes(data)
		}
	}
	w.Float64(n.gamma)
	w.Int(len(n.returns))
	w.Float64s(n.returns)
	return w.Seal(), nil
}

// UnmarshalBinary sets a normaliser of the same configuration to a saved one. The number of
// environments may differ (an evaluation needs one): returns under way then start at 0.
func (n *Normalizer) UnmarshalBinary(data []byte) error {
	r := pack.NewReader(normalizerRecord, data)
	fresh := Normalizer{frozen: n.frozen, gamma: n.gamma, returns: make([]float64, len(n.returns))}
	for _, m := range []struct {
		from *env.Moments
		to   **env.Moments
	}{{n.obs, &fresh.obs}, {n.ret, &fresh.ret}} {
		if has := r.Bool(); r.Err() != nil || has != (m.from != nil) {
			r.Fail(fmt.Errorf("another choice of what is normalised"))
			continue
		}
		if m.from == nil {
			continue
		}
		*m.to = env.NewMoments(m.from.Len())
		if state := r.Bytes(); r.Err() == nil {
			if err := (*m.to).UnmarshalBinary(state); err != nil {
				r.Fail(err)
			}
		}
	}
	if g := r.Float64(); r.Err() == nil && g != n.gamma {
		r.Fail(fmt.Errorf("gamma is %v, expected %v", g, n.gamma))
	}
	saved := make([]float64, 0)
	if k := r.Int(); r.Err() == nil && k >= 0 && k <= len(data)/8 {
		saved = make([]float64, k)
	}
	r.Float64s(saved)
	if err := r.Close(); err != nil {
		return fmt.Errorf("vec: normaliser: %w", err)
	}
	if len(saved) == len(fresh.returns) {
		copy(fresh.returns, saved)
	}
	*n = fresh
	return nil
}
