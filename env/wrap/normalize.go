package wrap

import (
	"fmt"
	"math"
	"slices"

	"tarry/env"
	"tarry/env/layout"
	"tarry/internal/fixmath"
	"tarry/internal/pack"
)

// clip bounds normalised numbers on either side.
const clip = 10

// ObservationNormalizer is the layer that NormalizeObservation makes.
type ObservationNormalizer struct {
	layer
	moments *env.Moments
	frozen  bool
	obs     []float64
}

// NormalizeObservation scales each number of an observation to mean 0 and variance 1 by running
// moments, clipped at 10. A learner over several environments wants one set of moments for all:
// see vec.Normalizer.
func NormalizeObservation(e env.Env) *ObservationNormalizer {
	n := e.Spec().Observation.Len()
	o := &ObservationNormalizer{layer: newLayer(e, "NormalizeObservation"), moments: env.NewMoments(n),
		obs: make([]float64, n)}
	o.spec.Observation = env.NewBox(-clip, clip, n)
	o.spec.Layout.Segments = slices.Clone(o.spec.Layout.Segments)
	for i := range o.spec.Layout.Segments {
		s := &o.spec.Layout.Segments[i]
		s.Features = layout.Ranged(s.Features, fmt.Sprintf("%d..%d", -clip, clip), "in standard deviations from its mean, of")
	}
	return o
}

// Freeze stops (or resumes) the learning of moments; scaling continues with those learnt.
func (o *ObservationNormalizer) Freeze(frozen bool) { o.frozen = frozen }

// Moments are those learnt so far, to save or to load.
func (o *ObservationNormalizer) Moments() *env.Moments { return o.moments }

func (o *ObservationNormalizer) learn(obs []float64) []float64 {
	if !o.frozen {
		o.moments.Add(obs)
	}
	return o.scale(obs)
}

func (o *ObservationNormalizer) scale(obs []float64) []float64 {
	for i, x := range obs {
		o.obs[i] = o.moments.Scale(i, x, clip)
	}
	return o.obs
}

// Reset scales the first observation.
func (o *ObservationNormalizer) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	obs, info, err := o.inner.Reset(seed, options)
	if err != nil {
		return nil, info, err
	}
	return o.learn(obs), info, nil
}

// Step scales the observation.
func (o *ObservationNormalizer) Step(action []float64) (env.Step, error) {
	s, err := o.inner.Step(action)
	if err == nil {
		s.Obs = o.learn(s.Obs)
	}
	return s, err
}

// Snapshot saves the moments too.
func (o *ObservationNormalizer) Snapshot() ([]byte, error) {
	state, err := o.moments.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return o.snapshot("observation", func(w *pack.Writer) { w.Bytes(state) })
}

// Restore sets the moments too.
func (o *ObservationNormalizer) Restore(data []byte) (env.Step, error) {
	s, err := o.restore("observation", data, func(r *pack.Reader) { loadMoments(r, o.moments) })
	if s.Obs != nil {
		s.Obs = o.scale(s.Obs)
	}
	return s, err
}

func loadMoments(r *pack.Reader, m *env.Moments) {
	if state := r.Bytes(); r.Err() == nil {
		if err := m.UnmarshalBinary(state); err != nil {
			r.Fail(err)
		}
	}
}

// RewardNormalizer is the layer that NormalizeReward makes.
type RewardNormalizer struct {
	layer
	moments *env.Moments
	gamma   float64
	sum     float64 // discounted return so far
	frozen  bool
}

// NormalizeReward divides rewards by the standard deviation of the discounted return, clipped at
// 10. gamma is the discount per unit of Info.Elapsed, in [0, 1].
func NormalizeReward(e env.Env, gamma float64) (*RewardNormalizer, error) {
	if !(gamma >= 0 && gamma <= 1) {
		return nil, fmt.Errorf("%s: gamma is %v, expected a number in [0, 1]", e.Spec().ID, gamma)
	}
	line := fmt.Sprintf("NormalizeReward:gamma=%v", gamma)
	n := &RewardNormalizer{layer: newLayer(e, line), moments: env.NewMoments(1), gamma: gamma}
	n.spec.Guide.Reward += "; divided by the standard deviation of the discounted return, clipped at 10"
	return n, nil
}

// Freeze stops (or resumes) the learning of moments; scaling continues with those learnt.
func (n *RewardNormalizer) Freeze(frozen bool) { n.frozen = frozen }

// Moments are the moments of the discounted return, to save or to load.
func (n *RewardNormalizer) Moments() *env.Moments { return n.moments }

// Reset starts a new return.
func (n *RewardNormalizer) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	n.sum = 0
	return n.inner.Reset(seed, options)
}

// Step scales the reward.
func (n *RewardNormalizer) Step(action []float64) (env.Step, error) {
	s, err := n.inner.Step(action)
	if err != nil {
		return s, err
	}
	g := n.gamma
	if s.Info.Elapsed != 1 {
		g = fixmath.Pow(g, s.Info.Elapsed)
	}
	n.sum = float64(n.sum*g) + s.Reward
	if !n.frozen {
		one := [1]float64{n.sum}
		n.moments.Add(one[:])
	}
	n.scale(&s)
	return s, nil
}

func (n *RewardNormalizer) scale(s *env.Step) {
	s.Reward = max(-clip, min(clip, s.Reward/math.Sqrt(n.moments.Var(0)+1e-8)))
}

// Snapshot saves the moments too.
func (n *RewardNormalizer) Snapshot() ([]byte, error) {
	state, err := n.moments.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return n.snapshot("reward", func(w *pack.Writer) { w.Bytes(state); w.Float64(n.sum) })
}

// Restore sets the moments too.
func (n *RewardNormalizer) Restore(data []byte) (env.Step, error) {
	s, err := n.restore("reward", data, func(r *pack.Reader) {
		loadMoments(r, n.moments)
		n.sum = r.Float64()
	})
	n.scale(&s)
	return s, err
}

// Freeze stops (or resumes) the learning of moments in every layer of e that has any.
func Freeze(e env.Env, frozen bool) {
	for e != nil {
		if f, ok := e.(interface{ Freeze(bool) }); ok {
			f.Freeze(frozen)
		}
		u, ok := e.(env.Unwrapper)
		if !ok {
			return
		}
		e = u.Unwrap()
	}
}
