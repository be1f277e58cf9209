// Package optimisers lists the methods of tarry tune that tarry ships.
package optimisers

import (
	"tarry/agents/registry"
	"tarry/agents/search"
	"tarry/agents/search/bandit"
	"tarry/agents/search/cmaes"
	"tarry/agents/search/gpei"
	"tarry/agents/search/gridsearch"
	"tarry/agents/search/halton"
	"tarry/agents/search/halving"
	"tarry/agents/search/neldermead"
	"tarry/agents/search/openaies"
	"tarry/agents/search/randomsearch"
	"tarry/agents/search/tpe"
	"tarry/sim/param"
)

// All lists the methods that tarry ships.
func All() registry.Optimisers {
	return registry.Optimisers{
		method("random", "independent points: the floor under all others", "Bergstra and Bengio, JMLR 13, 2012",
			randomsearch.Params, randomsearch.New),
		method("halton", "a scrambled Halton sequence, which fills the space evenly", "Owen, arXiv 1706.02808",
			halton.Params, halton.New),
		method("grid", "a grid, bounds included, as fine as the budget allows", "textbook", gridsearch.Params,
			gridsearch.New),
		method("nelder-mead", "the downhill simplex; few parameters, one point at a time",
			"Nelder and Mead, Computer Journal 7, 1965", neldermead.Params, neldermead.New),
		method("cmaes", "evolution strategy with an adapted covariance; many evaluations", "Hansen, arXiv 1604.00772",
			cmaes.Params, cmaes.New),
		method("tpe", "Parzen estimators of good and bad points; choices too", "Bergstra et al., NIPS 2011",
			tpe.Params, tpe.New),
		method("gp", "Gaussian process with expected improvement; few evaluations",
			"Jones et al., J. Global Optimization 13, 1998", gpei.Params, gpei.New),
		method("openai-es", "gradient of ranks from mirrored pairs", "Salimans et al., arXiv 1703.03864",
			openaies.Params, openaies.New),
		method("halving", "successive halving: many points on few windows, few on all",
			"Jamieson and Talwalkar, AISTATS 2016", halving.Params, halving.New),
		method("ucb1", "a grid as a bandit, by upper confidence bounds", "Auer et al., Machine Learning 47, 2002",
			bandit.Params, bandit.NewUCB1),
		method("thompson", "a grid as a bandit, by draws from the posterior", "Honda and Takemura, AISTATS 2014",
			bandit.Params, bandit.NewThompson),
	}
}

// method is an entry of the list.
func method(name, doc, paper, params string, make func(c search.Config, s *param.Set) (search.Method,
	error)) registry.Optimiser {
	return registry.Optimiser{Name: name, Doc: doc, Paper: paper, Params: params, New: make}
}
