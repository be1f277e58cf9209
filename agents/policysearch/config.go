package policysearch

import (
	"tarry/agents/learn"
	"tarry/agents/policy"
)

// Config is everything that a search depends on, but for the strategy and the environments. Start
// from Default; the zero value is not valid.
type Config struct {
	// Seed names every random stream of the run.
	Seed uint64 `json:"seed"`
	// Generations is the length of the run. Population vectors of each are played on Windows
	// windows, the same for all of them.
	Generations int `json:"generations" about:"generations of a run; an update is one of them" range:"[1,inf)"`
	Population  int `json:"population" about:"vectors of a generation; openai-es-policy needs an even number" range:"[2,inf)"`
	Windows     int `json:"windows" about:"training windows (episodes, where there are none) on which all vectors of a generation are played" range:"[1,inf)"`
	// FreshWindows draws other windows for each generation.
	FreshWindows bool `json:"fresh_windows" about:"each generation has other windows than the last; false = the same ones throughout"`
	// Cost is how the costs of a vector on all windows become one, Mean, Rank or Log.
	Cost string `json:"cost" about:"what a strategy compares: the mean cost over windows, the mean of ranks within each window, or the mean logarithm, for costs above 0" range:"mean, rank, log"`
	// Relative divides the return of a network's episode by the return of the environment's base
	// policy on the same window.
	Relative bool `json:"relative" about:"a network's return is divided by the return of the environment's base policy on the same window, where one acts; other environments state what their costs are relative to"`
	// Sigma is the first standard deviation of weights, or a factor of each parameter's.
	Sigma float64 `json:"sigma" about:"first standard deviation of a network's weights, or a factor of what the environment states for each parameter" range:"(0,100]"`
	// LearningRate and Anneal are OpenAI-ES's.
	LearningRate float64 `json:"learning_rate" about:"openai-es-policy: first step of the mean, in first standard deviations" range:"(0,10]"`
	Anneal       bool    `json:"anneal" about:"openai-es-policy: standard deviation and learning rate fall to a tenth over the run"`
	// Policy is what the vector is, Auto, Parameters or Network.
	Policy string `json:"policy" about:"what is searched: parameters, the environment's; network, the weights of an actor; auto = parameters where there are any" range:"auto, parameters, network"`
	// Horizon cuts a network's episodes at the first decision at or after it, in units of
	// Info.Elapsed; 0 = where the environment ends them.
	Horizon float64 `json:"horizon" about:"a network's episodes are cut at the first decision after it, in units of time; 0 = where the environment ends them" range:"[0,inf)"`
	// Hidden, Activation, Squash, NormObs, CriticOnly, Encoder and Candidates are as in policy.Config. NormObs takes the
	// observations of the first vector of each generation.
	Hidden     []int              `json:"hidden" about:"sizes of the network's hidden layers, such as 8 or 16,16; empty = linear; for a list (encoder) the width of its kernel, empty = 8"`
	Activation string             `json:"activation,omitempty"`
	Squash     bool               `json:"squash" about:"continuous actions of a network are bounded by tanh instead of clipping"`
	NormObs    bool               `json:"norm_obs" about:"observations of a network are scaled by their running mean and deviation, clipped at 10"`
	CriticOnly int                `json:"critic_only,omitempty"`
	Encoder    string             `json:"encoder,omitempty"`
	Candidates *policy.Candidates `json:"candidates,omitempty"`
}

// What the vector is.
const (
	// Auto takes the environment's parameters where it has any, else a network.
	Auto = "auto"
	// Parameters are the parameters of a trait.Searchable.
	Parameters = "parameters"
	// Network is the weights of an actor.
	Network = "network"
)

// Default is a run of 40 generations of 16 vectors on 16 windows, and a linear actor where the
// environment has no parameters.
func Default() Config {
	return Config{Seed: 1, Generations: 40, Population: 16, Windows: 16, FreshWindows: true, Cost: Mean,
		Relative: true, Sigma: 1, LearningRate: 0.5, Anneal: true,
		Policy: Auto, Hidden: []int{}}
}

// Validate reports all faults of the settings of a strategy.
func (k Kind) Validate(c *Config) error {
	f := learn.Faults{Agent: k.Name()}
	f.Ranges(*c)
	if k == OpenES && c.Population%2 != 0 {
		f.Bad("population", c.Population, "an even number: vectors are drawn in mirrored pairs")
	}
	actor := c.actor()
	f.Add(actor.Validate())
	return f.Err()
}

// width is the width of the kernel for a list, by default: a list has no linear
// network.
const width = 8

// actor is how the network is built.
func (c *Config) actor() policy.Config {
	hidden := c.Hidden
	if c.Encoder != "" && c.Encoder != policy.MLP && len(hidden) == 0 {
		hidden = []int{width}
	}
	return policy.Config{Hidden: hidden, Activation: c.Activation, CriticOnly: c.CriticOnly,
		Squash: c.Squash, NormObs: c.NormObs,
		Encoder: c.Encoder, Candidates: c.Candidates}
}
