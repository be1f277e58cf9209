package netfile

import (
	"errors"
	"fmt"
	"math"
)

// The functions between layers.
const (
	Tanh = "tanh"
	Relu = "relu"
)

// The bounds of a Form.
const (
	maxWidth  = 2048    // numbers in a layer, or choices
	maxObs    = 1 << 16 // numbers in an observation
	maxLayers = 16
	maxRoom   = 1 << 20 // numbers in a layer of all candidates
	maxWhole  = 1 << 30
)

// Form states how a network is made, and what it reads and chooses.
type Form struct {
	// Obs is the length of an observation.
	Obs int
	// Sizes has the number of choices of each component of an action, First what the first choice of
	// each is called.
	Sizes, First []int
	// Masked states that there is a mask, with an entry for each choice.
	Masked bool
	// Values: the answers are values of actions. Otherwise they are logits.
	Values bool
	// Scores: the answers put the slots of a Set with Present in order, the least first; there is one
	// component, with a choice for each slot, and no mask.
	Scores bool
	// Duel: there are two networks, of the value and of the advantages; with Values alone.
	Duel bool
	// Clip bounds scaled observations; 0 = observations are read as they are.
	Clip float64
	// Activation is Tanh or Relu.
	Activation string
	// Hidden are the widths of hidden layers; with Set there is one.
	Hidden []int
	// Set is the list that an observation holds; nil = the network is a multi-layer perceptron.
	Set *Set
}

// Set states how an observation lists candidates: Global numbers, then Slots candidates of Features
// numbers each. Extra answers come before the answers of the slots, Each for every slot. A slot takes
// part if the mask allows one of its answers; with Present (1 instead of 0) if its first feature is not
// 0.
type Set struct{ Global, Slots, Features, Extra, Each, Present int }

// Matrix is one matrix of weights, row by row.
type Matrix struct {
	Name       string
	Rows, Cols int
	W          []float64
}

// Answers is the number of choices of all components.
func (f *Form) Answers() int {
	n := 0
	for _, s := range f.Sizes {
		n += s
	}
	return n
}

// Validate reports all faults.
func (f *Form) Validate() error {
	var errs []error
	within := func(name string, got, low, high int) {
		if got < low || got > high {
			errs = append(errs, fmt.Errorf("%s is %d, expected %d to %d", name, got, low, high))
		}
	}
	within("observation", f.Obs, 1, maxObs)
	within("the number of components of an action", len(f.Sizes), 1, maxWidth)
	if len(f.First) != len(f.Sizes) {
		errs = append(errs, fmt.Errorf("first has %d numbers, expected one for each of %d components", len(f.First),
			len(f.Sizes)))
	}
	for _, n := range f.Sizes {
		within("a component's choices", n, 1, maxWidth)
	}
	for _, n := range f.First {
		within("a component's first choice", n, -maxWhole, maxWhole)
	}
	if errs == nil {
		within("the number of choices", f.Answers(), 1, maxWidth)
	}
	if !(f.Clip >= 0) || math.IsInf(f.Clip, 0) {
		errs = append(errs, fmt.Errorf("clip is %v, expected a finite number, at least 0", f.Clip))
	}
	if f.Values && len(f.Sizes) > 1 {
		errs = append(errs, fmt.Errorf("answers are values of %d components, expected one", len(f.Sizes)))
	}
	if f.Duel && !f.Values {
		errs = append(errs, errors.New("a duel has logits, expected values"))
	}
	if f.Scores && (f.Set == nil || f.Set.Present != 1 || f.Set.Extra != 0 || f.Set.Each != 1 || len(f.Sizes) != 1 ||
		f.Values || f.Masked) {
		errs = append(errs, errors.New("answers are scores, expected a set with extra=0, each=1 and present=1, one "+
			"component and no mask"))
	}
	if f.Activation != Tanh && f.Activation != Relu {
		errs = append(errs, fmt.Errorf("activation is %q, expected %s or %s", f.Activation, Tanh, Relu))
	}
	within("the number of hidden layers", len(f.Hidden), 0, maxLayers)
	for _, n := range f.Hidden {
		within("a hidden layer", n, 1, maxWidth)
	}
	if f.Set != nil && errs == nil {
		errs = append(errs, f.validateSet())
	}
	return errors.Join(errs...)
}

func (f *Form) validateSet() error {
	var errs []error
	s := f.Set
	for _, c := range []struct {
		name           string
		got, low, high int
	}{
		{"global", s.Global, 0, maxObs}, {"slots", s.Slots, 1, maxObs}, {"features", s.Features, 1, maxWidth},
		{"extra", s.Extra, 0, maxWidth}, {"each", s.Each, 1, maxWidth}, {"present", s.Present, 0, 1},
	} {
		if c.got < c.low || c.got > c.high {
			errs = append(errs, fmt.Errorf("%s is %d, expected %d to %d", c.name, c.got, c.low, c.high))
		}
	}
	switch {
	case errs != nil:
	case len(f.Hidden) != 1:
		errs = append(errs, fmt.Errorf("there are %d hidden widths, expected one for a set", len(f.Hidden)))
	case s.Slots*max(f.Hidden[0], s.Features) > maxRoom:
		errs = append(errs, fmt.Errorf("%d slots of width %d, expected at most %d numbers in all", s.Slots,
			max(f.Hidden[0], s.Features), maxRoom))
	case s.Global+s.Slots*s.Features != f.Obs:
		errs = append(errs, fmt.Errorf("%d numbers and %d slots of %d features, expected an observation of %d", s.Global,
			s.Slots, s.Features, f.Obs))
	case s.Extra+s.Slots*s.Each != f.Answers():
		errs = append(errs, fmt.Errorf("%d extra choices and %d slots of %d each, expected choices %v", s.Extra,
			s.Slots, s.Each, f.Sizes))
	}
	return errors.Join(errs...)
}

// Matrices lists the matrices of the network in the order of the file, without numbers. The form
// must be valid.
func (f *Form) Matrices() []Matrix {
	var all []Matrix
	if f.Clip > 0 {
		all = append(all, Matrix{Name: "scale", Rows: f.Obs, Cols: 2})
	}
	if f.Duel {
		all = f.network(all, "value/", 1, true)
		return f.network(all, "advantage/", f.Answers(), false)
	}
	return f.network(all, "", f.Answers(), false)
}

// network adds the matrices of one network.
func (f *Form) network(all []Matrix, prefix string, out int, pooled bool) []Matrix {
	layer := func(name string, rows, cols int) {
		all = append(all, Matrix{Name: prefix + name + "/weight", Rows: rows, Cols: cols},
			Matrix{Name: prefix + name + "/bias", Rows: 1, Cols: cols})
	}
	s := f.Set
	if s == nil {
		in := f.Obs
		for i, n := range f.Hidden {
			layer(fmt.Sprint(i), in, n)
			in = n
		}
		layer(fmt.Sprint(len(f.Hidden)), in, out)
		return all
	}
	h, each := f.Hidden[0], s.Each
	layer("embed", s.Features, h)
	layer("global", s.Global+1, h)
	layer("context", h, h)
	all = append(all, Matrix{Name: prefix + "pool", Rows: h, Cols: h})
	if pooled {
		each = 1
	} else {
		layer("score", h, h)
		if s.Extra > 0 {
			layer("extra", h, s.Extra)
		}
	}
	layer("out", h, each)
	return all
}
