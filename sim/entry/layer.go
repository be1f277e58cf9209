package entry

import (
	"errors"
	"fmt"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// SpeedLayer has the method of stack.Layer, and may have the optional methods of package stack.
// What finds entries by name does not import package stack.
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
	// Doc is one line on what it does; Params has one line per option: key, meaning. "" = it
	// has none.
	Doc, Params string
	// New reads the options and makes the layer of one run. It gets a usable value for each option
	// that is wrong, and need not ask for the set's faults; the error joins all others.
	New func(options *param.Set, env SpeedEnv) (SpeedLayer, error)
}

// Settings lists the options that the layer reads, in the order of Params, with the ranges and
// defaults of the code that reads them.
func (l *Layer) Settings() []param.Setting {
	return optionsOf(l.Params, func(s *param.Set, env SpeedEnv) { _, _ = l.New(s, env) })
}

// Layers lists layers in the order in which they are shown.
type Layers []Layer

// Find gives the layer of a name; false when there is none.
func (c Layers) Find(name string) (Layer, bool) {
	for _, l := range c {
		if l.Name == name {
			return l, true
		}
	}
	return Layer{}, false
}

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
	kind, ok := c.Find(name)
	if !ok {
		want := "no name: this program has no layers of its own"
		if len(c) > 0 {
			want = "one of " + strings.Join(c.Names(), ", ") + param.Hint(name, c.Names())
		}
		return nil, fmt.Errorf("%s: unknown layer %q, expected %s", what, name, want)
	}
	options := param.Parse(what, text)
	l, err := kind.New(options, env)
	if err != nil {
		err = fmt.Errorf("%s: %w", what, err)
	}
	if err = errors.Join(options.Err(), err); err != nil {
		return nil, err
	}
	return l, nil
}
