// Package registry makes environments by id out of a catalogue of them.
//
// Reading guide. Make reads "ID" or "ID:key=value,..." and puts the usual wrappers around: the time
// limit, then the order of calls; a Maker (maker.go) makes many and opens their jobs once; FromSpec
// makes again what a saved Spec describes. catalogue/envs lists what tarry ships.
//
// We differ from Gymnasium, whose time limit is the outer one: there, stepping on after a
// truncation goes unnoticed.
package registry

import (
	"fmt"
	"slices"
	"strings"

	"tarry/env"
	"tarry/env/wrap"
	"tarry/sim/entry"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// Entry is one environment of the catalogue.
type Entry struct {
	// ID is what users write.
	ID string
	// Doc is one line on what it asks.
	Doc string
	// Rows gives the options with their meanings; nil = it has none.
	Rows func() []setting.Row
	// MaxSteps is after how many actions an episode is truncated; 0 = the environment sees to it.
	MaxSteps int
	// New reads the options, whose names are looked up in from, and makes a bare environment; the
	// error joins every fault.
	New func(from entry.Catalogues, options string) (env.Env, error)
	// Read asks a set for every option, by the same rows; nil = there are none.
	Read func(from entry.Catalogues, s *param.Set)
}

// Catalogue lists environments in the order in which they are shown. catalogue/envs has what tarry
// ships; a program may append its own.
type Catalogue []Entry

// Settings lists the options with the ranges and defaults of the code that reads them: options of a
// synthetic workload first, then the options of a trace in their place.
func (e *Entry) Settings(from entry.Catalogues) []param.Setting {
	if e.Read == nil {
		return nil
	}
	var out []param.Setting
	for _, options := range []string{"", "trace=synth:demo"} {
		s := param.Parse(e.ID, options)
		e.Read(from, s)
		for _, one := range s.Settings() {
			if !slices.ContainsFunc(out, func(have param.Setting) bool { return have.Key == one.Key }) {
				out = append(out, one)
			}
		}
	}
	rows := e.rows()
	line := func(a param.Setting) int {
		return slices.IndexFunc(rows, func(r setting.Row) bool { return r.Key == a.Key })
	}
	slices.SortStableFunc(out, func(a, b param.Setting) int { return line(a) - line(b) })
	return out
}

// Help has one line per option: key and meaning.
func (e *Entry) Help() string { return setting.Help(e.rows()) }

func (e *Entry) rows() []setting.Row {
	if e.Rows == nil {
		return nil
	}
	return e.Rows()
}

// Find gives the entry of an id.
func (c Catalogue) Find(id string) (Entry, error) {
	var ids []string
	for _, e := range c {
		if e.ID == id {
			return e, nil
		}
		ids = append(ids, e.ID)
	}
	return Entry{}, fmt.Errorf("environment %q: unknown, expected one of %s%s", id, strings.Join(ids, ", "),
		meant(id, ids))
}

// meant is the end of the error of an unknown id: the id with its namespace, with a colon before its
// settings, or the nearest one.
func meant(id string, ids []string) string {
	for _, known := range ids {
		if strings.HasSuffix(known, "/"+id) {
			return fmt.Sprintf("; did you mean %q?", known)
		}
		if rest, ok := strings.CutPrefix(id, known+","); ok {
			return fmt.Sprintf("; did you mean %q?", known+":"+rest)
		}
	}
	return param.Hint(id, ids)
}

// Make makes an environment from "ID" or "ID:key=value,...", with its time limit and the
// order of calls enforced. The names in its options are looked up in from.
func (c Catalogue) Make(from entry.Catalogues, text string) (env.Env, error) {
	e, options, err := c.entryOf(text)
	if err != nil {
		return nil, err
	}
	inner, err := e.New(from, options)
	if err != nil {
		return nil, err
	}
	return wrapped(&e, inner, options)
}

// entryOf reads the id of "ID" or "ID:key=value,...".
func (c Catalogue) entryOf(text string) (e Entry, options string, err error) {
	id, options, colon := strings.Cut(text, ":")
	if colon && strings.TrimSpace(options) == "" {
		return e, "", fmt.Errorf("environment %q: nothing after the colon, expected key=value,...", text)
	}
	e, err = c.Find(id)
	return e, options, err
}

// wrapped puts the usual wrappers around a new environment, whose Spec then states other options.
func wrapped(e *Entry, inner env.Env, said string) (env.Env, error) {
	inner.Spec().Options = said
	if e.MaxSteps > 0 {
		var err error
		if inner, err = wrap.TimeLimit(inner, e.MaxSteps); err != nil {
			return nil, err
		}
	}
	return wrap.OrderEnforcing(inner), nil
}

// FromSpec makes the environment that a spec describes, options and wrappers included. What
// normalising wrappers have learnt is not part of a spec. An error states when this version of the
// program would make another environment.
func (c Catalogue) FromSpec(from entry.Catalogues, s *env.Spec) (env.Env, error) {
	e, err := c.Find(s.ID)
	if err != nil {
		return nil, err
	}
	out, err := e.New(from, s.Options)
	if err != nil {
		return nil, err
	}
	for _, w := range s.Wrappers {
		if out, err = wrap.Apply(out, w); err != nil {
			return nil, err
		}
	}
	if got := out.Spec(); !env.EqualSpaces(got.Observation, s.Observation) || !env.EqualSpaces(got.Action, s.Action) ||
		got.Masked != s.Masked {
		return nil, fmt.Errorf("environment %s: its spaces differ from the spec's; expected a spec of "+
			"this version", s.ID)
	}
	return out, nil
}
