package policysearch

import (
	"fmt"
	"slices"

	"tarry/agents/nn"
	"tarry/env"
	"tarry/env/trait"
)

// space is what a vector of a strategy means: value i is start + scale times the strategy's number,
// within lo and hi.
type space struct{ start, scale, lo, hi []float64 }

// spaceOf is the space of an environment's parameters, with sigma as the factor of their
// deviations.
func spaceOf(of []trait.Parameter, sigma float64) space {
	var s space
	for _, p := range of {
		s.start, s.scale = append(s.start, p.Start), append(s.scale, sigma*p.Sigma)
		s.lo, s.hi = append(s.lo, p.Lo), append(s.hi, p.Hi)
	}
	return s
}

// spaceAround is the unbounded space around a network's first weights.
func spaceAround(params []*nn.Param, sigma float64) space {
	var s space
	for _, p := range params {
		s.start = append(s.start, p.W...)
	}
	s.scale = slices.Repeat([]float64{sigma}, len(s.start))
	return s
}

// decode writes what a strategy's vector means to x, and moves what is out of bounds, in z too.
func (s *space) decode(x, z []float64) {
	for i := range x {
		x[i] = s.start[i] + float64(s.scale[i]*z[i])
		if s.lo != nil && (x[i] < s.lo[i] || x[i] > s.hi[i]) {
			x[i] = min(max(x[i], s.lo[i]), s.hi[i])
			z[i] = (x[i] - s.start[i]) / s.scale[i]
		}
	}
}

// searched gives the environment's parameters if the settings ask for them; nil = a network is
// searched.
func (c *Config) searched(e env.Env) ([]trait.Parameter, error) {
	on, ok := env.Find[trait.Searchable](e)
	switch {
	case c.Policy == Network || c.Policy == Auto && !ok:
		return nil, nil
	case !ok:
		return nil, fmt.Errorf("policy is %s, but %s has none: expected %s or %s", Parameters, e.Spec().ID, Network,
			Auto)
	case len(c.Hidden) > 0 || c.NormObs || c.Squash || c.Horizon > 0:
		return nil, fmt.Errorf("hidden, norm_obs, squash and horizon belong to a network, but %s has parameters "+
			"of its own: expected none of them, or policy=%s", e.Spec().ID, Network)
	}
	p := on.Parameters()
	return p, trait.CheckParameters(p)
}
