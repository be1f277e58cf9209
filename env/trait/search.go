package trait

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
)

// Searchable is an environment of which a complete window can be simulated under an agent that is
// one vector of parameters, without a question at each step: policy search needs no more, and is
// much faster this way. What Play measures and what Answer answers is the same agent.
type Searchable interface {
	Windowed
	// Parameters states what a vector is, the same for the environment's whole life; at least one.
	Parameters() []Parameter
	// Play simulates a window of a part, counted from 0, under a vector within its bounds. It is a
	// pure function of the environment's configuration and its arguments, whatever was played
	// before, and leaves an episode under way as it is. Environments of one configuration may play
	// at the same time, each in a goroutine of its own. ErrNoQuestion: no vector matters in this
	// window.
	Play(ctx context.Context, params []float64, p Part, window int) (Outcome, error)
	// Answer writes the action that an agent with this vector takes on an observation. It depends
	// on its arguments alone and may be called by many goroutines at once.
	Answer(dst, obs, params []float64) error
}

// Exporter is a Searchable whose vectors can be written as text, for people to read and for
// schedulers to take.
type Exporter interface {
	// Export writes an agent with this vector.
	Export(w io.Writer, params []float64) error
}

// Importer is an Exporter that reads such text back.
type Importer interface {
	// Import gives the vector that a text stands for, and the options, key=value,..., of an
	// environment in which it means what the text states. name stands in errors.
	Import(name string, from io.Reader) (params []float64, options string, err error)
}

// Parameter is one number of the vector.
type Parameter struct {
	// Name is unique in the vector.
	Name string
	// Start is where a search begins, within the bounds: the value of a sensible rule.
	Start float64
	// Sigma is the standard deviation with which a search begins, > 0.
	Sigma float64
	// Lo and Hi bound the value, both included; infinite = not bounded.
	Lo, Hi float64
}

const (
	// StartSigma is the standard deviation with which a search of Weights begins.
	StartSigma = 0.25
	// mostWeight bounds Weights on either side.
	mostWeight = 16
)

// Weights states weights of a score as parameters, each from its present value.
func Weights(names []string, present []float64) []Parameter {
	out := make([]Parameter, len(names))
	for i, n := range names {
		out[i] = Parameter{Name: n, Start: min(mostWeight, max(-mostWeight, present[i])), Sigma: StartSigma,
			Lo: -mostWeight, Hi: mostWeight}
	}
	return out
}

// Outcome is what Play measures.
type Outcome struct {
	// Cost is relative to a reference on the same window, such as JCT / JCT of Dally: lower is
	// better, 1 = like the reference. Finite and > 0.
	Cost float64
	// Metrics are figures to watch, the same names in the same order each time.
	Metrics []Metric
}

// Metric is a figure by name, with its unit last ("jct_s").
type Metric struct {
	Name  string
	Value float64
}

// CheckParameters reports every fault of a vector's description.
func CheckParameters(of []Parameter) error {
	if len(of) == 0 {
		return errors.New("no parameter, expected at least one")
	}
	var errs []error
	seen := map[string]bool{}
	for i, p := range of {
		bad := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("parameter %d (%s): %s", i, p.Name, fmt.Sprintf(format, args...)))
		}
		if p.Name == "" || seen[p.Name] {
			bad("name is %q, expected one of its own", p.Name)
		}
		seen[p.Name] = true
		if !(p.Sigma > 0) || math.IsInf(p.Sigma, 1) {
			bad("sigma is %v, expected a finite number > 0", p.Sigma)
		}
		if !(p.Lo < p.Hi) {
			bad("bounds are %v to %v, expected the lower one first", p.Lo, p.Hi)
		} else if !(p.Start >= p.Lo && p.Start <= p.Hi) || math.IsInf(p.Start, 0) {
			bad("start is %v, expected a finite number from %v to %v", p.Start, p.Lo, p.Hi)
		}
	}
	return errors.Join(errs...)
}

// CheckCost reports whether a cost is finite and > 0.
func CheckCost(cost float64) error {
	if !(cost > 0) || math.IsInf(cost, 1) {
		return fmt.Errorf("a window cost %v, expected a finite number > 0", cost)
	}
	return nil
}
