package policies

import (
	"tarry/fidelity/elasticflowsim"
	"tarry/fidelity/gavelsim"
	"tarry/fidelity/murisim"
	"tarry/fidelity/shockwavesim"
	"tarry/sim/entry"
)

// Variants lists schedulers with the habits of other simulators, which cmd/reference compares.
func Variants() entry.Policies {
	return entry.Policies{
		policy("gavel-sim", "Gavel with the rounds, whole steps and failures of its own simulator", gavelRef,
			gavelsim.Params, gavelsim.New),
		policy("muri-sim", "Muri with the placement and the accounts of its own simulator", "Zhao et al., SIGCOMM 2022",
			murisim.Params, murisim.New),
		policy("shockwave-sim", "Shockwave with the rounds, whole steps and batch sizes of its own simulator",
			"Zheng et al., NSDI 2023", shockwavesim.Params, shockwavesim.New),
		policy("elasticflow-sim", "ElasticFlow and elastic EDF with the clock, books and real ends of their authors' "+
			"simulator", "Gu et al., ASPLOS 2023", elasticflowsim.Params, elasticflowsim.New),
	}
}

// moved lists, by the name of a policy, the settings that a variant has now.
func moved() map[string][]entry.Moved {
	return map[string][]entry.Moved{
		"gavel": {{To: "gavel-sim", Switch: "mode=simulator",
			Keys: []string{"ends", "steps", "split", "late", "table", "type_order"}}},
		"muri": {{To: "muri-sim", Switch: "mode=simulator", Keys: []string{"profile"}}},
		"shockwave": {{To: "shockwave-sim", Switch: "mode=simulator",
			Keys: []string{"profile", "trace", "restart_s", "reset_s", "spare"}}},
		"elasticflow": {{To: "elasticflow-sim", Switch: "mode=simulator", Keys: []string{"table", "gpu", "real"}}},
	}
}
