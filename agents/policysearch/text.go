package policysearch

import "errors"

// Text gives the network as the text of one that acts alike: see nn.Text. Parameters of an
// environment are an error.
func (p *Policy) Text() ([]byte, error) {
	if p.net == nil {
		return nil, errors.New("the policy has parameters of " + p.id + ", expected a network")
	}
	return p.net.Text()
}
