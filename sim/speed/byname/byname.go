// Package byname finds what a table of measured speeds has of a job's model.
package byname

import (
	"fmt"
	"strings"

	"tarry/sim/param"
)

// Finder remembers the place in a table of each model that jobs name. It belongs to one run.
type Finder struct {
	table, kind string
	names       []string
	in          map[string]int32
	other       int32            // -1 = none
	seen        map[string]int32 // -1 = none
}

// New is a Finder over a table, which errors name. kind is how they name what the table has, such
// as model; names is all that it has, and in has the places by names in lower case.
func New(table, kind string, names []string, in map[string]int32) *Finder {
	return &Finder{table: table, kind: kind, names: names, in: in, other: -1, seen: map[string]int32{}}
}

// StandIn sets the model that jobs have whose own the table lacks; "" = none.
func (f *Finder) StandIn(name string) error {
	if name == "" {
		return nil
	}
	at, ok := f.in[strings.ToLower(name)]
	if !ok {
		return fmt.Errorf("%s: no %s %q, expected one of %s", f.table, f.kind, name, strings.Join(f.names, ", "))
	}
	f.other = at
	return nil
}

// Of is the place of the model of a job, or of the model that stands in. The error names the
// nearest model.
func (f *Finder) Of(model, job string) (int32, error) {
	at, ok := f.seen[model]
	if !ok {
		if at, ok = f.in[strings.ToLower(model)]; !ok {
			at = f.other
		}
		f.seen[model] = at
	}
	if at < 0 {
		return 0, fmt.Errorf("%s: no %s %q (job %q), expected one of %s; option model=NAME stands in%s", f.table, f.kind,
			model, job, strings.Join(f.names, ", "), param.Hint(model, f.names))
	}
	return at, nil
}
