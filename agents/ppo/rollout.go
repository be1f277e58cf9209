package ppo

import (
	"tarry/agents/nn"
	"tarry/agents/policy"
)

// rollout holds what one collection saw, step by step, in each step environment by
// environment: row t*envs + i.
type rollout struct {
	nn.Rollout
	l    *policy.Layout
	obs  []float64 // scaled
	mask []bool
	raw  []float64 // raw actions
	logp []float64 // of the raw action when it was taken
	adv  []float64
	ret  []float64 // what the critic should have said

	elapsed []float64 // time that each step took
	average bool      // rewards are differential
}

func newRollout(l *policy.Layout, envs, steps int) *rollout {
	n := envs * steps
	room := func(per int) []float64 { return make([]float64, n*per) }
	return &rollout{
		Rollout: nn.Rollout{Envs: envs, Reward: room(1), Value: room(1), Next: room(1), Discount: room(1),
			Terminated: make([]bool, n), Truncated: make([]bool, n)},
		l: l, obs: room(l.Obs), mask: make([]bool, n*l.MaskLen()), raw: room(l.Action), logp: room(1), adv: room(1), ret: room(1), elapsed: room(1),
	}
}

func (r *rollout) rows() int { return len(r.Reward) }

func (r *rollout) obsOf(row int) []float64 { return r.obs[row*r.l.Obs : (row+1)*r.l.Obs] }

func (r *rollout) rawOf(row int) []float64 { return r.raw[row*r.l.Action : (row+1)*r.l.Action] }

// maskOf is nil where the environment has no mask.
func (r *rollout) maskOf(row int) []bool {
	n := r.l.MaskLen()
	if n == 0 {
		return nil
	}
	return r.mask[row*n : (row+1)*n]
}

// finish turns rewards into advantages and returns (detail 5 of the core list). An episode
// that was cut bootstraps from the value of its true last observation.
func (r *rollout) finish(lambda float64) {
	nn.GAE(r.adv, &r.Rollout, lambda)
	for i, a := range r.adv {
		r.ret[i] = a + r.Value[i]
	}
	if r.average {
		r.centre()
	}
}
