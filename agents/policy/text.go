package policy

import (
	"fmt"

	"tarry/agents/nn"
)

// Text gives the actor as the text of a network that acts as the policy does without random draws:
// see nn.Text. Actions must be choices.
func (p *Policy) Text() ([]byte, error) {
	if p.Continuous() {
		return nil, fmt.Errorf("the actions are %d continuous numbers, expected choices", p.Action)
	}
	h := nn.Head{Sizes: p.Sizes, Masked: p.Masked}
	for _, s := range p.starts {
		h.First = append(h.First, int(s))
	}
	if p.Moments != nil {
		h.Clip = obsLimit
		for i := p.CriticOnly; i < p.Obs; i++ {
			h.Scale = append(h.Scale, p.Moments.Mean(i), p.Moments.Root(i))
		}
	}
	return nn.Text(&h, "actor", p.Actor)
}
