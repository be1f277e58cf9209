package dqn

import (
	"encoding/json"
	"errors"
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/env"
)

// format names the layout of a checkpoint and its version.
const format = "tarry/agents/dqn/1"

// header is the part of a checkpoint that can be read by eye.
type header struct {
	Format  string   `json:"format"`
	Config  Config   `json:"config"`
	Spec    env.Spec `json:"spec"`
	Updates int      `json:"updates"`
	Steps   int      `json:"steps"`
	// Started says that the environments' state is part of the checkpoint.
	Started  bool `json:"started"`
	Episodes int  `json:"episodes"`
	// Failed says why an update was not finished; the run then cannot go on.
	Failed string `json:"failed,omitempty"`
}

// stored is a part of a learner with bytes of its own.
type stored interface {
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
}

// part is one of them with the name of its section.
type part struct {
	name string
	of   stored
}

// parts lists them in the order in which they are saved.
func (l *Learner) parts() []part {
	p := []part{{"stream/act", l.act}, {"stream/draw", l.draw}, {"replay", l.buffer}}
	if l.scale != nil {
		p = append(p, part{"replay/scale", l.scale})
	}
	if l.demos != nil {
		p = append(p, part{"stream/demo", l.demo}, part{"replay/demos", l.demos})
	}
	return p
}

// Save gives everything that the run needs to go on to the same bytes: both networks, optimiser,
// random streams, the steps that are kept and the state of every environment. It may be called
// between any two updates, and after one that failed to keep what there is (without the
// environments). An environment without snapshots is an error.
func (l *Learner) Save() ([]byte, error) {
	h := header{format, l.cfg, *l.vec.Spec(), l.updates, l.steps, l.started, l.tally.Count, l.failed}
	s := &nn.State{}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("dqn: save: %w", err)
	}
	s.Put("header", text)
	s.PutParams(l.params())
	s.PutAdam("adam", l.adam)
	l.tally.Save(s)
	for _, p := range l.parts() {
		data, e := p.of.MarshalBinary()
		s.Put(p.name, data)
		err = errors.Join(err, e)
	}
	if l.started && l.failed == "" {
		data, e := l.vec.Snapshot()
		s.Put("envs", data)
		err = errors.Join(err, e)
	}
	if err != nil {
		return nil, fmt.Errorf("dqn: save: %w", err)
	}
	return s.Encode(), nil
}

// params are the weights of both networks.
func (l *Learner) params() []*nn.Param {
	return append(l.policy.net.Params(), l.target.net.Params()...)
}

// Resume continues a saved run. The environments must be those of the run and so must the
// configuration, all of it. On an error nothing of the run is left open.
func Resume(cfg Config, workers int, make func(i int) (env.Env, error), saved []byte) (*Learner, error) {
	h := &header{}
	s, err := learn.Open(saved, format, h)
	if err != nil {
		return nil, fmt.Errorf("dqn: %w", err)
	}
	if h.Failed != "" {
		return nil, fmt.Errorf("dqn: resume of a run that failed: %s", h.Failed)
	}
	if err := learn.SameConfig(&h.Config, &cfg); err != nil {
		return nil, fmt.Errorf("dqn: %w", err)
	}
	l, err := New(cfg, workers, make)
	if err != nil {
		return nil, err
	}
	if err := l.load(s, h); err != nil {
		return nil, errors.Join(fmt.Errorf("dqn: resume: %w", err), l.Close())
	}
	return l, nil
}

// load sets a fresh learner to a saved state.
func (l *Learner) load(s *nn.State, h *header) error {
	if err := learn.SameSpec(&h.Spec, l.vec.Spec()); err != nil {
		return err
	}
	errs := append(l.tally.Restore(s), s.Params(l.params()), s.Adam("adam", l.adam))
	for _, p := range l.parts() {
		data, err := s.Get(p.name)
		if err == nil {
			err = p.of.UnmarshalBinary(data)
		}
		errs = append(errs, err)
	}
	l.updates, l.steps, l.tally.Count = h.Updates, h.Steps, h.Episodes
	if err := errors.Join(errs...); err != nil || !h.Started {
		return err
	}
	data, err := s.Get("envs")
	if err != nil {
		return err
	}
	l.batch, err = l.vec.Restore(data)
	l.started = err == nil
	return err
}

// LoadPolicy takes the frozen policy out of a checkpoint, to act in environments of this spec. Its
// spaces must be those of training, but for the number of candidates where one kernel judges them
// all.
func LoadPolicy(saved []byte, spec *env.Spec) (*Policy, error) {
	h := &header{}
	s, err := learn.Open(saved, format, h)
	if err != nil {
		return nil, fmt.Errorf("dqn: %w", err)
	}
	if h.Config.Candidates == nil && (!env.EqualSpaces(h.Spec.Observation, spec.Observation) || !env.EqualSpaces(h.Spec.Action, spec.Action)) || h.Spec.Masked != spec.Masked {
		return nil, fmt.Errorf("dqn: checkpoint of %s has other spaces than %s", h.Spec.ID, spec.ID)
	}
	p, err := newPolicy(&h.Config, "q", spec, source(h.Config.Seed).Stream("weights").Rand)
	if err != nil {
		return nil, err
	}
	if err := s.Params(p.net.Params()); err != nil {
		return nil, fmt.Errorf("dqn: checkpoint: %w", err)
	}
	return p, nil
}
