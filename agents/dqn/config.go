package dqn

import (
	"errors"
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/nn"
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
	// Buffer is how many environment steps are kept to learn from, LearningStarts after how
	// many learning begins.
	Buffer         int `json:"buffer"`
	LearningStarts int `json:"learning_starts"`
	// TrainEvery is the number of environment steps between two rounds of learning,
	// GradientSteps how many minibatches of Batch transitions each round has.
	TrainEvery    int `json:"train_every"`
	GradientSteps int `json:"gradient_steps"`
	Batch         int `json:"batch"`
	// TargetEvery is the number of environment steps after which the target network moves
	// towards the network by the fraction Tau; 1 copies.
	TargetEvery int     `json:"target_every" about:"environment steps between two moves of the target network" range:"[1,inf)"`
	Tau         float64 `json:"tau" about:"fraction by which the target network moves towards the network; 1 = copy" range:"(0,1]"`
	// LearningRate is Adam's, AdamEps is added to the root in Adam.
	LearningRate float64 `json:"learning_rate"`
	AdamEps      float64 `json:"adam_eps"`
	// MaxGradNorm bounds the norm of the whole gradient; 0 = no bound.
	MaxGradNorm float64 `json:"max_grad_norm"`
	// Gamma discounts per unit of Info.Elapsed, in (0,1].
	Gamma float64 `json:"gamma"`
	// NSteps is over how many steps rewards are summed before a value is trusted; 1 = one.
	NSteps int `json:"n_steps"`
	// EpsStart is the share of random actions at the start; it falls linearly to EpsEnd over
	// the part EpsPart of the run.
	EpsStart float64 `json:"eps_start" about:"share of random actions at the start" range:"[0,1]"`
	EpsEnd   float64 `json:"eps_end" about:"share of random actions at the end of its fall" range:"[0,1]"`
	EpsPart  float64 `json:"eps_part" about:"part of the run over which that share falls linearly" range:"[0,1]"`
	// Double lets the network choose the action that the target network judges, Duel splits
	// the network into value and advantages, Huber bounds the slope of the loss at 1.
	Double bool `json:"double" about:"the network chooses the action that the target network judges"`
	Duel   bool `json:"duel" about:"the network is split into value and advantages"`
	Huber  bool `json:"huber" about:"the slope of the loss is bounded by 1"`
	// NormReward divides rewards by the running deviation of the discounted return.
	NormReward bool `json:"norm_reward"`
	// Hidden are the sizes of the hidden layers; for candidates the first is the width of the
	// kernels.
	Hidden []int `json:"hidden"`
	// Activation is the function between layers, tanh or relu; "" = relu, tanh for candidates.
	Activation string `json:"activation,omitempty"`
	// Candidates states that observations list candidates, which one shared kernel judges;
	// nil = the network is a multi-layer perceptron.
	Candidates *Candidates `json:"candidates,omitempty" about:"layout of the candidates that an observation lists, which one kernel judges, as JSON; environments over the simulator have theirs"`
	// Demo states how demonstrations are learned from; nil = there are none, Imitate is refused.
	*Demo
}

// Demo states how demonstrations are learned from. Start from DefaultDemo.
type Demo struct {
	// Share is the part of each minibatch that is demonstrated, in (0,1).
	Share float64 `json:"demo_share"`
	// Margin is by how much the value of a demonstrated action is to exceed the values of all
	// others, in units of the (scaled) reward; Weight is what that loss counts beside the loss of
	// the values, 0 = nothing.
	Margin float64 `json:"demo_margin" about:"by how much the value of a demonstrated action is to exceed the others, in units of (scaled) reward; needs imitate" range:"[0,1e6]"`
	Weight float64 `json:"demo_weight"`
}

// DefaultDemo is Hester et al. (arXiv:1704.03732): margin 0.8, weight 1; the share is fixed, where
// theirs follows from priorities.
func DefaultDemo() Demo { return Demo{Share: 0.25, Margin: 0.8, Weight: 1} }

// Candidates is the layout of an observation that lists candidates: Global numbers about the
// whole, then as many blocks of Features numbers as there is room for. The action is one of Extra
// choices (0 up), or one of the Choices (0 = 1) of a block (Extra up, block by block). With Present the
// first feature of a block is 0 where there is none. How many blocks there are follows from the
// environment, so trained weights serve environments of any size.
type Candidates struct {
	Global   int `json:"global"`
	Features int `json:"features"`
	Extra    int `json:"extra,omitempty"`

	Choices int  `json:"choices,omitempty"`
	Present bool `json:"present,omitempty"`
}

// shape returns the shape of a set network with some slots.
func (c *Candidates) shape(slots int) nn.SetShape {
	return nn.SetShape{Global: c.Global, Slots: slots, Features: c.Features, Extra: c.Extra, Each: c.Choices,
		Present: c.Present}
}

// Default is CleanRL's dqn.py (Huang et al., JMLR 23(274), 2022), the settings of its CartPole
// benchmark, with double learning.
func Default() Config {
	return Config{
		Seed: 1, TotalSteps: 500_000, Envs: 1, Steps: 1000, Buffer: 10_000, LearningStarts: 10_000,
		TrainEvery: 10, GradientSteps: 1, Batch: 128, TargetEvery: 500, Tau: 1,
		LearningRate: 2.5e-4, AdamEps: 1e-8, Gamma: 0.99, NSteps: 1,
		EpsStart: 1, EpsEnd: 0.05, EpsPart: 0.5, Double: true, Hidden: []int{120, 84},
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
	f.Add(c.validateCandidates())
	if c.Demo != nil && c.Batch == 1 {
		f.Bad("batch", c.Batch, "at least 2 where part of it is demonstrated")
	}
	return f.Err()
}

func (c *Config) validateCandidates() error {
	if c.Candidates == nil {
		return nil
	}
	if len(c.Hidden) == 0 {
		return errors.New("hidden is empty, expected the width of the candidates' kernels")
	}
	shape := c.Candidates.shape(1)
	return shape.Validate()
}

// epsilon is the share of random actions after so many of the run's steps.
func (c *Config) epsilon(steps int) float64 {
	part := 1.0
	if over := c.EpsPart * float64(c.TotalSteps); float64(steps) < over {
		part = float64(steps) / over
	}
	return c.EpsStart + float64(part*(c.EpsEnd-c.EpsStart))
}
