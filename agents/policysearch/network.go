package policysearch

import (
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/policy"
	"tarry/env"
)

// actor is a network with weights of its own, which one goroutine plays episodes with.
type actor struct {
	*policy.Policy
	weights     []*nn.Param // the numbers that are searched
	raw, action []float64
	horizon     float64
}

func newActor(p *policy.Policy, horizon float64) *actor {
	return &actor{p, p.Actor.Params(), make([]float64, p.Action), make([]float64, p.Action), horizon}
}

// set takes a vector as the weights.
func set(params []*nn.Param, x []float64) {
	for _, p := range params {
		x = x[copy(p.W, x):]
	}
}

// episode plays one episode and gives its undiscounted return; the observations that the actor saw
// are appended to seen, unless that is nil. teach acts in the actor's place; nil = the actor does.
func (a *actor) episode(e env.Env, w *window, seen *[]float64, teach func([]float64) error) (total float64, err error) {
	obs, info, err := e.Reset(&w.seed, w.options)
	at := 0.0
	for done := false; err == nil && !done; {
		if err := a.CheckMask(info.Mask); err != nil {
			return 0, err
		}
		for i, v := range obs {
			if !learn.Finite(v) {
				return 0, fmt.Errorf("%w: observation %d is %g", learn.ErrDiverged, i, v)
			}
		}
		if seen != nil {
			*seen = append(*seen, obs...)
		}
		if teach != nil {
			err = teach(a.action)
		} else {
			a.Choose(a.raw, a.Scaled(obs), info.Mask, nil)
			a.ToEnv(a.action, a.raw)
		}
		if err != nil {
			return 0, err
		}
		var s env.Step
		if s, err = e.Step(a.action); err != nil {
			return 0, err
		}
		if !(s.Info.Elapsed >= 0) || math.IsInf(s.Info.Elapsed, 0) {
			return 0, fmt.Errorf("a step took %g units of time, expected a finite number >= 0", s.Info.Elapsed)
		}
		total += s.Reward
		at += s.Info.Elapsed
		obs, info, done = s.Obs, s.Info, s.Done() || a.horizon > 0 && at >= a.horizon
	}
	if err == nil && !learn.Finite(total) {
		err = fmt.Errorf("%w: loss %g", learn.ErrDiverged, -total)
	}
	return total, err
}
