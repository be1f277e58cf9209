package policies

import (
	"tarry/baselines/mixture"
	"tarry/baselines/over"
	"tarry/sim/entry"
)

// learned lists policies of learners: what they found is a setting or a file of weights.
func learned(parse over.Parser) entry.Policies {
	return entry.Policies{
		policy("mixture", "members take turns that are drawn, with fixed probabilities", "Zaki et al., arXiv 2102.08201",
			mixture.Params, mixture.New(parse)),
	}
}
