package policy

import (
	"tarry/internal/fixmath"
)

func exp(x float64) float64 { return fixmath.Exp(x) }

// ToEnv turns a raw action into one of the environment's. Continuous actions are bounded
// to [-1,1], by clipping or by tanh, and scaled to the Box.
//
// We differ: CleanRL's continuous PPO clips in the environment's own units, which makes
// the deviation at the start depend on the units.
func (p *Policy) ToEnv(dst, raw []float64) {
	if !p.Continuous() {
		for i, v := range raw {
			dst[i] = v + p.starts[i]
		}
		return
	}
	if p.ranking != nil { // scores have the environment's unit
		for i, v := range raw {
			dst[i] = min(max(v, p.low[i]), p.high[i])
		}
		return
	}
	for i, v := range raw {
		if p.squash {
			v = fixmath.Tanh(v)
		}
		v = min(max(v, -1), 1)
		half := float64((p.high[i] - p.low[i]) / 2)
		dst[i] = min(max(p.low[i]+half+float64(v*half), p.low[i]), p.high[i])
	}
}

// FromEnv is the raw action that gives an environment's action. An action at the very
// bound would need an infinite number under tanh, so it is taken a little inside.
func (p *Policy) FromEnv(raw, action []float64) {
	if !p.Continuous() {
		for i, v := range action {
			raw[i] = v - p.starts[i]
		}
		return
	}
	if p.ranking != nil {
		copy(raw, action)
		return
	}
	for i, v := range action {
		half := float64((p.high[i] - p.low[i]) / 2)
		u := (v - p.low[i] - half) / half
		if p.squash {
			u = fixmath.Atanh(min(max(u, -0.999), 0.999))
		}
		raw[i] = u
	}
}
