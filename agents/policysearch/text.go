package policysearch

import (
	"errors"

	"tarry/internal/netfile"
)

// Network gives a copy of the network as one that a file can have. Parameters of an environment are
// an error.
func (p *Policy) Network() (*netfile.Net, error) {
	if p.net == nil {
		return nil, errors.New("the policy has parameters of " + p.id + ", expected a network")
	}
	return p.net.Network()
}
