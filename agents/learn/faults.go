package learn

import (
	"errors"
	"fmt"
	"strings"
)

// Faults collects what is wrong with a configuration. Set Agent, the name that each fault begins with.
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

// Positive asks for at least 1.
func (f *Faults) Positive(name string, got int) {
	if got < 1 {
		f.Bad(name, got, "at least 1")
	}
}

// Layers asks the sizes of hidden layers for at least 1.
func (f *Faults) Layers(hidden []int) {
	for i, h := range hidden {
		f.Positive(fmt.Sprintf("hidden[%d]", i), h)
	}
}

// Within asks for a number from low to high.
func (f *Faults) Within(name string, got, low, high float64) {
	if !(got >= low && got <= high) {
		f.Bad(name, got, between(low, high))
	}
}

// Above asks for a number from low to high that is not low.
func (f *Faults) Above(name string, got, low, high float64) {
	if !(got > low && got <= high) {
		f.Bad(name, got, between(low, high))
	}
}

func between(low, high float64) string {
	return strings.ReplaceAll(fmt.Sprintf("a number from %g to %g", low, high), "e+0", "e")
}

// Err joins all faults; nil = there is none.
func (f *Faults) Err() error { return errors.Join(f.errs...) }
