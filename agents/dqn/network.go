package dqn

import (
	"tarry/agents/nn"
	"tarry/internal/netfile"
)

// Network gives a copy of the action values as a network that a file can have: it acts as the policy
// does without random draws.
func (p *Policy) Network() (*netfile.Net, error) {
	f := netfile.Form{Obs: p.obs, Sizes: []int{len(p.q)}, First: []int{int(p.start)}, Masked: p.masked, Values: true}
	all, err := nn.Describe(&f, "q", p.net)
	if err != nil {
		return nil, err
	}
	return netfile.New(f, all)
}
