package ppo

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
const format = "tarry/agents/ppo/1"

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

// Save gives everything that the run needs to go on to the same bytes: weights,
// optimiser, moments, random streams and the state of every environment. It may be called
// between any two updates, and after one that failed to keep what there is (without the
// environments). An environment without snapshots is an error.
func (l *Learner) Save() ([]byte, error) {
	h := header{format, l.cfg, *l.vec.Spec(), l.updates, l.steps, l.batch != nil, l.tally.Count, l.failed}
	s := &nn.State{}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("ppo: save: %w", err)
	}
	s.Put("header", text)
	s.PutParams(l.policy.Params())
	s.PutAdam("adam", l.adam)
	l.tally.Save(s)
	if l.cfg.AverageReward {
		l.rate.save(s)
	}
	put := func(name string, m interface{ MarshalBinary() ([]byte, error) }) {
		data, e := m.MarshalBinary()
		s.Put(name, data)
		err = errors.Join(err, e)
	}
	put("stream/act", l.act)
	put("stream/shuffle", l.shuffle)
	if l.policy.Moments != nil {
		put("moments/obs", l.policy.Moments)
	}
	if l.norm != nil {
		put("moments/reward", l.norm)
	}
	if l.batch != nil && l.failed == "" {
		data, e := l.vec.Snapshot()
		s.Put("envs", data)
		err = errors.Join(err, e)
	}
	if err != nil {
		return nil, fmt.Errorf("ppo: save: %w", err)
	}
	return s.Encode(), nil
}

// Resume continues a saved run. The environments must be those of the run and so must the
// configuration, all of it. On an error nothing of the run is left open.
func Resume(cfg Config, workers int, make func(i int) (env.Env, error), saved []byte) (*Learner, error) {
	h := &header{}
	s, err := learn.Open(saved, format, h)
	if err != nil {
		return nil, fmt.Errorf("ppo: %w", err)
	}
	if h.Failed != "" {
		return nil, fmt.Errorf("ppo: resume of a run that failed: %s", h.Failed)
	}
	if err := learn.SameConfig(&h.Config, &cfg); err != nil {
		return nil, fmt.Errorf("ppo: %w", err)
	}
	l, err := New(cfg, workers, make)
	if err != nil {
		return nil, err
	}
	if err := l.load(s, h); err != nil {
		return nil, errors.Join(fmt.Errorf("ppo: resume: %w", err), l.Close())
	}
	return l, nil
}

// load sets a fresh learner to a saved state.
func (l *Learner) load(s *nn.State, h *header) error {
	if err := learn.SameSpec(&h.Spec, l.vec.Spec()); err != nil {
		return err
	}
	errs := append(l.tally.Restore(s), s.Params(l.policy.Params()), s.Adam("adam", l.adam))
	if l.cfg.AverageReward {
		errs = append(errs, l.rate.load(s))
	}
	get := func(name string, m interface{ UnmarshalBinary([]byte) error }) {
		data, err := s.Get(name)
		if err == nil {
			err = m.UnmarshalBinary(data)
		}
		errs = append(errs, err)
	}
	get("stream/act", l.act)
	get("stream/shuffle", l.shuffle)
	if l.policy.Moments != nil {
		get("moments/obs", l.policy.Moments)
	}
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
func LoadPolicy(saved []byte, spec *env.Spec) (*Policy, error) {
	h := &header{}
	s, err := learn.Open(saved, format, h)
	if err != nil {
		return nil, fmt.Errorf("ppo: %w", err)
	}
	p, err := policy.Load(h.Config.actor(), &h.Spec, spec, s)
	if err != nil {
		return nil, fmt.Errorf("ppo: %w", err)
	}
	return p, nil
}
