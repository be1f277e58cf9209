package registry

import (
	"fmt"
	"strings"

	"tarry/agents/search"
	"tarry/sim/param"
)

// Optimiser is one method of the catalogue that looks for static parameters.
type Optimiser struct {
	// Name is what users write, Doc one line on what it does, Paper where it was published.
	Name, Doc, Paper string
	// Params has one line per setting: key, meaning.
	Params string
	// New reads the settings and gives a fresh method; the error joins every fault.
	New func(c search.Config, s *param.Set) (search.Method, error)
}

// Optimisers is a catalogue of methods, in the order in which they are shown. catalogue/optimisers
// has the methods that tarry ships; a program may append its own.
type Optimisers []Optimiser

// Settings lists the settings with the ranges and defaults of the code that reads them.
func (o *Optimiser) Settings() []param.Setting {
	s := param.Parse("", "")
	c := search.Config{Budget: 1000, Windows: 8, Space: search.Space{{Name: "x", Lo: 0, Hi: 1},
		{Name: "y", Lo: 0, Hi: 1}}}
	if _, err := o.New(c, s); err != nil { // defaults are no fault; tests hold it
		return nil
	}
	return s.Settings()
}

// Open starts NAME or NAME:key=value,..., or resumes from what it saved; saved nil = anew. The
// error joins every fault.
func (all Optimisers) Open(spec string, c search.Config, saved []byte) (*search.Optimiser, error) {
	name, text, _ := strings.Cut(spec, ":")
	name = strings.TrimSpace(name)
	var names []string
	for _, o := range all {
		if o.Name != name {
			names = append(names, o.Name)
			continue
		}
		if err := c.Validate(); err != nil {
			return nil, err
		}
		m, err := o.New(c, param.Parse("optimiser "+name, text))
		if err != nil {
			return nil, err
		}
		if saved == nil {
			return search.New(spec, c, m)
		}
		return search.Load(spec, c, m, saved)
	}
	return nil, fmt.Errorf("optimiser %q: unknown, expected one of %s%s", name, strings.Join(names, ", "),
		param.Hint(name, names))
}
