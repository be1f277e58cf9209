package policy

import (
	"fmt"
	"slices"

	"tarry/agents/nn"
	"tarry/internal/netfile"
)

// Network gives a copy of the actor as a network that a file can have: it acts as the policy does
// without random draws. Actions must be choices.
func (p *Policy) Network() (*netfile.Net, error) {
	if p.Continuous() {
		return nil, fmt.Errorf("the actions are %d continuous numbers, expected choices", p.Action)
	}
	f := netfile.Form{Obs: p.Obs, Sizes: slices.Clone(p.Sizes), Masked: p.Masked}
	for _, s := range p.starts {
		f.First = append(f.First, int(s))
	}
	all, err := nn.Describe(&f, "actor", p.Actor)
	if err != nil {
		return nil, err
	}
	if p.Moments != nil {
		f.Clip = obsLimit
		m := netfile.Matrix{Name: "scale", Rows: p.Obs, Cols: 2}
		for i := range p.Obs {
			m.W = append(m.W, p.Moments.Mean(i), p.Moments.Root(i))
		}
		all = append([]netfile.Matrix{m}, all...)
	}
	return netfile.New(f, all)
}
