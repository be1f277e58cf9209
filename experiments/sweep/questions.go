package sweep

import (
	"errors"
	"fmt"

	"tarry/sim/param"
)

// Questions lists questions in the order in which they are shown. catalogue/questions has what
// tarry ships; a program may append its own.
type Questions []Question

// Opened gives all of them, read in full.
func (c Questions) Opened() Questions {
	out := make(Questions, len(c))
	for i, q := range c {
		out[i] = q.Opened()
	}
	return out
}

// Find gives a question by name.
func (c Questions) Find(name string) (Question, error) {
	var names []string
	for _, q := range c {
		if q.Name == name {
			q = q.Opened()
			return q, q.Err
		}
		names = append(names, q.Name)
	}
	return Question{}, fmt.Errorf("no question is called %q, tarry list questions shows them%s", name,
		param.Hint(name, names))
}

// Validate reports every question without a name, sweeps or figures, and every name that two have.
// It opens none.
func (c Questions) Validate() error {
	var errs []error
	at := map[string]int{}
	for i, q := range c {
		switch was := at[q.Name]; {
		case q.Name == "":
			errs = append(errs, fmt.Errorf("catalogue: question %d has no name", i+1))
		case q.Err != nil:
			errs = append(errs, fmt.Errorf("catalogue: question %q: %w", q.Name, q.Err))
		case was > 0:
			errs = append(errs, fmt.Errorf("catalogue: two entries are called question %q (%d and %d), expected "+
				"different names", q.Name, was, i+1))
		case q.Open == nil && (q.Specs == nil || q.Figures == nil):
			errs = append(errs, fmt.Errorf("catalogue: question %q has no sweeps or no figures", q.Name))
		}
		at[q.Name] = i + 1
	}
	return errors.Join(errs...)
}
