// Package experiments is the catalogue of questions.
//
// Reading guide. Each folder is one question: doc.go says what is asked, what is expected and how to read
// the answer; grid.go spells the cells out; figures.go draws them from the rows and from nothing else. A new
// question is a folder and a line in All.
package experiments

import (
	"errors"
	"fmt"

	"tarry/experiments/ablation"
	"tarry/experiments/agentablation"
	"tarry/experiments/clustersize"
	"tarry/experiments/congestion"
	"tarry/experiments/learned"
	"tarry/experiments/learning"
	"tarry/experiments/load"
	"tarry/experiments/paper"
	"tarry/experiments/results"
	"tarry/experiments/scale"
	"tarry/experiments/speedmodel"
	"tarry/experiments/sweep"
	"tarry/experiments/tails"
	"tarry/experiments/timers"
	"tarry/experiments/transfer"
	"tarry/experiments/tuner"
	"tarry/sim/param"
)

// All lists the questions that tarry ships.
func All() Catalogue {
	return Catalogue{
		paper.Question(),
		tails.Question(),
		congestion.Question(),
		timers.Question(),
		tuner.Question(),
		ablation.Question(),
		clustersize.Question(),
		load.Question(),
		speedmodel.Question(),
		scale.Question(),
		learning.Question(),
		learned.Question(),
		results.Question(),
		agentablation.Question(),
		transfer.Question(),
	}
}

// Catalogue lists questions in the order in which they are shown. All gives those that tarry ships; a program may append its own.
type Catalogue []sweep.Question

// Find gives a question by name.
func (c Catalogue) Find(name string) (sweep.Question, error) {
	var names []string
	for _, q := range c {
		if q.Name == name {
			return q, nil
		}
		names = append(names, q.Name)
	}
	return sweep.Question{}, fmt.Errorf("no question is called %q, tarry list questions shows them%s", name, param.Hint(name, names))
}

// Validate reports every question without a name, sweeps or figures, and every name that two have.
func (c Catalogue) Validate() error {
	var errs []error
	at := map[string]int{}
	for i, q := range c {
		switch was := at[q.Name]; {
		case q.Name == "":
			errs = append(errs, fmt.Errorf("catalogue: question %d has no name", i+1))
		case was > 0:
			errs = append(errs, fmt.Errorf("catalogue: two entries are called question %q (%d and %d), expected different names", q.Name, was, i+1))
		case q.Specs == nil || q.Figures == nil:
			errs = append(errs, fmt.Errorf("catalogue: question %q has no sweeps or no figures", q.Name))
		}
		at[q.Name] = i + 1
	}
	return errors.Join(errs...)
}
