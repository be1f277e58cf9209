package a2c

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/agents/learn"
	"tarry/agents/policy"
)

// Config is everything that a training run depends on, but for the environments. Start
// from Default; the zero value is not valid.
type Config struct {
	// Seed names every random stream of the run.
	Seed uint64 `json:"seed"`
	// TotalSteps is when training ends, counted over all environments; the last update
	// is not cut short, so up to Envs*Steps*Rollouts-1 fewer steps are made.
	TotalSteps int `json:"total_steps" about:"environment steps of a run, counted over all environments" range:"at least one update"`
	// Envs is how many environments are stepped together, Steps how often before a step of the
	// optimiser.
	Envs  int `json:"envs" about:"environments that are stepped together" range:"[1,inf)"`
	Steps int `json:"steps" about:"steps of each environment before a step of the optimiser" range:"[1,inf)"`
	// Rollouts is how many of these, each with its own step of the optimiser, make one update: a row and, when due,
	// a checkpoint and a validation follow it. It does not change the weights.
	Rollouts int `json:"rollouts" about:"steps of the optimiser in one update, after which a run may be saved and validated" range:"[1,inf)"`
	// Optimizer is rmsprop (as PyTorch has it), rmsprop_tf (as TensorFlow has it) or adam; OptimizerEps
	// is added to the root, or in it with rmsprop_tf.
	Optimizer    string  `json:"optimizer" about:"rmsprop as PyTorch has it, rmsprop_tf as TensorFlow has it, or adam" range:"rmsprop, rmsprop_tf, adam"`
	OptimizerEps float64 `json:"optimizer_eps" about:"what the optimiser adds to the root of the second moment (in the root with rmsprop_tf)" range:"(0,1]"`
	// LearningRate is the optimiser's; with Anneal it falls linearly to 0 at the end.
	LearningRate float64 `json:"learning_rate" about:"learning rate of the optimiser" range:"(0,1]"`
	Anneal       bool    `json:"anneal" about:"the learning rate falls linearly to 0 at the end"`
	// Gamma discounts per unit of Info.Elapsed, in (0,1]; Lambda is that of GAE, in [0,1]; 1 gives
	// returns over Steps steps.
	Gamma  float64 `json:"gamma" about:"discount of rewards per unit of time: a lease in environments over the simulator, a step elsewhere; 1 = none" range:"(0,1]"`
	Lambda float64 `json:"lambda" about:"lambda of generalised advantage estimation; 1 = returns over all steps of a rollout" range:"[0,1]"`
	// EntropyCoef and ValueCoef weigh these losses against the policy's.
	EntropyCoef float64 `json:"entropy_coef" about:"weight of the entropy against the loss of the policy" range:"[0,10]"`
	ValueCoef   float64 `json:"value_coef" about:"weight of the loss of values against the loss of the policy" range:"[0,100]"`
	// MaxGradNorm bounds the norm of the whole gradient; 0 = no bound.
	MaxGradNorm float64 `json:"max_grad_norm" about:"bound of the norm of the gradient; 0 = none" range:"[0,inf)"`
	// NormAdvantage gives the advantages of each rollout mean 0 and deviation 1.
	NormAdvantage bool `json:"norm_advantage" about:"advantages of each rollout get mean 0 and deviation 1"`
	// NormObs scales each observation entry by its running mean and deviation, NormReward
	// the rewards by the running deviation of the discounted return; both clip at 10.
	NormObs    bool `json:"norm_obs" about:"observations are scaled by their running mean and deviation, clipped at 10"`
	NormReward bool `json:"norm_reward" about:"rewards are divided by the running deviation of the discounted return, clipped at 10"`
	// Hidden are the sizes of the hidden layers of actor and critic; for candidates the
	// first is the width of the kernels.
	Hidden []int `json:"hidden" about:"sizes of the hidden layers, such as 64,64; for a list (encoder) the first is the width of its kernel" range:"whole numbers >= 1"`
	// LogStd is the logarithm of a continuous policy's deviation at the start, in units
	// of half the action's range. Squash bounds actions by tanh instead of clipping them.
	LogStd float64 `json:"log_std" about:"natural logarithm of the deviation of continuous actions at the start, in halves of the range of an action" range:"[-20,2]"`
	Squash bool    `json:"squash" about:"continuous actions are bounded by tanh instead of clipping"`
	// Encoder is "mlp": multi-layer perceptrons over the whole observation; "candidates": one
	// kernel judges each of a list, and the action chooses one; or "classes": one kernel acts for
	// each of a list. "" = candidates if there is a layout of them, mlp otherwise.
	Encoder string `json:"encoder,omitempty" about:"how observations are read: mlp as a whole; candidates: one kernel judges each of a list, of which the action chooses one; classes: one kernel acts for each of a list; ranking: one kernel scores each of a list, which the action puts in order; empty = by candidates" range:"mlp, candidates, classes, ranking"`
	// Candidates is the list's layout; nil for multi-layer perceptrons.
	Candidates *policy.Candidates `json:"candidates,omitempty" about:"layout of the list in an observation, as JSON; environments over the simulator have theirs" range:"a JSON object"`
}

