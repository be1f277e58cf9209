package ppo

import (
	"fmt"
	"math/rand/v2"

	"tarry/agents/learn"
	"tarry/agents/policy"
	"tarry/env"
)

// Config is everything that a training run depends on, but for the environments. Start
// from Default; the zero value is not valid.
type Config struct {
	// Seed names every random stream of the run.
	Seed uint64 `json:"seed"`
	// TotalSteps is when training ends, counted over all environments; the last rollout
	// is not cut short, so up to Envs*Steps-1 fewer steps are made.
	TotalSteps int `json:"total_steps"`
	// Envs is how many environments are stepped together, Steps how often before an update.
	Envs  int `json:"envs"`
	Steps int `json:"steps"`
	// Epochs is how often each rollout is learned from, in Minibatches parts.
	Epochs      int `json:"epochs" about:"passes over each rollout" range:"[1,inf)"`
	Minibatches int `json:"minibatches" about:"parts of a rollout, each with a step of the optimiser; at most envs x steps" range:"[1,inf)"`
	// LearningRate is Adam's; with Anneal it falls linearly to 0 at the end.
	LearningRate float64 `json:"learning_rate"`
	Anneal       bool    `json:"anneal"`
	// AdamEps is added to the root in Adam.
	AdamEps float64 `json:"adam_eps"`
	// Gamma discounts per unit of Info.Elapsed, in (0,1]; Lambda is GAE's, in [0,1].
	Gamma  float64 `json:"gamma"`
	Lambda float64 `json:"lambda"`
	// AverageReward is for tasks that never end: the reward per unit of Info.Elapsed is made as
	// large as possible, and nothing is discounted (Gamma then only serves NormReward). The rate is
	// a running mean over rollouts, of which the newest has the weight AverageWeight, in (0,1]; 0 =
	// 0.1.
	AverageReward bool    `json:"average_reward,omitempty" about:"maximise the reward per unit of time, for tasks without an end, and discount nothing"`
	AverageWeight float64 `json:"average_weight,omitempty" about:"weight of the newest rollout in the running mean that average_reward needs; 0 = 0.1" range:"[0,1]"`
	// Clip bounds the change of the policy's ratio; with ClipValue also the change of the value;
	// with AnnealClip it falls linearly to 0 at the end.
	Clip       float64 `json:"clip" about:"bound of the change of the ratio of new to old probabilities" range:"(0,10]"`
	ClipValue  bool    `json:"clip_value" about:"clip bounds the change of values too"`
	AnnealClip bool    `json:"anneal_clip" about:"clip falls linearly to 0 at the end"`
	// EntropyCoef and ValueCoef weigh these losses against the policy's.
	EntropyCoef float64 `json:"entropy_coef"`
	ValueCoef   float64 `json:"value_coef"`
	// MaxGradNorm bounds the norm of the whole gradient; 0 = no bound.
	MaxGradNorm float64 `json:"max_grad_norm"`
	// NormAdvantage gives the advantages of each minibatch mean 0 and deviation 1.
	NormAdvantage bool `json:"norm_advantage" about:"advantages of each minibatch get mean 0 and deviation 1"`
	// TargetKL ends an update after the epoch whose approximate KL divergence exceeds it;
	// 0 = never.
	TargetKL float64 `json:"target_kl" about:"approximate KL divergence after which the passes of an update end; 0 = never" range:"[0,100]"`
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
	// Encoder is mlp: the networks are multi-layer perceptrons; candidates: one kernel judges each
	// of a list, and the action chooses one of them; or classes: one kernel acts for each of a
	// list. "" = candidates if Candidates is given, mlp otherwise.
	Encoder string `json:"encoder,omitempty"`
	// Candidates is the list's layout; nil = there is no list.
	Candidates *Candidates `json:"candidates,omitempty"`
	// The next four are of encoder "ranking", for actions that put a list in order. Places is how
	// many places of an order its probability counts, 0 = 8; Temperature scales the noise of
	// scores, in their unit, 0 = 0.25.
	Places      int     `json:"places,omitempty" about:"encoder=ranking: places of an order, from the first on, of which its probability is; 0 = 8" range:"[0,inf)"`
	Temperature float64 `json:"temperature,omitempty" about:"encoder=ranking: factor of the Gumbel noise of scores, in their unit; 0 = 0.25" range:"[0,100]"`
	// Noise is how long an item's noise lasts, EachStep or EachEpisode; "" = EachStep.
	Noise string `json:"noise,omitempty" about:"encoder=ranking: how long the noise of an item lasts: step, one decision; episode; empty = step" range:"step, episode"`
	// Start is a vector of the environment's parameters (trait.Searchable), to whose scores the
	// network's are added; these begin at 0.
	Start []float64 `json:"start,omitempty" about:"encoder=ranking: parameters of the environment to whose scores the network's are added, which begin at 0; tarry train takes a file of tarry export weights or the folder of a policy search, too; empty = none" range:"numbers"`
	// Baseline is what returns are measured from. ValuesFirst is how many updates at the start
	// leave the policy as it is: values of a policy that starts well have to be known before they
	// judge it. Rollouts is how many environments play the same episodes, from the start of each
	// update on, and are compared with one another; see rollouts.go.
	Baseline    string `json:"baseline,omitempty" about:"what returns are measured from: critic, the values that are learned; none, nothing, for rewards that are measured from a known policy's already, such as reward=relative over the simulator; empty = critic" range:"critic, none"`
	Rollouts    int    `json:"rollouts,omitempty" about:"environments that play the same episodes side by side, from the start of each update on; from an advantage the mean of the others at the same time is taken away; divides envs; 0 or 1 = none do" range:"[0,inf)"`
	ValuesFirst int    `json:"values_first,omitempty" about:"updates at the start that change values alone" range:"[0,inf)"`
}

