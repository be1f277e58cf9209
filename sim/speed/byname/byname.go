// Package byname finds what a table of measured speeds has of a job's model.
package byname

import (
	"fmt"
	"strings"

	"tarry/sim/param"
)

// Finder remembers what a table has of each model that jobs name. It belongs to one run.
type Finder[T any] struct {
	table, kind string
	names       []string
	find        func(name string) (T, bool)
	other       entry[T]
	seen        map[string]entry[T]
}

// entry is what the table has of a model, if it has it.
type entry[T any] struct {
	value T
	known bool
}

// New is a Finder over a table, which errors name. kind is how they name what the table has, such
// as model; names is all that it has, and find looks one up.
func New[T any](table, kind string, names []string, find func(name string) (T, bool)) *Finder[T] {
	return &Finder[T]{table: table, kind: kind, names: names, find: find, seen: map[string]entry[T]{}}
}

// StandIn sets the model that jobs have whose own the table lacks; "" = none.
func (f *Finder[T]) StandIn(name string) error {
	if name == "" {
		return nil
	}
	value, ok := f.find(name)
	if !ok {
		return fmt.Errorf("%s: no %s %q, expected one of %s", f.table, f.kind, name, strings.Join(f.names, ", "))
	}
	f.other = entry[T]{value, true}
	return nil
}

// Of is what the table has of the model of a job, or of the model that stands in. The error names the
// nearest model.
func (f *Finder[T]) Of(model, job string) (T, error) {
	e, ok := f.seen[model]
	if !ok {
		if e.value, e.known = f.find(model); !e.known {
			e = f.other
		}
		f.seen[model] = e
	}
	if !e.known {
		return e.value, fmt.Errorf("%s: no %s %q (job %q), expected one of %s; option model=NAME stands in%s", f.table,
			f.kind, model, job, strings.Join(f.names, ", "), param.Hint(model, f.names))
	}
	return e.value, nil
}

// Folded looks names up in a map whose keys are lower case.
func Folded[T any](in map[string]T) func(name string) (T, bool) {
	return func(name string) (T, bool) {
		value, ok := in[strings.ToLower(name)]
		return value, ok
	}
}
