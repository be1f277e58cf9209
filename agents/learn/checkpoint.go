package learn

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"tarry/agents/nn"
	"tarry/env"
)

// Checkpoint is everything that a learner with settings C needs to resume and end in the same
// bytes.
type Checkpoint[C any] struct {
	Run    *Run
	Config C
	Spec   *env.Spec
	// Sections are the learner's own, in the order in which they are saved.
	Sections []Section
	// Envs are saved last, unless an update failed; nil = environments have no state between two
	// updates.
	Envs *Envs
}

// Header is the part of a checkpoint that can be read by eye. Its JSON is hashed with the rest:
// neither names nor order may change.
type Header[C any] struct {
	Format  string   `json:"format"`
	Config  C        `json:"config"`
	Spec    env.Spec `json:"spec"`
	Updates int      `json:"updates"`
	Steps   int      `json:"steps"`
	// Started states that the environments' state is part of the checkpoint; nil = they have none.
	Started  *bool `json:"started,omitempty"`
	Episodes int   `json:"episodes"`
	// Failed states why an update was not finished; such a run cannot be resumed.
	Failed string `json:"failed,omitempty"`
	// Arithmetic is the build's, as nn.Arithmetic has it.
	Arithmetic string `json:"arithmetic,omitempty"`
}

// format names the layout of an agent's checkpoints and its version.
func format(agent string) string { return "tarry/agents/" + agent + "/1" }

// Section saves a part of a learner and sets a fresh one to what was saved.
type Section struct {
	Save func(*nn.State) error
	Load func(*nn.State) error
}

// Weights are sections of networks' weights.
func Weights(params []*nn.Param) Section {
	return Section{func(s *nn.State) error { s.PutParams(params); return nil },
		func(s *nn.State) error { return s.Params(params) }}
}

// Optimizer are the sections of an optimiser.
func Optimizer(name string, o nn.Optimizer) Section {
	return Section{func(s *nn.State) error { o.Save(s, name); return nil },
		func(s *nn.State) error { return o.Restore(s, name) }}
}

// Stored is a part of a learner with bytes of its own.
type Stored interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// Binary is a section of such a part.
func Binary(name string, of Stored) Section {
	save := func(s *nn.State) error {
		data, err := of.MarshalBinary()
		s.Put(name, data)
		return err
	}
	return Section{save, func(s *nn.State) error {
		data, err := s.Get(name)
		if err != nil {
			return err
		}
		return of.UnmarshalBinary(data)
	}}
}

// Save gives the bytes of a checkpoint. An environment without snapshots is an error.
func (c *Checkpoint[C]) Save() ([]byte, error) {
	r, s := c.Run, &nn.State{}
	h := Header[C]{Format: format(r.Agent), Config: c.Config, Spec: *c.Spec, Updates: r.Updates, Steps: r.Steps,
		Episodes: r.Tally.Count, Failed: r.Failed, Arithmetic: nn.Arithmetic()}
	started := c.Envs != nil && c.Envs.Batch != nil
	if c.Envs != nil {
		h.Started = &started
	}
	text, err := json.Marshal(h)
	s.Put("header", text)
	errs := []error{err}
	for _, part := range c.Sections {
		errs = append(errs, part.Save(s))
	}
	if started && r.Failed == "" {
		data, err := c.Envs.Snapshot()
		s.Put("envs", data)
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("%s: save: %w", r.Agent, err)
	}
	return s.Encode(), nil
}

// Resume continues a saved run: fresh makes a new learner of the same settings, and of returns the
// part of it that is set to what was saved. Environments and settings must equal the run's. On an
// error nothing of the run is left open.
func Resume[C any, L io.Closer](agent string, cfg C, saved []byte, fresh func() (L, error),
	of func(L) Checkpoint[C]) (L, error) {
	var none L
	h := &Header[C]{}
	s, err := Open(saved, format(agent), h)
	if err == nil && h.Failed != "" {
		err = fmt.Errorf("resume of a run that failed: %s", h.Failed)
	}
	if err == nil {
		err = nn.SameArithmetic(h.Arithmetic)
	}
	if err == nil {
		err = SameConfig(&h.Config, &cfg)
	}
	if err != nil {
		return none, fmt.Errorf("%s: %w", agent, err)
	}
	l, err := fresh()
	if err != nil {
		return none, err
	}
	c := of(l)
	if err := c.load(s, h); err != nil {
		return none, errors.Join(fmt.Errorf("%s: resume: %w", agent, err), l.Close())
	}
	return l, nil
}

// load sets a fresh learner to a saved state.
func (c *Checkpoint[C]) load(s *nn.State, h *Header[C]) error {
	if err := SameSpec(&h.Spec, c.Spec); err != nil {
		return err
	}
	var errs []error
	for _, part := range c.Sections {
		errs = append(errs, part.Load(s))
	}
	c.Run.Updates, c.Run.Steps, c.Run.Tally.Count = h.Updates, h.Steps, h.Episodes
	if err := errors.Join(errs...); err != nil || c.Envs == nil || h.Started == nil || !*h.Started {
		return err
	}
	data, err := s.Get("envs")
	if err == nil {
		c.Envs.Batch, err = c.Envs.Restore(data)
	}
	return err
}

// Load takes the frozen policy out of a checkpoint: build makes it from the settings, the spec of
// training and the sections.
func Load[C, P any](agent string, saved []byte, build func(c *C, was *env.Spec, s *nn.State) (P, error)) (P, error) {
	var p P
	h := &Header[C]{}
	s, err := Open(saved, format(agent), h)
	if err == nil {
		p, err = build(&h.Config, &h.Spec, s)
	}
	if err != nil {
		var none P
		return none, fmt.Errorf("%s: %w", agent, err)
	}
	return p, nil
}

// Rewrite gives a checkpoint with another header: change changes it, or gives an error that begins
// with the agent's name.
func Rewrite[C any](agent string, saved []byte, change func(h *Header[C]) error) ([]byte, error) {
	h := &Header[C]{}
	s, err := Open(saved, format(agent), h)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", agent, err)
	}
	if err := change(h); err != nil {
		return nil, err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("%s: extend: %w", agent, err)
	}
	s.Put("header", text)
	return s.Encode(), nil
}
