package reinforce

import (
	"tarry/agents/learn"
	"tarry/agents/policy"
)

// Config is everything that a training run depends on, but for the environments. Start
// from Default; the zero value is not valid.
type Config struct {
	// Seed names every random stream of the run.
	Seed uint64 `json:"seed"`
	// TotalSteps is the budget of environment steps. Episodes are as long as they are, so training
	// ends with the first update that reaches it.
	TotalSteps int `json:"total_steps" about:"environment steps of a run; it ends with the first update that reaches them" range:"[1,inf)"`
	// Sequences is how many sequences of arrivals (seeds of an episode) an update has, Rollouts how
	// often each of them is played.
	Sequences int `json:"sequences" about:"sequences of arrivals of an update" range:"[1,inf)"`
	Rollouts  int `json:"rollouts" about:"how often each sequence is played; 1 only with baseline=constant (or time)" range:"[2,inf)"`
	// Horizon cuts episodes at the first decision at or after it, in units of Info.Elapsed, the
	// same for all; 0 = where the environment ends them.
	Horizon float64 `json:"horizon" about:"episodes are cut at the first decision after it, in units of time as for gamma; 0 = where the environment ends them" range:"[0,inf)"`
	// Gamma discounts per unit of Info.Elapsed, in (0,1]; 1 = not.
	Gamma float64 `json:"gamma"`
	// Baseline is what returns are compared with, Input, Time or Constant. LeaveOneOut keeps a
	// rollout out of the mean that it is compared with.
	Baseline    string `json:"baseline" about:"what returns are compared with: input, the mean over rollouts of the same arrivals at the same time; time, over all rollouts; constant, the mean of all returns" range:"input, time, constant"`
	LeaveOneOut bool   `json:"leave_one_out" about:"a rollout is left out of the mean that it is compared with; not with baseline=constant"`
	// NormAdvantage divides the advantages of an update by their root mean square.
	NormAdvantage bool `json:"norm_advantage" about:"advantages of an update are divided by their root mean square"`
	// Optimizer is adam, or rmsprop with the decay 0.9 of DeepRM's program; "" = adam.
	Optimizer string `json:"optimizer,omitempty" about:"adam, or rmsprop as PyTorch has it with a decay of 0.9 (DeepRM); empty = adam" range:"adam, rmsprop"`
	// LearningRate is the optimiser's; with Anneal it falls linearly to 0 at the end. AdamEps is added
	// to the root.
	LearningRate float64 `json:"learning_rate"`
	Anneal       bool    `json:"anneal"`
	AdamEps      float64 `json:"adam_eps"`
	// EntropyCoef weighs the entropy against the policy's loss at the start. It falls linearly to
	// EntropyFinal over the share EntropyShare of the budget, in (0,1].
	EntropyCoef  float64 `json:"entropy_coef" about:"weight of the entropy against the loss of the policy at the start"`
	EntropyFinal float64 `json:"entropy_final" about:"weight of the entropy at the end of its fall" range:"[0,10]"`
	EntropyShare float64 `json:"entropy_share" about:"part of the run over which that weight falls linearly" range:"(0,1]"`
	// MaxGradNorm bounds the norm of the whole gradient; 0 = no bound.
	MaxGradNorm float64 `json:"max_grad_norm"`
	// NormObs scales each observation entry by its running mean and deviation, clipped at 10.
	NormObs bool `json:"norm_obs"`
	// Hidden are the sizes of the hidden layers; for candidates the first is the width of the
	// kernel.
	Hidden []int `json:"hidden"`
	// Activation is the function between layers, tanh or relu; "" = tanh.
	Activation string `json:"activation,omitempty"`
	// LogStd is the logarithm of a continuous policy's deviation at the start, in units
	// of half the action's range. Squash bounds actions by tanh instead of clipping them.
	LogStd float64 `json:"log_std"`
	Squash bool    `json:"squash"`
	// CriticOnly is how many numbers at the start of an observation the critic alone reads.
	CriticOnly int `json:"critic_only,omitempty"`
	// Encoder is "mlp": a multi-layer perceptron over the whole observation; "candidates": one
	// kernel judges each of a list, and the action chooses one; or "classes": one kernel acts for
	// each of a list. "" = candidates if there is a layout of them, mlp otherwise.
	Encoder string `json:"encoder,omitempty"`
	// Candidates is the list's layout; nil for a multi-layer perceptron.
	Candidates *policy.Candidates `json:"candidates,omitempty"`
}

// The baselines.
const (
	// Input is the mean return-to-go of the rollouts of the same sequence, at the same time.
	Input = "input"
	// Time is the baseline by time over all rollouts of the update, whatever their sequence.
	Time = "time"
	// Constant is the mean of all returns-to-go of the update.
	Constant = "constant"
)

// Default has Decima's learning rate and no discount; 4 sequences of 4 rollouts, as in
// spark-sched-sim.
func Default() Config {
	return Config{
		Seed: 1, TotalSteps: 500_000, Sequences: 4, Rollouts: 4, Gamma: 1, Baseline: Input, NormAdvantage: true,
		LearningRate: 1e-3, AdamEps: 1e-5, EntropyShare: 1, MaxGradNorm: 0.5, Hidden: []int{64, 64},
	}
}

// Validate reports all faults.
func (c *Config) Validate() error {
	f := learn.Faults{Agent: agent}
	f.Ranges(*c, "rollouts")
	f.Positive("rollouts", c.Rollouts)
	switch {
	case c.Baseline == Input && c.Rollouts == 1:
		f.Bad("rollouts", 1, "at least 2 with baseline input: a rollout compared with itself states nothing")
	case c.Baseline == Time && c.Rollouts*c.Sequences == 1:
		f.Bad("rollouts", 1, "more than one rollout with baseline time")
	case c.Baseline == Constant && c.LeaveOneOut:
		f.Bad("leave_one_out", true, "false with baseline constant")
	}
	policy := c.actor()
	f.Add(policy.Validate())
	return f.Err()
}

// actor is how the policy is built.
func (c *Config) actor() policy.Config {
	return policy.Config{Hidden: c.Hidden, Activation: c.Activation, CriticOnly: c.CriticOnly, LogStd: c.LogStd,
		Squash: c.Squash, NormObs: c.NormObs, Encoder: c.Encoder, Candidates: c.Candidates}
}

// optimizer names the optimiser.
func (c *Config) optimizer() string {
	if c.Optimizer == "" {
		return "adam"
	}
	return c.Optimizer
}

// entropy is the weight of the entropy after a part of the budget, from 0 to 1.
func (c *Config) entropy(done float64) float64 {
	return c.EntropyCoef + float64(min(1, done/c.EntropyShare)*(c.EntropyFinal-c.EntropyCoef))
}
