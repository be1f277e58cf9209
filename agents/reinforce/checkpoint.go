package reinforce

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
const format = "tarry/agents/reinforce/1"

// header is the part of a checkpoint that can be read by eye.
type header struct {
	Format   string   `json:"format"`
	Config   Config   `json:"config"`
	Spec     env.Spec `json:"spec"`
	Updates  int      `json:"updates"`
	Steps    int      `json:"steps"`
	Episodes int      `json:"episodes"`
	// Failed says why an update was not finished; the run then cannot go on.
	Failed string `json:"failed,omitempty"`
}

// Save gives everything that the run needs to go on to the same bytes: weights, optimiser and
// moments. It may be called between any two updates, and after one that failed to keep what there
// is. Updates play whole episodes and name their dice by number, so neither environments nor
// streams have a state in between.
func (l *Learner) Save() ([]byte, error) {
	s := &nn.State{}
	text, err := json.Marshal(header{format, l.cfg, *l.spec, l.updates, l.steps, l.tally.Count, l.failed})
	s.Put("header", text)
	err = errors.Join(err, l.policy.Save(s))
	l.adam.Save(s, "adam")
	l.tally.Save(s)
	if err != nil {
		return nil, fmt.Errorf("reinforce: save: %w", err)
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
		return nil, fmt.Errorf("reinforce: %w", err)
	}
	l, err := New(cfg, workers, make)
	if err != nil {
		return nil, err
	}
	l.updates, l.steps, l.tally.Count = h.Updates, h.Steps, h.Episodes
	errs := append(l.tally.Restore(s), learn.SameSpec(&h.Spec, l.spec), l.policy.Restore(s), l.adam.Restore(s, "adam"))
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(fmt.Errorf("reinforce: resume: %w", err), l.Close())
	}
	return l, nil
}

// LoadPolicy takes the frozen policy out of a checkpoint, to act in environments of this
// spec. Its spaces must be those of training, but for the number of candidates where one
// kernel judges them all.
func LoadPolicy(saved []byte, spec *env.Spec) (*policy.Policy, error) {
	h := &header{}
	s, err := learn.Open(saved, format, h)
	if err != nil {
		return nil, fmt.Errorf("reinforce: %w", err)
	}
	p, err := policy.Load(h.Config.actor(), &h.Spec, spec, s)
	if err != nil {
		return nil, fmt.Errorf("reinforce: %w", err)
	}
	return p, nil
}
