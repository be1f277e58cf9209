package pac

import (
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/policy"
)

// Config is everything that a training run depends on, but for the environments. Start from Default;
// the zero value is not valid.
type Config struct {
	// Seed names every random stream of the run.
	Seed uint64 `json:"seed"`
	// TotalSteps is when training ends, counted over all environments; the last update is not cut
	// short, so up to Envs*Steps-1 fewer steps are made.
	TotalSteps int `json:"total_steps"`
	// Envs is how many environments are stepped together, Steps how often in one update: an update
	// is a row of the curves, between which runs are saved and validated.
	Envs  int `json:"envs"`
	Steps int `json:"steps"`
	// Buffer is how many environment steps are kept, LearningStarts after how many learning begins.
	Buffer         int `json:"buffer"`
	LearningStarts int `json:"learning_starts"`
	// Batch is how many decisions a minibatch has; there is one, with a step of Adam, after each slot.
	Batch int `json:"batch" about:"decisions of a minibatch, of which there is one after each slot" range:"[1,inf)"`
	// Returns is what a decision is to be good for: BySlot, the rewards of its slot, or Bootstrapped,
	// these and the discounted value of what comes after. Baseline is what they are compared with:
	// ByCritic or ByMean, the mean of the store.
	Returns  string `json:"returns" about:"return of a decision: slot, the rewards of its slot; bootstrapped, and the discounted value of what comes after it" range:"slot, bootstrapped"`
	Baseline string `json:"baseline" about:"what returns are measured from: critic, the values that are learned; mean, the mean return in the store (with returns=slot)" range:"critic, mean"`
	// Alpha is the exponent of priorities; 0 = all decisions are drawn alike. Beta is the exponent of
	// the correction, which rises by BetaStep with each minibatch to 1. PriorityEps is added to the size
	// of an error, which ErrorClip bounds.
	Alpha       float64 `json:"alpha" about:"exponent of priorities; 0 = all decisions are drawn alike" range:"[0,1]"`
	Beta        float64 `json:"beta" about:"exponent of the correction for priorities, at first" range:"[0,1]"`
	BetaStep    float64 `json:"beta_step" about:"by how much each minibatch raises that exponent, up to 1" range:"[0,1]"`
	PriorityEps float64 `json:"priority_eps" about:"what is added to the size of an error, which then is a priority" range:"(0,1]"`
	ErrorClip   float64 `json:"error_clip" about:"bound of the priority of an error" range:"(0,1e6]"`
	// LearningRate is Adam's; with Anneal it falls linearly to 0 at the end. AdamEps is added to the
	// root.
	LearningRate float64 `json:"learning_rate"`
	Anneal       bool    `json:"anneal"`
	AdamEps      float64 `json:"adam_eps"`
	// Gamma discounts per unit of Info.Elapsed, in (0,1], with Returns Bootstrapped.
	Gamma float64 `json:"gamma"`
	// EntropyCoef and ValueCoef weigh these losses against the policy's.
	EntropyCoef float64 `json:"entropy_coef"`
	ValueCoef   float64 `json:"value_coef"`
	// MaxGradNorm bounds the norm of the whole gradient; 0 = no bound.
	MaxGradNorm float64 `json:"max_grad_norm"`
	// NormObs scales each observation entry by its running mean and deviation, clipped at 10.
	NormObs bool `json:"norm_obs"`
	// Hidden are the sizes of the hidden layers of actor and critic; for candidates the first is the
	// width of the kernels. Activation is the function between layers.
	Hidden     []int  `json:"hidden"`
	Activation string `json:"activation,omitempty"`
	// LogStd is the logarithm of a continuous policy's deviation at the start, in units of half the
	// action's range. Squash bounds actions by tanh instead of clipping them.
	LogStd float64 `json:"log_std"`
	Squash bool    `json:"squash"`
	// CriticOnly is how many numbers at the start of an observation the critic alone reads.
	CriticOnly int `json:"critic_only,omitempty"`
	// Encoder is mlp, candidates or classes: see agents/ppo. Candidates is the list's layout.
	Encoder    string             `json:"encoder,omitempty"`
	Candidates *policy.Candidates `json:"candidates,omitempty"`
}

// What a decision is to be good for, and what that is compared with.
const (
	// BySlot are the rewards of the slot.
	BySlot = "slot"
	// Bootstrapped adds the discounted value of what comes after the slot.
	Bootstrapped = "bootstrapped"
	// ByCritic is the critic's value.
	ByCritic = "critic"
	// ByMean is the mean return in the store.
	ByMean = "mean"
)

// Default has DL2's settings.
func Default() Config {
	return Config{
		Seed: 1, TotalSteps: 500_000, Envs: 1, Steps: 1024, Buffer: 8192, LearningStarts: 8192, Batch: 256,
		Returns: BySlot, Baseline: ByCritic, Alpha: 0.9, Beta: 0.1, BetaStep: 1e-4, PriorityEps: 0.01, ErrorClip: 4,
		LearningRate: 1e-4, AdamEps: 1e-8, Gamma: 0.99, EntropyCoef: 0.1, ValueCoef: 1, Hidden: []int{80, 80},
		Activation: "relu",
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
	if c.Baseline == ByMean && c.Returns == Bootstrapped {
		f.Bad("baseline", fmt.Sprintf("%q", ByMean), fmt.Sprintf("%q with returns=%s", ByCritic, Bootstrapped))
	}
	p := c.actor()
	f.Add(p.Validate())
	return f.Err()
}

// actor is how the policy is built.
func (c *Config) actor() policy.Config {
	return policy.Config{Hidden: c.Hidden, Activation: c.Activation, CriticOnly: c.CriticOnly, Critic: true,
		LogStd: c.LogStd, Squash: c.Squash, NormObs: c.NormObs, Encoder: c.Encoder, Candidates: c.Candidates}
}
