// Package schedulers lists all schedulers that tarry ships: policies of catalogue/policies, and
// agents of environments that act as one, by a rule or by a network as text. Environments' own tests
// take the former alone.
package schedulers

import (
	"tarry/catalogue/policies"
	"tarry/env/grow"
	"tarry/env/limit"
	"tarry/env/mix"
	"tarry/env/order"
	"tarry/env/place"
	"tarry/env/racks"
	"tarry/sim/entry"
)

// All gives them, agents last.
func All() entry.Policies { return append(policies.All(), agents()...) }

// agents lists the agents of environments.
func agents() entry.Policies {
	policy := policies.Row
	return entry.Policies{
		policy("deepshare", "the first jobs of each demand on one of four sets of GPUs, by a rule or a trained network",
			"Ryu and Eo, ICPADS 2023", place.Params(), place.Policy),
		policy("dl2", "DL2: a rule or a network shares all GPUs among elastic jobs, one worker more at a time",
			"Peng et al., TPDS 2021", grow.Params, grow.NewPolicy),
		policy("decima-like", "numbers of GPUs of elastic jobs, job by job with a limit, by a rule or a network",
			"Mao et al., SIGCOMM 2019", limit.Params, limit.Policy),
		policy("aset-like", "members take turns, named by a rule or by a network that sees the cluster",
			"Castellano et al., IEEE GLOBECOM 2022", mix.Params, mix.NewPolicy(policies.All().Build)),
		policy("marl-like", "a scheduler for each rack that starts jobs there or forwards them, by a rule or a network",
			"Zhao and Wu, arXiv 2112.13354", racks.Params(), racks.Policy),
		policy("rltune-like", "RLTune: a score for each waiting job, by a rule or a network, and an integer program that "+
			"maps the front of the queue to machines", "arXiv 2512.10271", order.PolicyParams(), order.Policy),
	}
}