// Default is A2C as Stable-Baselines3 has it (Raffin et al., JMLR 22(268), 2021), over 8
// environments.
func Default() Config {
	return Config{
		Seed: 1, TotalSteps: 500_000, Envs: 8, Steps: 5, Rollouts: 25,
		Optimizer: "rmsprop", OptimizerEps: 1e-5, LearningRate: 7e-4, Gamma: 0.99, Lambda: 1,
		ValueCoef: 0.5, MaxGradNorm: 0.5, Hidden: []int{64, 64},
	}
}

// perUpdate is how many environment steps an update takes.
func (c *Config) perUpdate() int { return c.Envs * c.Steps * c.Rollouts }

// Updates is how many updates a run has.
func (c *Config) Updates() int { return c.TotalSteps / c.perUpdate() }

func optimizers() []string { return []string{"rmsprop", "rmsprop_tf", "adam"} }

// Validate reports all faults.
func (c *Config) Validate() error {
	f := learn.Faults{Agent: agent}
	f.Positive("envs", c.Envs)
	f.Positive("steps", c.Steps)
	f.Positive("rollouts", c.Rollouts)
	whole := f.Err() == nil
	if whole && c.TotalSteps < c.perUpdate() {
		f.Bad("total_steps", c.TotalSteps, fmt.Sprintf("at least one update of envs*steps*rollouts = %d", c.perUpdate()))
	}
	if !slices.Contains(optimizers(), c.Optimizer) {
		f.Bad("optimizer", fmt.Sprintf("%q", c.Optimizer), "one of "+strings.Join(optimizers(), ", "))
	}
	if whole && c.NormAdvantage && c.Envs*c.Steps < 2 {
		f.Bad("norm_advantage", true, "false where a rollout has one step")
	}
	f.Above("learning_rate", c.LearningRate, 0, 1)
	f.Above("optimizer_eps", c.OptimizerEps, 0, 1)
	f.Above("gamma", c.Gamma, 0, 1)
	f.Within("lambda", c.Lambda, 0, 1)
	f.Within("entropy_coef", c.EntropyCoef, 0, 10)
	f.Within("value_coef", c.ValueCoef, 0, 100)
	f.Within("max_grad_norm", c.MaxGradNorm, 0, math.MaxFloat64)
	policy := c.actor()
	f.Add(policy.Validate())
	return f.Err()
}

// actor is how the policy is built.
func (c *Config) actor() policy.Config {
	return policy.Config{Hidden: c.Hidden, Critic: true, LogStd: c.LogStd, Squash: c.Squash, NormObs: c.NormObs, Encoder: c.Encoder, Candidates: c.Candidates}
}
