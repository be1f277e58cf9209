package ppo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/env"
	"tarry/internal/nn"
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
	h := header{format, l.cfg, *l.vec.Spec(), l.updates, l.steps, l.batch != nil, l.tally.count, l.failed}
	s := &nn.State{}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("ppo: save: %w", err)
	}
	s.Put("header", text)
	s.PutParams(l.policy.params())
	s.PutAdam("adam", l.adam)
	s.PutFloats("tally/returns", l.tally.returns[:])
	s.PutFloats("tally/lengths", l.tally.lengths[:])
	put := func(name string, m interface{ MarshalBinary() ([]byte, error) }) {
		data, e := m.MarshalBinary()
		s.Put(name, data)
		err = errors.Join(err, e)
	}
	put("stream/act", l.act)
	put("stream/shuffle", l.shuffle)
	if l.policy.moments != nil {
		put("moments/obs", l.policy.moments)
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
	s, h, err := open(saved)
	if err != nil {
		return nil, err
	}
	if h.Failed != "" {
		return nil, fmt.Errorf("ppo: resume of a run that failed: %s", h.Failed)
	}
	if err := sameConfig(&h.Config, &cfg); err != nil {
		return nil, err
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

// open reads a checkpoint's frame and header.
func open(saved []byte) (*nn.State, *header, error) {
	s, err := nn.DecodeState(saved)
	if err != nil {
		return nil, nil, fmt.Errorf("ppo: checkpoint: %w", err)
	}
	text, err := s.Get("header")
	if err != nil {
		return nil, nil, fmt.Errorf("ppo: checkpoint: %w", err)
	}
	var kind struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(text, &kind); err != nil || kind.Format != format {
		return nil, nil, fmt.Errorf("ppo: checkpoint is of format %q, expected %q", kind.Format, format)
	}
	h := &header{}
	if err := json.Unmarshal(text, h); err != nil {
		return nil, nil, fmt.Errorf("ppo: checkpoint: header: %w", err)
	}
	return s, h, nil
}

// sameConfig lists the settings that differ.
func sameConfig(saved, now *Config) error {
	fields := func(c *Config) (map[string]json.RawMessage, error) {
		text, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		m := map[string]json.RawMessage{}
		return m, json.Unmarshal(text, &m)
	}
	a, err1 := fields(saved)
	b, err2 := fields(now)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("ppo: resume: %w", err)
	}
	var diffs []string
	for name := range b {
		if !bytes.Equal(a[name], b[name]) {
			diffs = append(diffs, fmt.Sprintf("%s was %s, now %s", name, a[name], b[name]))
		}
	}
	for name := range a {
		if _, ok := b[name]; !ok {
			diffs = append(diffs, fmt.Sprintf("%s was %s, now unset", name, a[name]))
		}
	}
	if len(diffs) == 0 {
		return nil
	}
	slices.Sort(diffs)
	return fmt.Errorf("ppo: resume with another configuration: %s", strings.Join(diffs, "; "))
}

// sameSpec compares environments by what their JSON says.
func sameSpec(saved, now *env.Spec) error {
	a, err1 := json.Marshal(saved)
	b, err2 := json.Marshal(now)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return fmt.Errorf("the checkpoint is of another environment: %s, expected %s", a, b)
	}
	return nil
}

// load sets a fresh learner to a saved state.
func (l *Learner) load(s *nn.State, h *header) error {
	if err := sameSpec(&h.Spec, l.vec.Spec()); err != nil {
		return err
	}
	errs := []error{s.Params(l.policy.params()), s.Adam("adam", l.adam),
		s.Floats("tally/returns", l.tally.returns[:]), s.Floats("tally/lengths", l.tally.lengths[:])}
	get := func(name string, m interface{ UnmarshalBinary([]byte) error }) {
		data, err := s.Get(name)
		if err == nil {
			err = m.UnmarshalBinary(data)
		}
		errs = append(errs, err)
	}
	get("stream/act", l.act)
	get("stream/shuffle", l.shuffle)
	if l.policy.moments != nil {
		get("moments/obs", l.policy.moments)
	}
	if l.norm != nil {
		get("moments/reward", l.norm)
	}
	l.updates, l.steps, l.tally.count = h.Updates, h.Steps, h.Episodes
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
	s, h, err := open(saved)
	if err != nil {
		return nil, err
	}
	if h.Config.Candidates == nil && (!env.EqualSpaces(h.Spec.Observation, spec.Observation) || !env.EqualSpaces(h.Spec.Action, spec.Action)) || h.Spec.Masked != spec.Masked {
		return nil, fmt.Errorf("ppo: checkpoint of %s has other spaces than %s", h.Spec.ID, spec.ID)
	}
	p, err := newPolicy(&h.Config, spec, source(h.Config.Seed).Stream("weights").Rand)
	if err != nil {
		return nil, err
	}
	if err := s.Params(p.params()); err != nil {
		return nil, fmt.Errorf("ppo: checkpoint: %w", err)
	}
	if p.moments != nil {
		data, err := s.Get("moments/obs")
		if err == nil {
			err = p.moments.UnmarshalBinary(data)
		}
		if err != nil {
			return nil, fmt.Errorf("ppo: checkpoint: %w", err)
		}
	}
	return p, nil
}
