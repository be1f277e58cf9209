package registry

import "fmt"

// Text gives the network of a policy as text that acts as the policy does without random draws: see
// internal/netfile. A policy that has none, or whose actions are no choices, is an error.
func Text(p Policy) ([]byte, error) {
	on, ok := inner(p).(interface{ Text() ([]byte, error) })
	if !ok {
		return nil, fmt.Errorf("the policy is %T, expected one with a network", inner(p))
	}
	return on.Text()
}
