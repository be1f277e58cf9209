package a2c

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/internal/actor"
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
	Steps int `json:"steps"`
	// Rollouts is how many of these, each with its own step of the optimiser, make one update: what
	// is told, saved and validated at once. It moves no weight.
	Rollouts int `json:"rollouts"`
	// Optimizer is rmsprop (as PyTorch has it), rmsprop_tf (as TensorFlow has it) or adam; OptimizerEps
	// is added to the root, or in it with rmsprop_tf.
	Optimizer    string  `json:"optimizer"`
	OptimizerEps float64 `json:"optimizer_eps"`
	// LearningRate is the optimiser's; with Anneal it falls linearly to 0 at the end.
	LearningRate float64 `json:"learning_rate"`
	Anneal       bool    `json:"anneal"`
	// Gamma discounts per unit of Info.Elapsed, in (0,1]; Lambda is that of GAE, in [0,1]; 1 gives
	// returns over Steps steps.
	Gamma  float64 `json:"gamma"`
	Lambda float64 `json:"lambda"`
	// EntropyCoef and ValueCoef weigh these losses against the policy's.
	EntropyCoef float64 `json:"entropy_coef"`
	ValueCoef   float64 `json:"value_coef"`
	// MaxGradNorm bounds the norm of the whole gradient; 0 = no bound.
	MaxGradNorm float64 `json:"max_grad_norm"`
	// NormAdvantage gives the advantages of each rollout mean 0 and deviation 1.
	NormAdvantage bool `json:"norm_advantage"`
	// NormObs scales each observation entry by its running mean and deviation, NormReward
	// the rewards by the running deviation of the discounted return; both clip at 10.
	NormObs    bool `json:"norm_obs"`
	NormReward bool `json:"norm_reward"`
	// Hidden are the sizes of the hidden layers of actor and critic; for candidates the
	// first is the width of the kernels.
	Hidden []int `json:"hidden"`
	// LogStd is the logarithm of a continuous policy's deviation at the start, in units
	// of half the action's range. Squash bounds actions by tanh instead of clipping them.
	LogStd float64 `json:"log_std"`
	Squash bool    `json:"squash"`
	// Encoder is "mlp": multi-layer perceptrons over the whole observation; "candidates": one
	// kernel judges each of a list, and the action chooses one; or "classes": one kernel acts for
	// each of a list. "" = candidates if there is a layout of them, mlp otherwise.
	Encoder string `json:"encoder,omitempty"`
	// Candidates is the list's layout; nil for multi-layer perceptrons.
	Candidates *actor.Candidates `json:"candidates,omitempty"`
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
	var errs []error
	bad := func(name string, got any, want string) {
		errs = append(errs, fmt.Errorf("a2c: %s is %v, expected %s", name, got, want))
	}
	whole := true
	for _, f := range []struct {
		name string
		got  int
	}{{"envs", c.Envs}, {"steps", c.Steps}, {"rollouts", c.Rollouts}} {
		if f.got < 1 {
			bad(f.name, f.got, "at least 1")
			whole = false
		}
	}
	if whole && c.TotalSteps < c.perUpdate() {
		bad("total_steps", c.TotalSteps, fmt.Sprintf("at least one update of envs*steps*rollouts = %d", c.perUpdate()))
	}
	if !slices.Contains(optimizers(), c.Optimizer) {
		bad("optimizer", fmt.Sprintf("%q", c.Optimizer), "one of "+strings.Join(optimizers(), ", "))
	}
	if whole && c.NormAdvantage && c.Envs*c.Steps < 2 {
		bad("norm_advantage", true, "false where a rollout has one step")
	}
	for _, f := range []struct {
		name           string
		got, low, high float64
		open           bool // low itself is not allowed
	}{
		{"learning_rate", c.LearningRate, 0, 1, true}, {"optimizer_eps", c.OptimizerEps, 0, 1, true},
		{"gamma", c.Gamma, 0, 1, true}, {"lambda", c.Lambda, 0, 1, false},
		{"entropy_coef", c.EntropyCoef, 0, 10, false}, {"value_coef", c.ValueCoef, 0, 100, false},
		{"max_grad_norm", c.MaxGradNorm, 0, math.MaxFloat64, false},
	} {
		if !(f.got >= f.low && f.got <= f.high) || f.open && f.got == f.low {
			bad(f.name, f.got, fmt.Sprintf("a number from %g to %g", f.low, f.high))
		}
	}
	policy := c.actor()
	if err := policy.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("a2c: %w", err))
	}
	return errors.Join(errs...)
}

// actor is how the policy is built.
func (c *Config) actor() actor.Config {
	return actor.Config{Hidden: c.Hidden, Critic: true, LogStd: c.LogStd, Squash: c.Squash, NormObs: c.NormObs, Encoder: c.Encoder, Candidates: c.Candidates}
}
