package wrap

import (
	"fmt"
	"math"

	"tarry/env"
	"tarry/env/layout"
)

// box gives the Box that an action must be in, bounded where a wrapper needs bounds.
func box(e env.Env, wrapper string, bounded bool) (env.Box, error) {
	b, ok := e.Spec().Action.(env.Box)
	if !ok {
		return b, fmt.Errorf("%s: %s: the action is %s, expected a Box", e.Spec().ID, wrapper,
			env.Describe(e.Spec().Action))
	}
	for i := range b.Low {
		if bounded && (math.IsInf(b.Low[i], 0) || math.IsInf(b.High[i], 0)) {
			return b, fmt.Errorf("%s: %s: action number %d is in [%v, %v], expected finite bounds", e.Spec().ID,
				wrapper, i, b.Low[i], b.High[i])
		}
	}
	return b, nil
}

type clipAction struct {
	stateless
	box    env.Box
	action []float64
}

// ClipAction takes any numbers and moves each to the nearest bound of the action's Box. NaN is
// still refused.
func ClipAction(e env.Env) (env.Env, error) {
	b, err := box(e, "ClipAction", false)
	if err != nil {
		return nil, err
	}
	c := &clipAction{stateless{newLayer(e, "ClipAction")}, b, make([]float64, b.Len())}
	wide := env.NewBox(math.Inf(-1), math.Inf(1), b.Len())
	wide.Shape = b.Shape
	c.spec.Action = wide
	c.spec.Guide.Action = layout.Ranged(c.spec.Guide.Action, "-inf..inf", "cut to")
	return c, nil
}

func (c *clipAction) Step(action []float64) (env.Step, error) {
	if len(action) != len(c.action) {
		return env.Step{}, env.CheckAction(&c.spec, nil, action)
	}
	for i, a := range action {
		c.action[i] = max(c.box.Low[i], min(c.box.High[i], a))
	}
	return c.inner.Step(c.action)
}

type rescaleAction struct {
	stateless
	from, to env.Box
	action   []float64
}

// RescaleAction takes actions in [low, high], finite, and stretches them over the bounds of the
// action's Box, which must be finite.
func RescaleAction(e env.Env, low, high float64) (env.Env, error) {
	b, err := box(e, "RescaleAction", true)
	if err != nil {
		return nil, err
	}
	if !(low < high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return nil, fmt.Errorf("%s: RescaleAction from [%v, %v], expected finite low < high", e.Spec().ID, low, high)
	}
	line := fmt.Sprintf("RescaleAction:low=%v,high=%v", low, high)
	r := &rescaleAction{stateless{newLayer(e, line)}, env.NewBox(low, high, b.Len()), b, make([]float64, b.Len())}
	r.from.Shape = b.Shape
	r.spec.Action = r.from
	r.spec.Guide.Action = layout.Ranged(r.spec.Guide.Action, fmt.Sprintf("%v..%v", low, high), "stretched over")
	return r, nil
}

func (r *rescaleAction) Step(action []float64) (env.Step, error) {
	if !r.from.Contains(action) {
		return env.Step{}, env.CheckAction(&r.spec, nil, action)
	}
	for i, a := range action {
		u := (a - r.from.Low[i]) / (r.from.High[i] - r.from.Low[i])
		lo, hi := r.to.Low[i], r.to.High[i]
		r.action[i] = max(lo, min(hi, float64(lo*(1-u))+float64(hi*u))) // exact at both ends
	}
	return r.inner.Step(r.action)
}
