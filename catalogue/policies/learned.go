package policies

import (
	"tarry/baselines/harmony"
	"tarry/baselines/inspected"
	"tarry/baselines/mixture"
	"tarry/baselines/over"
	"tarry/env/grow"
	"tarry/env/limit"
	"tarry/env/place"
	"tarry/sim/entry"
)

// learned lists policies of learners: what they found is a setting or a file of weights.
func learned(parse over.Parser) entry.Policies {
	return entry.Policies{
		policy("mixture", "members take turns that are drawn, with fixed probabilities", "Zaki et al., arXiv 2102.08201",
			mixture.Params, mixture.New(parse)),
		policy("dl2", "DL2: a rule or a network shares all GPUs among elastic jobs, one worker more at a time",
			"Peng et al., TPDS 2021", grow.Params, grow.NewPolicy),
		policy("decima-like", "numbers of GPUs of elastic jobs, job by job with a limit, by a rule or a network",
			"Mao et al., SIGCOMM 2019", limit.Params, limit.Policy),
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
		policy("deepshare", "the first jobs of each demand on one of four sets of GPUs, by a rule or a trained network",
			"Ryu and Eo, ICPADS 2023", place.Params, place.Policy),
		policy("harmony-like", "each job where a learned table of interference expects the least loss",
			"Bao et al., INFOCOM 2019", harmony.Params, harmony.New),
	}
}
