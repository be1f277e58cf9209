package policy

import (
	"fmt"

	"tarry/agents/nn"
)

// Text gives the actor as the text of a network that acts as the policy does without random draws:
// see nn.Text. Actions must be choices, or put a list in order.
func (p *Policy) Text() ([]byte, error) {
	h := nn.Head{Sizes: p.Sizes, Masked: p.Masked}
	switch k := p.ranking; {
	case k != nil && k.start != nil:
		return nil, fmt.Errorf("the scores are added to a start of %d parameters, expected none", len(k.start))
	case k != nil:
		h.Sizes, h.First, h.Scores = []int{k.list.Slots}, []int{0}, true
	case p.Continuous():
		return nil, fmt.Errorf("the actions are %d continuous numbers, expected choices", p.Action)
	}
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
