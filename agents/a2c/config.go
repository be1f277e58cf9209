package a2c

import (
	"fmt"

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
	TotalSteps int `json:"total_steps"`
	// Envs is how many environments are stepped together, Steps how often before a step of the
	// optimiser.
	Envs  int `json:"envs"`
	Steps int `json:"steps" about:"steps of each environment before a step of the optimiser"`
	// Rollouts is how many of these, each with its own step of the optimiser, make one update: a
	// row and, when due, a checkpoint and a validation follow it. It does not change the weights.
	Rollouts int `json:"rollouts" about:"steps of the optimiser in one update, after which a run may be saved and validated" range:"[1,inf)"`
	// Optimizer is rmsprop (as PyTorch has it), rmsprop_tf (as TensorFlow has it) or adam;
	// OptimizerEps is added to the root, or in it with rmsprop_tf.
	Optimizer    string  `json:"optimizer" about:"rmsprop as PyTorch has it, rmsprop_tf as TensorFlow has it, or adam" range:"rmsprop, rmsprop_tf, adam"`
	OptimizerEps float64 `json:"optimizer_eps" about:"what the optimiser adds to the root of the second moment (in the root with rmsprop_tf)" range:"(0,1]"`
	// LearningRate is the optimiser's; with Anneal it falls linearly to 0 at the end.
	LearningRate float64 `json:"learning_rate" about:"learning rate of the optimiser"`
	Anneal       bool    `json:"anneal"`
	// Gamma discounts per unit of Info.Elapsed, in (0,1]; Lambda is GAE's, in [0,1]; 1 gives
	// returns over Steps steps.
	Gamma  float64 `json:"gamma"`
	Lambda float64 `json:"lambda"`
	// EntropyCoef and ValueCoef weigh these losses against the policy's.
	EntropyCoef float64 `json:"entropy_coef"`
	ValueCoef   float64 `json:"value_coef"`
	// MaxGradNorm bounds the norm of the whole gradient; 0 = no bound.
	MaxGradNorm float64 `json:"max_grad_norm"`
	// NormAdvantage gives the advantages of each rollout mean 0 and deviation 1.
	NormAdvantage bool `json:"norm_advantage" about:"advantages of each rollout get mean 0 and deviation 1"`
	// NormObs scales each observation entry by its running mean and deviation, NormReward
	// the rewards by the running deviation of the discounted return; both clip at 10.
	NormObs    bool `json:"norm_obs"`
	NormReward bool `json:"norm_reward"`
	// Hidden are the sizes of the hidden layers of actor and critic; for candidates the
	// first is the width of the kernels.
	Hidden []int `json:"hidden"`
	// Activation is the function between layers, tanh or relu; "" = tanh.
	Activation string `json:"activation,omitempty"`
	// LogStd is the logarithm of a continuous policy's deviation at the start, in units
	// of half the action's range. Squash bounds actions by tanh instead of clipping them.
	LogStd float64 `json:"log_std"`
	Squash bool    `json:"squash"`
	// CriticOnly is how many numbers at the start of an observation the critic alone reads.
	CriticOnly int `json:"critic_only,omitempty"`
	// Encoder is "mlp": multi-layer perceptrons over the whole observation; "candidates": one
	// kernel judges each of a list, and the action chooses one; or "classes": one kernel acts for
	// each of a list. "" = candidates if there is a layout of them, mlp otherwise.
	Encoder string `json:"encoder,omitempty"`
	// Candidates is the list's layout; nil for multi-layer perceptrons.
	Candidates *policy.Candidates `json:"candidates,omitempty"`
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

// Validate reports all faults.
func (c *Config) Validate() error {
	f := learn.Faults{Agent: agent}
	f.Ranges(*c)
	if min(c.Envs, c.Steps, c.Rollouts) > 0 && c.TotalSteps < c.perUpdate() {
		f.Bad("total_steps", c.TotalSteps, fmt.Sprintf("at least one update of envs*steps*rollouts = %d",
			c.perUpdate()))
	}
	if c.NormAdvantage && c.Envs == 1 && c.Steps == 1 {
		f.Bad("norm_advantage", true, "false where a rollout has one step")
	}
	policy := c.actor()
	f.Add(policy.Validate())
	return f.Err()
}

// actor is how the policy is built.
func (c *Config) actor() policy.Config {
	return policy.Config{Hidden: c.Hidden, Activation: c.Activation, CriticOnly: c.CriticOnly, Critic: true,
		LogStd: c.LogStd, Squash: c.Squash, NormObs: c.NormObs, Encoder: c.Encoder, Candidates: c.Candidates}
}
