package entry

import (
	"fmt"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// Predictor is one predictor of the catalogue.
type Predictor struct {
	// Name is what users write; Doc is one line on what it does.
	Name, Doc string
	// Paper is where it was published; "" = nowhere in particular.
	Paper string
	// Params has one line per setting: key, meaning, unit. "" = it has none.
	Params string
	// New reads the settings and gives a predictor that knows nothing yet; nil for none. The error
	// joins every fault.
	New func(s *param.Set) (LearnedPredictor, error)
}

// Settings lists the settings that the predictor reads, in the order of Params, with the ranges and
// defaults of the code that reads them.
func (e *Predictor) Settings() []param.Setting {
	s := param.Parse("", "")
	if _, err := e.New(s); err != nil { // defaults are no fault; tests hold it
		return nil
	}
	return param.Ordered(s.Settings(), e.Params)
}

// Predictors lists predictors in the order in which they are shown. catalogue/predictors has what
// tarry ships; a program may append its own.
type Predictors []Predictor

// Parse makes the predictor that NAME or NAME:key=value,... names; nil for "" and none. The error
// joins every fault.
func (c Predictors) Parse(spec string) (LearnedPredictor, error) {
	if spec == "" {
		return nil, nil
	}
	name, text, colon := strings.Cut(spec, ":")
	name = strings.TrimSpace(name)
	var names []string
	for _, e := range c {
		if e.Name != name {
			names = append(names, e.Name)
			continue
		}
		if colon && strings.TrimSpace(text) == "" {
			return nil, fmt.Errorf("predictor %q: nothing after the colon, expected key=value,...", spec)
		}
		return e.New(param.Parse("predictor "+e.Name, text))
	}
	return nil, fmt.Errorf("predictor %q: unknown, expected one of %s%s", name, strings.Join(names, ", "),
		param.Hint(name, names))
}

// LearnedPredictor is a sim.Predictor that learns from the past before a run.
type LearnedPredictor interface {
	sim.Predictor
	// Fit forgets everything and learns from jobs in the order in which they ended, if each started
	// at its submit; jobs that all come at once are taken one after another. No job of a run may be
	// among them.
	Fit(jobs []sim.Job)
}

// Guesses is what a LearnedPredictor states of users that are simulated; transform.Guess is to be
// applied to all jobs that it sees.
type Guesses interface {
	// Guesses gives the standard deviation of log(request / run time) of all jobs; ok is false
	// where none is stated.
	Guesses() (sigma float64, ok bool)
	// Exact states that a request is the run time: then a policy that reads it is clairvoyant.
	Exact() bool
}

// Chooser is a LearnedPredictor in whose place a run takes one of several, the one with the
// shortest completion times on jobs that are not of the run.
type Chooser interface {
	// Candidates are the predictors, as Predictors.Parse reads them. nil = all of the catalogue that
	// the jobs have something for.
	Candidates() []string
	// Unless is the candidate that is chosen unless another is ahead by so many standard errors of
	// their paired differences, >= 0; where it is no candidate, the first stands for it.
	Unless() (name string, errors float64)
	// Bounds is on how many windows each is simulated at most, >= 1, and how many jobs these have
	// together, >= 1: the window that reaches it is the last.
	Bounds() (windows, jobs int)
}

// Asking is a LearnedPredictor that may go by requests of the jobs alone.
type Asking interface {
	// Asks reports that it has nothing to go by where no job has a request.
	Asks() bool
}
