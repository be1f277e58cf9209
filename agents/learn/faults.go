package learn

import (
	"errors"
	"fmt"

	"tarry/agents/registry"
)

// Faults collects what is wrong with a configuration. Set Agent, the name that each fault begins
// with.
type Faults struct {
	Agent string
	errs  []error
}

// Bad adds a setting, named as in JSON, with its value and what was expected.
func (f *Faults) Bad(name string, got any, want string) {
	f.Add(fmt.Errorf("%s is %v, expected %s", name, got, want))
}

// Add adds another fault; nil is none.
func (f *Faults) Add(err error) {
	if err != nil {
		f.errs = append(f.errs, fmt.Errorf("%s: %w", f.Agent, err))
	}
}

// Ranges holds the settings of a struct against their ranges, as registry.Check does; the settings
// in except are checked by the caller.
func (f *Faults) Ranges(settings any, except ...string) { registry.Check(settings, f.Bad, except...) }

// Positive asks for at least 1.
func (f *Faults) Positive(name string, got int) {
	if got < 1 {
		f.Bad(name, got, "at least 1")
	}
}

// Err joins all faults; nil = there is none.
func (f *Faults) Err() error { return errors.Join(f.errs...) }
