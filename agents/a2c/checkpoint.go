package a2c

import (
	"encoding/json"
	"errors"
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/policy"
	"tarry/env"
)

// format names the layout of a checkpoint and its version.
const format = "tarry/agents/a2c/1"

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

// Save gives everything that the run needs to go on to the same bytes: weights, optimiser,
// moments, random stream and the state of every environment. It may be called between any two
// updates, and after one that failed to keep what there is (without the environments). An
// environment without snapshots is an error.
func (l *Learner) Save() ([]byte, error) {
	s := &nn.State{}
	text, err := json.Marshal(header{format, l.cfg, *l.vec.Spec(), l.updates, l.steps, l.batch != nil, l.tally.Count, l.failed})
	s.Put("header", text)
	errs := []error{err, l.policy.Save(s)}
	l.opt.Save(s, "optimizer")
	l.tally.Save(s)
	put := func(name string, data []byte, err error) {
		s.Put(name, data)
		errs = append(errs, err)
	}
	stream, err := l.act.MarshalBinary()
	put("stream/act", stream, err)
	if l.norm != nil {
		data, err := l.norm.MarshalBinary()
		put("moments/reward", data, err)
	}
	if l.batch != nil && l.failed == "" {
		data, err := l.vec.Snapshot()
		put("envs", data, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("a2c: save: %w", err)
	}
	return s.Encode(), nil
}

// Resume continues a saved run. The environments must be those of the run and so must the
// configuration, all of it. On an error nothing of the run is left open.
func Resume(cfg Config, workers int, make func(i int) (env.Env, error), saved []byte) (*Learner, error) {
	h := &header{}
	s, err := learn.Open(saved, format, h)
	if err == nil && h.Failed != "" {
		err = fmt.Errorf("resume of a run that failed: %s", h.Failed)
	}
	if err == nil {
		err = learn.SameConfig(&h.Config, &cfg)
	}
	if err != nil {
		return nil, fmt.Errorf("a2c: %w", err)
	}
	l, err := New(cfg, workers, make)
	if err != nil {
		return nil, err
	}
	if err := l.load(s, h); err != nil {
		return nil, errors.Join(fmt.Errorf("a2c: resume: %w", err), l.Close())
	}
	return l, nil
}

// load sets a fresh learner to a saved state.
func (l *Learner) load(s *nn.State, h *header) error {
	if err := learn.SameSpec(&h.Spec, l.vec.Spec()); err != nil {
		return err
	}
	errs := append(l.tally.Restore(s), l.policy.Restore(s), l.opt.Restore(s, "optimizer"))
	get := func(name string, m interface{ UnmarshalBinary([]byte) error }) {
		data, err := s.Get(name)
		if err == nil {
			err = m.UnmarshalBinary(data)
		}
		errs = append(errs, err)
	}
	get("stream/act", l.act)
	if l.norm != nil {
		get("moments/reward", l.norm)
	}
	l.updates, l.steps, l.tally.Count = h.Updates, h.Steps, h.Episodes
	if err := errors.Join(errs...); err != nil || !h.Started {
		return err
	}
	data, err := s.Get("envs")
	if err != nil {
		return err
	}
	if l.batch, err = l.vec.Restore(data); err != nil {
		return err
	}
	l.rescale()
	return nil
}

// LoadPolicy takes the frozen policy out of a checkpoint, to act in environments of this
// spec. Its spaces must be those of training, but for the number of candidates where one
// kernel judges them all.
func LoadPolicy(saved []byte, spec *env.Spec) (*policy.Policy, error) {
	h := &header{}
	s, err := learn.Open(saved, format, h)
	if err != nil {
		return nil, fmt.Errorf("a2c: %w", err)
	}
	p, err := policy.Load(h.Config.actor(), &h.Spec, spec, s)
	if err != nil {
		return nil, fmt.Errorf("a2c: %w", err)
	}
	return p, nil
}
