package envtest

import (
	"fmt"
	"math"
	"slices"

	"tarry/env"
)

// walk has a random agent play episodes and inspects every frame.
func (c *checker) walk() error {
	return c.with(func(e env.Env) error {
		for k := range c.cfg.Episodes {
			seed := env.HashSeed(0, "walk", uint64(k))
			p := newPlayer(e, fmt.Sprintf("walk %d", k))
			if err := p.reset(&seed, ""); err != nil {
				return err
			}
			if f := p.frames[0]; f.reward != 0 || f.elapsed != 0 {
				c.fault("Info.Elapsed is %v after a reset, expected 0", f.elapsed)
			}
			c.inspect(e.Spec(), p.frames[0])
			var sum env.Episode
			for n := 0; n < c.cfg.Steps && !p.done; n++ {
				if err := p.step(); err != nil {
					return err
				}
				f := p.frames[len(p.frames)-1]
				c.inspect(e.Spec(), f)
				if n == 0 && f.truncated && !f.terminated && e.Spec().MaxSteps != 1 {
					c.fault("truncated after the first step")
				}
				sum.Return += f.reward
				sum.Steps++
				sum.Elapsed += f.elapsed
			}
			if p.done && c.cfg.Identity != nil {
				if err := c.cfg.Identity(e, sum); err != nil {
					c.fault("identity of rewards: %v", err)
				}
			}
			if m := e.Spec().MaxSteps; m > 0 && (sum.Steps > m || sum.Steps == m && !p.done) {
				c.fault("%d steps without an end, expected at most %d", sum.Steps, m)
			}
		}
		return nil
	})
}

// inspect holds one frame against the spec.
func (c *checker) inspect(s *env.Spec, f frame) {
	if err := env.Explain(s.Observation, f.obs); err != nil {
		c.fault("the observation is not in its space: %v", err)
	}
	c.ranged(s, f.obs)
	if math.IsNaN(f.reward) || math.IsInf(f.reward, 0) {
		c.fault("the reward is %v, expected a finite number", f.reward)
	}
	if !(f.elapsed >= 0) || math.IsInf(f.elapsed, 0) {
		c.fault("Info.Elapsed is %v, expected a finite number >= 0", f.elapsed)
	}
	if len(f.metrics) != len(s.Metrics) && len(f.metrics) > 0 {
		c.fault("Info.Metrics has %d numbers, expected %d: %v", len(f.metrics), len(s.Metrics), s.Metrics)
	}
	switch {
	case !s.Masked && f.mask != nil:
		c.fault("there is a mask, but Spec().Masked is false")
	case s.Masked && len(f.mask) != env.MaskLen(s.Action):
		c.fault("the mask has %d entries, expected %d", len(f.mask), env.MaskLen(s.Action))
	case s.Masked && !f.terminated && !slices.Contains(f.mask, true):
		c.fault("the mask allows nothing in a state that is not terminal")
	}
}
