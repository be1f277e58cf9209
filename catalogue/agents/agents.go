// Package agents lists the learning algorithms that tarry ships, with their settings and frozen
// policies.
//
// Reading guide. All lists the agents; wrap.go makes what agents/registry asks for of what an
// agent's package has; each agent has a file with what is its own.
package agents

import (
	"tarry/agents/a2c"
	"tarry/agents/dqn"
	"tarry/agents/mixture"
	"tarry/agents/pac"
	"tarry/agents/policysearch"
	"tarry/agents/ppo"
	"tarry/agents/registry"
	"tarry/agents/reinforce"
	"tarry/agents/sac"
)

// All lists the agents that tarry ships.
func All() registry.Catalogue {
	return registry.Catalogue{{
		Name: "ppo", Doc: "proximal policy optimisation: discrete, masked and continuous actions",
		Paper: "Schulman et al., arXiv 1707.06347", Keys: registry.Keys(ppo.Default()), Defaults: ppo.Default(),
		Configure: configurePPO, Load: loads(ppo.LoadPolicy), Imitates: true,
	}, {
		Name: "a2c", Doc: "synchronous advantage actor-critic: discrete, masked and continuous actions",
		Paper: "Mnih et al., arXiv 1602.01783", Keys: registry.Keys(a2c.Default()), Defaults: a2c.Default(),
		Configure: configureA2C, Load: loads(a2c.LoadPolicy), Imitates: true,
	}, {
		Name: "reinforce", Doc: "policy gradient with the input-dependent baseline, as Decima trains: discrete, " +
			"masked and continuous actions",
		Paper: "Mao et al., arXiv 1807.02264", Keys: registry.Keys(reinforce.Default()), Defaults: reinforce.Default(),
		Configure: configureREINFORCE, Load: loads(reinforce.LoadPolicy), Imitates: true,
	}, {
		Name: "pac", Doc: "actor-critic that learns by slots from a store by priorities, as DL2 trains: discrete, masked " +
			"and continuous actions",
		Paper: "Peng et al., arXiv 1909.06040", Keys: registry.Keys(pac.Default()), Defaults: pac.Default(),
		Configure: configurePAC, Load: loads(pac.LoadPolicy), Imitates: true,
	}, {
		Name: "dqn", Doc: "deep Q-learning, double and duelling: discrete and masked actions",
		Paper: "Mnih et al., Nature 518, 2015; van Hasselt et al., arXiv 1509.06461", Keys: registry.Keys(dqn.Default()),
		Defaults: dqnDefaults(), Configure: configureDQN, Load: loads(dqn.LoadPolicy), Imitates: true,
	}, {
		Name: "sac", Doc: "soft actor-critic with a learned temperature: continuous actions",
		Paper: "Haarnoja et al., arXiv 1812.05905", Keys: registry.Keys(sac.Default()), Defaults: sacDefaults(),
		Configure: configureSAC, Load: loads(sac.LoadPolicy), Imitates: true,
	},
		registry.Entry{Name: "mixture", Doc: "softmax gradient of which of several controllers decides, by SPSA, " +
			"actor-critic or natural actor-critic: discrete and masked actions",
			Paper: "Zaki et al., arXiv 2102.08201, 2207.09090", Keys: registry.Keys(mixture.Default()),
			Defaults: mixture.Default(), Configure: configureMixture, Load: loads(mixture.LoadPolicy)},
		searcher(policysearch.CMAES, "policy search on simulated windows by CMA-ES: parameters of an environment, "+
			"or any small network", "Hansen, arXiv 1604.00772"),
		searcher(policysearch.OpenES, "policy search by OpenAI's evolution strategy: gradient of ranks from "+
			"mirrored pairs", "Salimans et al., arXiv 1703.03864"),
		searcher(policysearch.Random, "policy search by random vectors, compared on the same windows: the floor "+
			"under the others", "Bergstra and Bengio, JMLR 13, 2012"),
	}
}
