package learn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/agents/nn"
	"tarry/env"
)

// Open reads a checkpoint: its frame, and the JSON of its section "header", whose field "format"
// must be format, into header.
func Open(saved []byte, format string, header any) (*nn.State, error) {
	s, err := nn.DecodeState(saved)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	text, err := s.Get("header")
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	var kind struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(text, &kind); err != nil || kind.Format != format {
		return nil, fmt.Errorf("checkpoint is of format %q, expected %q", kind.Format, format)
	}
	if err := json.Unmarshal(text, header); err != nil {
		return nil, fmt.Errorf("checkpoint: header: %w", err)
	}
	return s, nil
}

// SameConfig compares two configurations by their JSON and lists the settings that differ.
func SameConfig(saved, now any) error {
	a, err1 := fields(saved)
	b, err2 := fields(now)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("resume: %w", err)
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
	return fmt.Errorf("resume with another configuration: %s", strings.Join(diffs, "; "))
}

func fields(c any) (map[string]json.RawMessage, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	m := map[string]json.RawMessage{}
	return m, json.Unmarshal(text, &m)
}

// SameSpec compares environments by what their JSON states.
func SameSpec(saved, now *env.Spec) error {
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

// SameSpaces asks that a policy trained in one environment can act in another: equal spaces, but
// for the number of entries where one kernel reads all that an observation lists.
func SameSpaces(was, now *env.Spec, listed bool) error {
	equal := env.EqualSpaces(was.Observation, now.Observation) && env.EqualSpaces(was.Action, now.Action)
	if !listed && !equal || was.Masked != now.Masked {
		return fmt.Errorf("checkpoint of %s has other spaces than %s", was.ID, now.ID)
	}
	return nil
}
