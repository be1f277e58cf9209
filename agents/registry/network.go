package registry

import (
	"fmt"

	"tarry/internal/netfile"
)

// Network gives a copy of a policy's network that chooses as the policy does without random draws. A
// policy that has none, or whose actions are no choices, is an error.
func Network(p Policy) (*netfile.Net, error) {
	on, ok := inner(p).(interface{ Network() (*netfile.Net, error) })
	if !ok {
		return nil, fmt.Errorf("the policy is %T, expected one with a network", inner(p))
	}
	return on.Network()
}
