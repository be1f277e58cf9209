package picking

import (
	"fmt"
	"math"
	"slices"

	"tarry/internal/fixmath"
	"tarry/internal/weights"
)

// MostHidden is the largest number of hidden units.
const MostHidden = 64

// perUnit is how many weights a hidden unit has: its bias, one per input, and its output.
const perUnit = 1 + int(NumInputs) + 1

// Func is a score. Build it with New; it starts with all weights 0.
type Func struct {
	hidden  int
	weights []float64
}

// New is a score with so many hidden units, 0 to MostHidden.
func New(hidden int) (*Func, error) {
	if hidden < 0 || hidden > MostHidden {
		return nil, fmt.Errorf("%d hidden units, expected 0 to %d", hidden, MostHidden)
	}
	return &Func{hidden: hidden, weights: make([]float64, NumTerms+hidden*perUnit)}, nil
}

// Rules lists the names that Named accepts.
func Rules() []string { return []string{"sjf", "fcfs", "f1"} }

// mostNamed bounds the weights of Named on either side.
const mostNamed = 16

// Named sets the weights of the terms so that jobs are picked as by a rule of RLScheduler's tables
// on a cluster of so many processors: sjf, fcfs or f1. The outputs of hidden units are 0, and their
// other weights differ from each other, so that a search can move them apart.
func (f *Func) Named(rule string, processors int) error {
	names := TermNames()
	set := func(name string, w float64) { f.weights[slices.Index(names, name)] = w }
	clear(f.weights)
	switch rule {
	case "sjf":
		set("request", 1)
	case "fcfs":
		set("late", -1)
	case "f1": // (log10(r) n + 870 log10(s)) ln(10) / N, but for what is the same for all jobs
		age := 870 / float64(processors)
		unit := min(1, mostNamed/age)
		set("request_share", unit)
		set("share", unit*math.Log(60))
		set("late", -unit*age)
	default:
		return fmt.Errorf("the rule %q is unknown, expected one of %v", rule, Rules())
	}
	for i, n := range f.Names()[NumTerms:] {
		if at := i % perUnit; at > 0 && at < perUnit-1 {
			f.weights[NumTerms+i] = weights.Spread(n)
		}
	}
	return nil
}

// Hidden is how many hidden units there are.
func (f *Func) Hidden() int { return f.hidden }

// Len is how many weights there are.
func (f *Func) Len() int { return len(f.weights) }

// Names names the weights, in order: one per term, then for each hidden unit its bias, one per
// input and its output.
func (f *Func) Names() []string {
	out := TermNames()
	for k := range f.hidden {
		unit := fmt.Sprintf("unit%d.", k+1)
		out = append(out, unit+"bias")
		for _, n := range InputNames() {
			out = append(out, unit+n)
		}
		out = append(out, unit+"out")
	}
	return out
}

// Weights are the present ones, in the order of Names. They must not be changed.
func (f *Func) Weights() []float64 { return f.weights }

// Set copies weights, in the order of Names.
func (f *Func) Set(weights []float64) { copy(f.weights, weights) }

// Score is the number of a job: the smallest is picked.
func (f *Func) Score(x *Inputs) float64 { return f.With(f.weights, x) }

// With is the score under other weights, in the order of Names. It may be called by many goroutines
// at once.
func (f *Func) With(weights []float64, x *Inputs) float64 {
	sum := 0.0
	for i, t := range x.terms() {
		sum += float64(weights[i] * t)
	}
	for at := NumTerms; at < len(weights); at += perUnit {
		unit := weights[at : at+perUnit]
		if unit[perUnit-1] == 0 {
			continue
		}
		in := unit[0]
		for i, v := range x {
			in += float64(unit[1+i] * v)
		}
		sum += float64(unit[perUnit-1] * fixmath.Tanh(in))
	}
	return sum
}

// Clone gives an independent copy.
func (f *Func) Clone() *Func { return &Func{f.hidden, slices.Clone(f.weights)} }
