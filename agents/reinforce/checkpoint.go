package reinforce

import (
	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/policy"
	"tarry/env"
)

// agent is the agent's name, in errors and in checkpoints.
const agent = "reinforce"

// checkpoint is everything that the run needs to resume and end in the same bytes.
func (l *Learner) checkpoint() learn.Checkpoint[Config] {
	s := []learn.Section{{Save: l.policy.Save, Load: l.policy.Restore}, learn.Optimizer(l.cfg.optimizer(), l.opt),
		l.run.Tally.Section()}
	return learn.Checkpoint[Config]{Run: &l.run, Config: l.cfg, Spec: l.spec, Sections: s}
}

// Save gives everything that the run needs to resume and end in the same bytes: weights, optimiser
// and moments. It may be called between any two updates, and after one that failed to keep what
// there is. Updates play complete episodes and number their random streams, so neither environments
// nor streams have a state in between.
func (l *Learner) Save() ([]byte, error) {
	c := l.checkpoint()
	return c.Save()
}

// Resume continues a saved run. Environments and configuration must equal the run's. On an error
// nothing of the run is left open.
func Resume(cfg Config, workers int, make func(i int) (env.Env, error), saved []byte) (*Learner, error) {
	return learn.Resume(agent, cfg, saved, func() (*Learner, error) { return New(cfg, workers, make) },
		(*Learner).checkpoint)
}

// LoadPolicy takes the frozen policy out of a checkpoint, to act in environments of this
// spec. Its spaces must equal training's, except for the number of candidates where one
// kernel judges them all.
func LoadPolicy(saved []byte, spec *env.Spec) (*policy.Policy, error) {
	return learn.Load(agent, saved, func(c *Config, was *env.Spec, s *nn.State) (*policy.Policy, error) {
		return policy.Load(c.actor(), was, spec, s)
	})
}
