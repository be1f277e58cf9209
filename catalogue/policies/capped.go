package policies

import (
	"tarry/baselines/over"
	"tarry/baselines/powercap"
	"tarry/baselines/pwr"
	"tarry/sim/entry"
)

// capped lists policies that keep a power cap over another one.
func capped(parse over.Parser) entry.Policies {
	return entry.Policies{
		policy("powercap", "a power cap over any policy: whose clocks fall, or whose starts wait",
			"ours; Lagrangian prices: Everett, Operations Research 11, 1963", powercap.Params, powercap.New(parse)),
		policy("cd-gpc-like", "CD-GPC: clocks at one price of power under a cap, from watts and speeds that it "+
			"measures; deadlines", "Kang et al., IEEE TIE 69(7), 2022", powercap.LearnedParams,
			powercap.NewLearned(parse)),
	}
}

// frugal lists policies that place by power.
func frugal() entry.Policies {
	return entry.Policies{
		policy("pwr", "PWR: in order of arrival, each job where it raises power least, with fragmentation as an option",
			"Lettich et al., CCGRID 2025", pwr.Params, pwr.New),
	}
}
