package policysearch

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/policy"
	"tarry/env"
)

// vectorName is the section of an environment's parameters.
const vectorName = "weights/vector"

// checkpoint is everything that a search needs to resume and end in the same bytes. Windows are
// played from their start and random streams are numbered, so neither environments nor streams have
// a state between two generations.
func (l *Learner) checkpoint() learn.Checkpoint[Config] {
	what := learn.Section{Save: l.saveVector, Load: l.loadVector}
	if l.policy.net != nil {
		what = learn.Section{Save: l.policy.net.Save, Load: l.policy.net.Restore}
	}
	return learn.Checkpoint[Config]{Run: &l.run, Config: l.cfg, Spec: l.spec,
		Sections: []learn.Section{what, learn.Binary("strategy", l.strategy)}}
}

func (l *Learner) saveVector(s *nn.State) error {
	s.PutFloats(vectorName, l.policy.vector)
	return nil
}

func (l *Learner) loadVector(s *nn.State) error { return s.Floats(vectorName, l.policy.vector) }

// Save gives everything that the run needs to resume and end in the same bytes. It may be called
// between any two generations, and after one that failed to keep what there is.
func (l *Learner) Save() ([]byte, error) {
	c := l.checkpoint()
	return c.Save()
}

// Resume continues a saved run. Environments and configuration must equal the run's. On an error
// nothing of the run is left open.
func (k Kind) Resume(cfg Config, workers int, make func(i int) (env.Env, error), saved []byte) (*Learner, error) {
	return learn.Resume(k.Name(), cfg, saved, func() (*Learner, error) { return k.New(cfg, workers, make) },
		(*Learner).checkpoint)
}

// LoadPolicy takes the frozen policy out of a checkpoint, to act in environments of this spec. A
// network's spaces must equal training's, except for the number of candidates where one kernel
// judges them all; parameters act in environments of the same id, once they are bound.
func (k Kind) LoadPolicy(saved []byte, spec *env.Spec) (*Policy, error) {
	return learn.Load(k.Name(), saved, func(c *Config, was *env.Spec, s *nn.State) (*Policy, error) {
		if slices.Contains(s.Names(), vectorName) {
			return loadVector(was, spec, s)
		}
		net, err := policy.Load(c.actor(), was, spec, s)
		return &Policy{net: net, id: was.ID}, err
	})
}

// loadVector reads parameters.
func loadVector(was, now *env.Spec, s *nn.State) (*Policy, error) {
	if was.ID != now.ID {
		return nil, fmt.Errorf("checkpoint of %s has other spaces than %s", was.ID, now.ID)
	}
	data, err := s.Get(vectorName)
	if err != nil || len(data)%8 != 0 {
		return nil, fmt.Errorf("section %q has %d bytes, expected 8 for each number: %w", vectorName, len(data), err)
	}
	var x []float64
	for ; len(data) > 0; data = data[8:] {
		x = append(x, math.Float64frombits(binary.LittleEndian.Uint64(data)))
	}
	return frozen(x, now), nil
}
