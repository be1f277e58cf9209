package envtest

import (
	"math"

	"tarry/env"
)

// words inspects the ranges that a layout states: within the bounds of the observation, of numbers
// alone.
func (c *checker) words() error {
	return c.with(func(e env.Env) error {
		s := e.Spec()
		box := env.FlatSpace(s.Observation)
		for _, r := range s.Layout.Rows() {
			if r.Range == "" {
				continue
			}
			lo, hi := r.Bounds()
			if !(lo <= hi) {
				c.fault("%s.%s has the range %q, expected LOW..HIGH or values", r.Segment, r.Name, r.Range)
				continue
			}
			for i := range r.Items {
				if at := r.First + i*r.Step; at >= box.Len() || lo < box.Low[at] || hi > box.High[at] {
					c.fault("%s.%s has the range %s, expected one within the bounds of the observation", r.Segment, r.Name,
						r.Range)
					break
				}
			}
		}
		return nil
	})
}

// ranged holds an observation against the ranges of the layout.
func (c *checker) ranged(s *env.Spec, obs []float64) {
	for _, r := range s.Layout.Rows() {
		if r.Range == "" {
			continue
		}
		for i := range r.Items {
			if at := r.First + i*r.Step; at < len(obs) && !r.Contains(obs[at]) && !math.IsNaN(obs[at]) {
				c.fault("%s.%s is %v, expected a number in its range, %s", r.Segment, r.Name, obs[at], r.Range)
			}
		}
	}
}
