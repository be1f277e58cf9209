package sac

import (
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/env"
)

// agent is the agent's name, in errors and in checkpoints.
const agent = "sac"

// checkpoint is everything that the run needs to resume and end in the same bytes.
func (l *Learner) checkpoint() learn.Checkpoint[Config] {
	s := []learn.Section{learn.Weights(l.params()), learn.Optimizer("adam/actor", l.adamActor),
		learn.Optimizer("adam/critics", l.adamCritics),
		learn.Optimizer("adam/alpha", l.adamAlpha), l.run.Tally.Section(), learn.Binary("stream/act", l.act),
		learn.Binary("stream/draw", l.memory.Draws), learn.Binary("stream/noise", l.noise)}
	s = append(s, l.memory.Sections()...)
	return learn.Checkpoint[Config]{Run: &l.run, Config: l.cfg, Spec: l.envs.Spec(), Sections: s, Envs: l.envs}
}

// Save gives everything that the run needs to resume and end in the same bytes: all networks, the
// temperature, optimisers, random streams, the steps that are kept and the state of every
// environment. It may be called between any two updates, and after one that failed to keep what
// there is (without the environments). An environment without snapshots is an error.
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

// params are the weights of all networks, and the temperature.
func (l *Learner) params() []*nn.Param {
	all := append(l.policy.actor.Params(), l.critics.params()...)
	return append(append(all, l.critics.targets()...), l.logAlpha)
}

// LoadPolicy takes the frozen policy out of a checkpoint, to act in environments of this spec. Its
// spaces must equal training's.
func LoadPolicy(saved []byte, spec *env.Spec) (*Policy, error) {
	return learn.Load(agent, saved, func(c *Config, was *env.Spec, s *nn.State) (*Policy, error) {
		if err := learn.SameSpaces(was, spec, false); err != nil {
			return nil, err
		}
		p, err := newPolicy(c, spec, source(c.Seed).Stream("weights").Rand)
		if err != nil {
			return nil, err
		}
		if err := s.Params(p.actor.Params()); err != nil {
			return nil, fmt.Errorf("checkpoint: %w", err)
		}
		return p, nil
	})
}
