package reinforce

import (
	"fmt"
	"math"
	"math/rand/v2"

	"tarry/agents/policy"
	"tarry/env"
	"tarry/internal/fixmath"
)

// track is one rollout: an episode, decision by decision.
type track struct {
	obs    []float64 // as the environment gave them
	mask   []bool
	raw    []float64 // raw actions
	reward []float64
	at     []float64 // time of each decision since the start; equal ones are decisions of one instant
	end    float64   // time at which the episode ended or was cut

	togo []float64 // discounted return from each decision on
	base []float64 // what it is compared with
}

func (k *track) rows() int { return len(k.reward) }

// reset empties a track, but keeps its memory.
func (k *track) reset() {
	*k = track{obs: k.obs[:0], mask: k.mask[:0], raw: k.raw[:0], reward: k.reward[:0], at: k.at[:0], togo: k.togo,
		base: k.base}
}

// play fills an empty track with an episode from a seed. The draws are the policy's alone: the
// environment's come from the seed. teach acts in the policy's place; nil = the policy does.
func (k *track) play(e env.Env, p *policy.Policy, seed uint64, draws *rand.Rand, horizon float64,
	teach func(obs []float64, mask []bool, action []float64) error) error {
	raw, action := make([]float64, p.Action), make([]float64, p.Action)
	obs, info, err := e.Reset(&seed, "")
	if err != nil {
		return err
	}
	for done := false; !done; {
		if err := p.CheckMask(info.Mask); err != nil {
			return err
		}
		k.obs, k.at = append(k.obs, obs...), append(k.at, k.end)
		if p.Masked {
			k.mask = append(k.mask, info.Mask...)
		}
		if teach == nil {
			p.Choose(raw, p.Scaled(obs), info.Mask, draws)
		} else if err := teach(obs, info.Mask, action); err != nil {
			return err
		} else {
			p.FromEnv(raw, action)
		}
		k.raw = append(k.raw, raw...)
		p.ToEnv(action, raw)
		s, err := e.Step(action)
		if err != nil {
			return err
		}
		if !(s.Info.Elapsed >= 0) || math.IsInf(s.Info.Elapsed, 0) {
			return fmt.Errorf("a step took %g units of time, expected a finite number >= 0", s.Info.Elapsed)
		}
		k.reward = append(k.reward, s.Reward)
		k.end += s.Info.Elapsed
		obs, info, done = s.Obs, s.Info, s.Done() || horizon > 0 && k.end >= horizon
	}
	return nil
}

// finish computes the returns: what was earned from each decision on, each reward discounted by the
// time since then.
func (k *track) finish(gamma float64) {
	n := k.rows()
	k.togo, k.base = zeros(k.togo, n), zeros(k.base, n)
	later, next := 0.0, k.end
	for i := n - 1; i >= 0; i-- {
		weight := 1.0
		if gamma != 1 {
			weight = fixmath.Pow(gamma, next-k.at[i])
		}
		k.togo[i] = k.reward[i] + float64(weight*later)
		later, next = k.togo[i], k.at[i]
	}
}

// zeros gives n of them, in the memory of x if there is enough.
func zeros(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	x = x[:n]
	clear(x)
	return x
}

// sum is the undiscounted return.
func (k *track) sum() float64 {
	total := 0.0
	for _, r := range k.reward {
		total += r
	}
	return total
}
