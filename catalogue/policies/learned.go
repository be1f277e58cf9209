package policies

import (
	"tarry/baselines/harmony"
	"tarry/baselines/inspected"
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

// inspecting lists policies whose choices an agent may refuse.
func inspecting() entry.Policies {
	return entry.Policies{
		policy("inspected", "SchedInspector: a rule picks, an inspector lets the job go or refuses; EASY backfilling",
			"Zhang et al., HPDC 2022", inspected.Params, inspected.NewPolicy),
	}
}

// placed lists policies that learn where jobs go.
func placed() entry.Policies {
	return entry.Policies{
		policy("harmony-like", "each job where a learned table of interference expects the least loss",
			"Bao et al., INFOCOM 2019", harmony.Params, harmony.New),
	}
}
