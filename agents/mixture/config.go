package mixture

import (
	"tarry/agents/learn"
	"tarry/agents/policy"
)

// Config is everything that a training run depends on, but for the environments. Start from Default;
// the zero value is not valid.
type Config struct {
	// Seed names every random stream of the run.
	Seed uint64 `json:"seed"`
	// TotalSteps is the budget of environment steps; a run ends with the first update that reaches it.
	TotalSteps int `json:"total_steps" about:"environment steps of a run; the first update that reaches them ends it" range:"[1,inf)"`
	// Sequences is how many seeds of an episode an update has, Rollouts how often each is played; with
	// spsa each time on both sides.
	Sequences int `json:"sequences" about:"seeds of an episode in an update" range:"[1,inf)"`
	Rollouts  int `json:"rollouts" about:"how often each seed is played; with gradient=spsa on both sides" range:"[1,inf)"`
	// Gamma discounts per unit of Info.Elapsed, in (0,1]; Lambda is the lambda of advantages.
	Gamma  float64 `json:"gamma"`
	Lambda float64 `json:"lambda" about:"lambda of generalised advantage estimation, not with gradient=spsa; 1 = returns" range:"[0,1]"`
	// Gradient is spsa, ac or nac.
	Gradient string `json:"gradient" about:"spsa: perturbed rollouts; ac: actor-critic; nac: natural actor-critic" range:"spsa, ac, nac"`
	// LearningRate is the size of a step.
	LearningRate float64 `json:"learning_rate" about:"size of a step along the gradient" range:"(0,1000]"`
	// Perturb is c of spsa.
	Perturb float64 `json:"perturb" about:"size of the perturbation, with gradient=spsa" range:"(0,10]"`
	// Normalise scales returns: advantages by their root mean square, differences of spsa by the mean
	// size of the returns.
	Normalise bool `json:"normalise" about:"advantages are divided by their root mean square, and differences of spsa by the size of the returns"`
	// Ridge is added to the diagonal of both regressions, in parts of its mean.
	Ridge float64 `json:"ridge" about:"part of the mean of a diagonal that regressions add to it" range:"[0,1]"`
	// Features has logits that are linear in the observation.
	Features bool `json:"features" about:"logits are linear in the observation; false: a mixture that does not depend on it"`
}

// The gradients.
const (
	SPSA    = "spsa"
	Actor   = "ac"
	Natural = "nac"
)

// Default is actor-critic with small steps.
func Default() Config {
	return Config{Seed: 1, TotalSteps: 200_000, Sequences: 8, Rollouts: 2, Gamma: 0.99, Lambda: 0.95, Gradient: Actor,
		LearningRate: 0.5, Perturb: 0.3, Normalise: true, Ridge: 1e-6}
}

// Validate reports all faults.
func (c *Config) Validate() error {
	f := learn.Faults{Agent: agent}
	f.Ranges(*c)
	return f.Err()
}

// actor is how the policy is built: a linear one.
func (c *Config) actor() policy.Config { return policy.Config{} }