// Default is CleanRL's ppo.py (Huang et al., JMLR 23(274), 2022), the settings of its
// CartPole benchmark.
func Default() Config {
	return Config{
		Seed: 1, TotalSteps: 500_000, Envs: 4, Steps: 128, Epochs: 4, Minibatches: 4,
		LearningRate: 2.5e-4, Anneal: true, AdamEps: 1e-5, Gamma: 0.99, Lambda: 0.95,
		Clip: 0.2, ClipValue: true, EntropyCoef: 0.01, ValueCoef: 0.5, MaxGradNorm: 0.5,
		NormAdvantage: true, Hidden: []int{64, 64},
	}
}

// Updates is how many rollouts and updates a run has.
func (c *Config) Updates() int { return c.TotalSteps / (c.Envs * c.Steps) }

// Validate reports all faults.
func (c *Config) Validate() error {
	f := learn.Faults{Agent: agent}
	f.Ranges(*c)
	if rows := c.Envs * c.Steps; min(c.Envs, c.Steps) > 0 {
		if c.TotalSteps < rows {
			f.Bad("total_steps", c.TotalSteps, fmt.Sprintf("at least one rollout of envs*steps = %d", rows))
		}
		if c.Minibatches > rows {
			f.Bad("minibatches", c.Minibatches, fmt.Sprintf("at most envs*steps = %d", rows))
		}
	}
	if c.Rollouts < 0 || c.Rollouts > 1 && c.Envs%c.Rollouts != 0 {
		f.Bad("rollouts", c.Rollouts, fmt.Sprintf("a number that divides envs = %d", c.Envs))
	}
	policy := c.actor()
	f.Add(policy.Validate())
	return f.Err()
}

// actor is how the policy is built.
func (c *Config) actor() policy.Config {
	return policy.Config{Hidden: c.Hidden, Activation: c.Activation, CriticOnly: c.CriticOnly, Critic: true,
		LogStd: c.LogStd, Squash: c.Squash, NormObs: c.NormObs, Encoder: c.Encoder, Candidates: c.Candidates,
		Places: c.Places, Temperature: c.Temperature, Start: c.Start}
}

// newPolicy gives a policy its first weights.
func newPolicy(cfg *Config, s *env.Spec, r *rand.Rand) (*Policy, error) {
	return policy.New(cfg.actor(), s, r)
}
