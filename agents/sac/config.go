package sac

import (
	"fmt"

	"tarry/agents/learn"
)

// Config is everything that a training run depends on, but for the environments. Start from
// Default; the zero value is not valid.
type Config struct {
	// Seed names every random stream of the run.
	Seed uint64 `json:"seed"`
	// TotalSteps is when training ends, counted over all environments; an update is not cut
	// short, so up to Envs*Steps-1 fewer steps are made.
	TotalSteps int `json:"total_steps"`
	// Envs is how many environments are stepped together, Steps how often in one update: an
	// update is a row of the curves, between which runs are saved and validated.
	Envs  int `json:"envs"`
	Steps int `json:"steps"`
	// Buffer is how many environment steps are kept to learn from, LearningStarts how many are
	// made at first with uniformly random actions, without learning.
	Buffer         int `json:"buffer"`
	LearningStarts int `json:"learning_starts" about:"environment steps with random actions before learning begins"`
	// TrainEvery is the number of environment steps between two rounds of learning,
	// GradientSteps how many minibatches of Batch transitions each round has.
	TrainEvery    int `json:"train_every"`
	GradientSteps int `json:"gradient_steps"`
	Batch         int `json:"batch"`
	// Tau is the fraction by which the target critics move towards the critics after each
	// minibatch.
	Tau float64 `json:"tau" about:"fraction by which the target critics move towards the critics after each minibatch" range:"(0,1]"`
	// LearningRate is Adam's for actor, critics and temperature; AdamEps is added to the
	// root in Adam.
	LearningRate float64 `json:"learning_rate" about:"learning rate of Adam for actor, critics and temperature"`
	AdamEps      float64 `json:"adam_eps"`
	// MaxGradNorm bounds the norm of the gradient of the actor and of the critics, each for
	// itself; 0 = no bound.
	MaxGradNorm float64 `json:"max_grad_norm"`
	// Gamma discounts per unit of Info.Elapsed, in (0,1].
	Gamma float64 `json:"gamma"`
	// NSteps is over how many steps rewards are summed before a value is trusted; 1 = one.
	NSteps int `json:"n_steps"`
	// Alpha is the temperature at the start: the reward of a nat of entropy. With
	// AutoAlpha it is learned so that the entropy is Entropy per number of an action, in units
	// of half the action's range.
	Alpha     float64 `json:"alpha" about:"temperature at the start: the reward of a nat of entropy" range:"(0,1e6]"`
	AutoAlpha bool    `json:"auto_alpha" about:"the temperature is learned, so that the entropy becomes the setting entropy"`
	Entropy   float64 `json:"entropy" about:"entropy per number of an action that auto_alpha aims at, nats, in halves of the range of an action" range:"[-20,0.7]"`
	// NormReward divides rewards by the running deviation of the discounted return.
	NormReward bool `json:"norm_reward"`
	// Hidden are the sizes of the hidden layers of actor and critics.
	Hidden []int `json:"hidden"`
	// Activation is the function between layers, tanh or relu; "" = relu.
	Activation string `json:"activation,omitempty"`
	// Demo states how demonstrations are learned from; nil = there are none, Imitate is refused.
	*Demo
}

// Demo states how demonstrations are learned from. Start from DefaultDemo.
type Demo struct {
	// Share is the part of each minibatch that is demonstrated, in (0,1).
	Share float64 `json:"demo_share"`
	// Weight is what the actor's distance from a demonstrated action counts in its loss, where the
	// critics take that action to be the better one; 0 = nothing.
	Weight float64 `json:"demo_weight"`
}

// DefaultDemo is a quarter of each minibatch and a weight of 1.
func DefaultDemo() Demo { return Demo{Share: 0.25, Weight: 1} }

// Default is what Stable-Baselines3 does by default (Raffin et al., JMLR 22(268), 2021), with
// smaller layers: two of 64 instead of 256.
func Default() Config {
	return Config{
		Seed: 1, TotalSteps: 100_000, Envs: 1, Steps: 1000, Buffer: 100_000, LearningStarts: 100,
		TrainEvery: 1, GradientSteps: 1, Batch: 256, Tau: 0.005, LearningRate: 3e-4, AdamEps: 1e-8,
		Gamma: 0.99, NSteps: 1, Alpha: 1, AutoAlpha: true, Entropy: -1, Hidden: []int{64, 64},
	}
}

// Updates is how many updates a run has.
func (c *Config) Updates() int { return c.TotalSteps / (c.Envs * c.Steps) }

// Validate reports all faults.
func (c *Config) Validate() error {
	f := learn.Faults{Agent: agent}
	f.Ranges(*c)
	if min(c.Envs, c.Steps) > 0 && c.TotalSteps < c.Envs*c.Steps {
		f.Bad("total_steps", c.TotalSteps, fmt.Sprintf("at least one update of envs*steps = %d", c.Envs*c.Steps))
	}
	if c.Demo != nil && c.Batch == 1 {
		f.Bad("batch", c.Batch, "at least 2 where part of it is demonstrated")
	}
	return f.Err()
}
