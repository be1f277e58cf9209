package entry

import (
	"errors"
	"fmt"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// SpeedLayer is what a stack.Layer has, and may have what package stack lists beside.
type SpeedLayer interface {
	// Answer is as stack.Layer has it.
	Answer(q *sim.Query, s *sim.Speed) (keep float64)
}

// Layer is one layer of a catalogue, which a run may have over its speed model.
type Layer struct {
	// Name is what users write before the colon.
	Name string
	// Form is how it is written with its options, without spaces: "name[:key=V]".
	Form string
	// Doc is one line on what it does; Params has one line per option: key, meaning. ""
	// = it has none.
	Doc, Params string
	// New reads the options and makes the layer of one run. It gets a usable value for each option
	// that is wrong, and need not ask for the set's faults; the error joins all others.
	New func(options *param.Set, env SpeedEnv) (SpeedLayer, error)
}

// Layers lists layers in the order in which they are shown.
type Layers []Layer

// Names returns the names of the layers.
func (c Layers) Names() []string {
	out := make([]string, len(c))
	for i := range c {
		out[i] = c[i].Name
	}
	return out
}

// Parse makes the layer that NAME or NAME:options names. The error joins every fault of the
// options.
func (c Layers) Parse(spec string, env SpeedEnv) (SpeedLayer, error) {
	what := fmt.Sprintf("layer %q", spec)
	name, text, _ := strings.Cut(spec, ":")
	for i := range c {
		if c[i].Name != name {
			continue
		}
		options := param.Parse(what, text)
		l, err := c[i].New(options, env)
		if err != nil {
			err = fmt.Errorf("%s: %w", what, err)
		}
		if err = errors.Join(options.Err(), err); err != nil {
			return nil, err
		}
		return l, nil
	}
	want := "no name: this program has no layers of its own"
	if len(c) > 0 {
		want = "one of " + strings.Join(c.Names(), ", ") + param.Hint(name, c.Names())
	}
	return nil, fmt.Errorf("%s: unknown layer %q, expected %s", what, name, want)
}
