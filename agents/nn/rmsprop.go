package nn

import (
	"errors"

	"tarry/internal/vector"
)

// RMSProp divides each gradient by the root of its running mean square (Tieleman and Hinton, 2012,
// lecture 6.5). Two forms are in use, and they are not the same: PyTorch's starts the mean square
// at 0 and adds Eps to the root; TensorFlow's starts it at 1 and adds Eps to the mean square, which
// keeps the first steps small.
type RMSProp struct {
	// Decay is the decay of the mean square, usually 0.99.
	Decay float64
	// Eps keeps the division finite.
	Eps float64

	inRoot bool
	params []*Param
	v      [][]float64
}

// NewRMSProp gives an optimiser of these weights with decay 0.99. inRoot chooses TensorFlow's form.
func NewRMSProp(params []*Param, eps float64, inRoot bool) *RMSProp {
	r := &RMSProp{Decay: 0.99, Eps: eps, inRoot: inRoot, params: params}
	for _, p := range params {
		v := make([]float64, len(p.W))
		for i := range v {
			if inRoot {
				v[i] = 1
			}
		}
		r.v = append(r.v, v)
	}
	return r
}

// Step implements Optimizer.
func (r *RMSProp) Step(lr float64) {
	step := vector.RMSProp{Decay: r.Decay, Rate: lr, Eps: r.Eps, InRoot: r.inRoot}
	for k, p := range r.params {
		step.Step(p.W, r.v[k], p.Grad)
	}
}

// Save implements Optimizer.
func (r *RMSProp) Save(s *State, name string) {
	for i, p := range r.params {
		s.PutFloats(name+"/v/"+p.Name, r.v[i])
	}
}

// Restore implements Optimizer.
func (r *RMSProp) Restore(s *State, name string) error {
	var errs []error
	for i, p := range r.params {
		errs = append(errs, s.Floats(name+"/v/"+p.Name, r.v[i]))
	}
	return errors.Join(errs...)
}

// Optimizer moves weights along their gradients.
type Optimizer interface {
	// Step moves every weight by its gradient with the learning rate lr.
	Step(lr float64)
	// Save puts the optimiser's memory into a state, Restore takes it out again.
	Save(s *State, name string)
	Restore(s *State, name string) error
}

// Save implements Optimizer.
func (a *Adam) Save(s *State, name string) { s.PutAdam(name, a) }

// Restore implements Optimizer.
func (a *Adam) Restore(s *State, name string) error { return s.Adam(name, a) }
