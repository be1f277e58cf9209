package mixture

import (
	"fmt"
	"math"
	"math/rand/v2"

	"tarry/env"
	"tarry/internal/fixmath"
	"tarry/internal/mixing"
)

// lowest is the logit of a member that the mask forbids: its probability is 0.
const lowest = -1e9

// softmax turns logits into probabilities.
func softmax(logits []float64) { mixing.Softmax(logits, logits) }

// track is one rollout, decision by decision.
type track struct {
	obs    []float64
	p      []float64 // probabilities of the members
	member []int
	reward []float64
	gone   []float64 // time that each step took
	togo   []float64 // discounted return from each decision on
	value  []float64 // of the critic
	adv    []float64
}

func (k *track) rows() int { return len(k.reward) }

// reset empties a track, but keeps its memory.
func (k *track) reset() {
	*k = track{obs: k.obs[:0], p: k.p[:0], member: k.member[:0], reward: k.reward[:0], gone: k.gone[:0], togo: k.togo[:0],
		value: k.value[:0], adv: k.adv[:0]}
}

// play fills an empty track with an episode from a seed. The draws are the policy's alone: the
// environment's come from the seed.
func (k *track) play(e env.Env, p *Policy, seed uint64, draws *rand.Rand) error {
	n := p.Sizes[0]
	chances, raw, action := make([]float64, n), []float64{0}, []float64{0}
	obs, info, err := e.Reset(&seed, "")
	if err != nil {
		return err
	}
	for done := false; !done; {
		if err := p.CheckMask(info.Mask); err != nil {
			return err
		}
		p.Probabilities(chances, obs, info.Mask)
		m := mixing.Draw(chances, draws.Float64())
		k.obs, k.p, k.member = append(k.obs, obs...), append(k.p, chances...), append(k.member, m)
		raw[0] = float64(m)
		p.ToEnv(action, raw)
		s, err := e.Step(action)
		if err != nil {
			return err
		}
		if !(s.Info.Elapsed >= 0) || math.IsInf(s.Info.Elapsed, 0) {
			return fmt.Errorf("a step took %g units of time, expected a finite number >= 0", s.Info.Elapsed)
		}
		k.reward, k.gone = append(k.reward, s.Reward), append(k.gone, s.Info.Elapsed)
		obs, info, done = s.Obs, s.Info, s.Done()
	}
	return nil
}

// discount of step i.
func (k *track) discount(gamma float64, i int) float64 {
	if gamma == 1 {
		return 1
	}
	return fixmath.Pow(gamma, k.gone[i])
}

// finish computes the returns from each decision on.
func (k *track) finish(gamma float64) {
	n, later := k.rows(), 0.0
	for len(k.togo) < n {
		k.togo, k.value, k.adv = append(k.togo, 0), append(k.value, 0), append(k.adv, 0)
	}
	for i := n - 1; i >= 0; i-- {
		later = k.reward[i] + float64(k.discount(gamma, i)*later)
		k.togo[i] = later
	}
}

// judge computes generalised advantages over the values; after the last decision the value is 0.
func (k *track) judge(gamma, lambda float64) {
	next, later := 0.0, 0.0
	for i := k.rows() - 1; i >= 0; i-- {
		d := k.discount(gamma, i)
		later = k.reward[i] + float64(d*next) - k.value[i] + float64(d*float64(lambda*later))
		k.adv[i], next = later, k.value[i]
	}
}

// sum is the undiscounted return.
func (k *track) sum() (total float64) {
	for _, r := range k.reward {
		total += r
	}
	return total
}
