package abi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"tarry/env"
	"tarry/env/registry"
	"tarry/env/wrap"
	"tarry/internal/memory"
	"tarry/sim/entry"
)

// Autoreset states what a step does behind the end of an episode, with the names that Gymnasium
// has.
type Autoreset string

// The three rules.
const (
	// Disabled: the caller resets; a step behind the end is ResetNeeded.
	Disabled Autoreset = "Disabled"
	// NextStep: the step behind the end ignores its action and resets.
	NextStep Autoreset = "NextStep"
	// SameStep: the step that ends an episode resets too; what it led to is in the _final columns.
	SameStep Autoreset = "SameStep"
)

// Request states which environments a Group has.
type Request struct {
	// ID and Options are as in tarry train --env ID:OPTIONS.
	ID      string `json:"id"`
	Options string `json:"options"`
	// Count is how many, 1 to 65536.
	Count int `json:"count"`
	// Autoreset is one of the three rules.
	Autoreset Autoreset `json:"autoreset"`
	// MaxSteps, unless 0, truncates episodes after so many steps.
	MaxSteps int `json:"max_steps"`
}

// maxCount bounds Request.Count: more is a mistake in the unit.
const maxCount = 1 << 16

// ParseRequest reads a Request from JSON, strictly.
func ParseRequest(text []byte) (Request, error) {
	var r Request
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		return r, fmt.Errorf("request: %w", err)
	}
	var errs []error
	if r.Count < 1 || r.Count > maxCount {
		errs = append(errs, fmt.Errorf("num_envs is %d, expected 1 to %d", r.Count, maxCount))
	}
	if r.Autoreset != Disabled && r.Autoreset != NextStep && r.Autoreset != SameStep {
		errs = append(errs, fmt.Errorf("autoreset mode is %q, expected Disabled, NextStep or SameStep", r.Autoreset))
	}
	if r.MaxSteps < 0 {
		errs = append(errs, fmt.Errorf("max_episode_steps is %d, expected >= 1", r.MaxSteps))
	}
	return r, errors.Join(errs...)
}

// Open makes the environments of a Request. They share what never changes: a trace is read once for
// all of them. Many of them are refused where they would take more memory than there is.
func Open(envs registry.Catalogue, from entry.Catalogues, r Request) (*Group, error) {
	return open(envs, from, r, memory.Free)
}

func open(envs registry.Catalogue, from entry.Catalogues, r Request, free func() int64) (*Group, error) {
	g := &Group{request: r, maker: registry.NewMaker(envs, from)}
	for i := range r.Count {
		e, err := g.one()
		if err == nil && i == 0 {
			g.envs, g.spec = append(g.envs, e), e.Spec()
			g.columns, g.bytes = layoutOf(g.spec, r.Count)
			if err = g.fits(free()); err == nil {
				continue
			}
			return nil, errors.Join(err, g.closeAll())
		}
		if err != nil {
			return nil, errors.Join(named(r.Count, i, err), g.closeAll())
		}
		g.envs = append(g.envs, e)
	}
	g.last = make([]env.Step, r.Count)
	g.state = make([]state, r.Count)
	return g, nil
}

// one makes one environment.
func (g *Group) one() (env.Env, error) {
	text := g.request.ID
	if g.request.Options != "" {
		text += ":" + g.request.Options
	}
	e, err := g.maker.Make(text)
	if err != nil || g.request.MaxSteps == 0 {
		return e, err
	}
	return wrap.TimeLimit(e, g.request.MaxSteps)
}

// named reports which environment an error is of, where there are several.
func named(n, i int, err error) error {
	if n == 1 {
		return err
	}
	return fmt.Errorf("environment %d: %w", i, err)
}
