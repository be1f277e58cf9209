package dqn

import "tarry/agents/nn"

// Text gives the action values as the text of a network that acts as the policy does without random
// draws: see nn.Text.
func (p *Policy) Text() ([]byte, error) {
	h := nn.Head{Sizes: []int{len(p.q)}, First: []int{int(p.start)}, Masked: p.masked, Values: true}
	return nn.Text(&h, "q", p.net)
}
