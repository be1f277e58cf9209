// Package policysearch looks for the vector of numbers that makes the best policy, by simulating
// complete windows (or episodes) under many vectors at once. It needs no gradient and no reward per
// step, and a policy is perturbed once per window instead of at each step.
//
// An update is one generation: a strategy draws a population of vectors, all of them are played on
// the same windows (common random numbers), and the strategy moves towards vectors that cost less.
// The strategies are CMA-ES (Hansen, arXiv 1604.00772), OpenAI-ES (Salimans et al., arXiv
// 1703.03864) and random search. The mathematics are in agents/search.
//
// What the vector means depends on the environment. One that is trait.Searchable has parameters of
// its own and plays windows itself. For all others the vector is the weights of an actor of
// agents/policy, linear or with hidden layers, without noise in its actions.
//
// Reading guide: learner.go is the generation; strategy.go the three strategies; space.go what a
// vector means in the environment's units; play.go how the windows of a generation are played,
// network.go how an actor plays one, cost.go how costs on windows become one cost; policy.go the
// policy that is left; config.go the settings, checkpoint.go saving and resuming.
//
// A run is a pure function of its configuration and environments: the same seed gives the same
// vectors for any GOMAXPROCS and any number of workers, and a run that is killed and resumed ends
// in the same bytes. A generation that was cut short is played again.
package policysearch
