package registry

import "tarry/env"

// Vector gives the parameters of a policy that is a vector for a trait.Searchable environment;
// false for any other policy. The caller must not change them.
func Vector(p Policy) ([]float64, bool) {
	on, ok := inner(p).(interface{ Vector() []float64 })
	if !ok {
		return nil, false
	}
	x := on.Vector()
	return x, x != nil
}

// Bind takes from an environment what the numbers of a policy mean, if the policy needs one for
// that: parameters of an environment act only in one that has them.
func Bind(p Policy, e env.Env) error {
	if on, ok := inner(p).(interface{ Bind(e env.Env) error }); ok {
		return on.Bind(e)
	}
	return nil
}

// Wrapper is a Policy around the policy of an agent's own package.
type Wrapper interface {
	// Inner gives the policy inside.
	Inner() any
}

// Begin gives a policy of random actions, which draws where the most likely action is asked for, the
// number of the episode that begins: it draws from a stream of that number. Others do not change.
func Begin(p Policy, episode int) {
	if on, ok := inner(p).(interface{ Begin(episode uint64) }); ok {
		on.Begin(uint64(episode))
	}
}

// inner is the policy of an agent's own package.
func inner(p Policy) any {
	if on, ok := p.(Wrapper); ok {
		return on.Inner()
	}
	return p
}
