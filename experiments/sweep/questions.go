package sweep

import (
	"errors"
	"fmt"

	"tarry/sim/param"
)

// Questions lists questions in the order in which they are shown. experiments.All has those that
// tarry ships; a program may append its own.
type Questions []Question

// Find gives a question by name.
func (c Questions) Find(name string) (Question, error) {
	var names []string
	for _, q := range c {
		if q.Name == name {
			return q, nil
		}
		names = append(names, q.Name)
	}
	return Question{}, fmt.Errorf("no question is called %q, tarry list questions shows them%s", name,
		param.Hint(name, names))
}

// Validate reports every question without a name, sweeps or figures, and every name that two have.
func (c Questions) Validate() error {
	var errs []error
	at := map[string]int{}
	for i, q := range c {
		switch was := at[q.Name]; {
		case q.Name == "":
			errs = append(errs, fmt.Errorf("catalogue: question %d has no name", i+1))
		case was > 0:
			errs = append(errs, fmt.Errorf("catalogue: two entries are called question %q (%d and %d), expected "+
				"different names", q.Name, was, i+1))
		case q.Specs == nil || q.Figures == nil:
			errs = append(errs, fmt.Errorf("catalogue: question %q has no sweeps or no figures", q.Name))
		}
		at[q.Name] = i + 1
	}
	return errors.Join(errs...)
}
