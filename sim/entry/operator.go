package entry

import (
	"fmt"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// Operator is one operator of the catalogue: what starts the replicas of services and lends machines.
type Operator struct {
	// Name is what users write; Doc is one line on what it does.
	Name, Doc string
	// Paper is where it was published; "" = nowhere in particular.
	Paper string
	// Params has one line per setting: key, meaning, unit. "" = it has none.
	Params string
	// New reads the settings and gives an operator, which runs clone. The error joins every fault.
	New func(s *param.Set) (sim.Operator, error)
}

// Settings lists the settings that the operator reads, in the order of Params, with the ranges and
// defaults of the code that reads them.
func (e *Operator) Settings() []param.Setting {
	s := param.Parse("", "")
	_, _ = e.New(s) // what it read counts: one may have a setting that must be given
	return param.Ordered(s.Settings(), e.Params)
}

// Operators lists operators in the order in which they are shown. catalogue/operators has what tarry
// ships; a program may append its own.
type Operators []Operator

// Names lists the operators.
func (c Operators) Names() (names []string) {
	for _, e := range c {
		names = append(names, e.Name)
	}
	return names
}

// Parse makes the operator that NAME or NAME:key=value,... names; nil for "". The error joins every
// fault.
func (c Operators) Parse(spec string) (sim.Operator, error) {
	if spec == "" {
		return nil, nil
	}
	name, text, colon := strings.Cut(spec, ":")
	name = strings.TrimSpace(name)
	for _, e := range c {
		if e.Name != name {
			continue
		}
		if colon && strings.TrimSpace(text) == "" {
			return nil, fmt.Errorf("operator %q: nothing after the colon, expected key=value,...", spec)
		}
		return e.New(param.Parse("operator "+e.Name, text))
	}
	return nil, fmt.Errorf("operator %q: unknown, expected one of %s%s", name, strings.Join(c.Names(), ", "),
		param.Hint(name, c.Names()))
}
