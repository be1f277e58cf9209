package nn

import (
	"errors"
	"fmt"
	"runtime"

	"gorgonia.org/gorgonia"
)

// Reference runs the graph of a Machine on Gorgonia's own tape machine, which is slow: it is what
// tests hold a plan to, bit by bit. It uses the memory of the Machine, so that the two run in turn.
type Reference struct {
	// Gradients are the last run's, weight by weight in the order of the Tape; Params are
	// these weights.
	Gradients [][]float64
	Params    []*Param

	vm    gorgonia.VM
	nodes gorgonia.Nodes
	seen  []*gorgonia.Value
}

// Reference gives the machine's graph to Gorgonia. The machine must not be closed.
func (m *Machine) Reference() (*Reference, error) {
	if m.tape == nil {
		return nil, errors.New("graph: reference of a closed machine")
	}
	return m.tape.reference()
}

// reference is for a tape whose gradients are derived.
func (t *Tape) reference() (r *Reference, err error) {
	defer func() { // Gorgonia panics on some graphs that it cannot compile
		if f := recover(); f != nil {
			r, err = nil, fmt.Errorf("graph: compile: %v", f)
		}
	}()
	building.Lock()
	defer building.Unlock()
	r = &Reference{Params: t.params, nodes: t.weights()}
	for _, n := range t.seen {
		v := new(gorgonia.Value)
		gorgonia.Read(n, v)
		r.seen = append(r.seen, v)
	}
	for _, p := range t.params {
		r.Gradients = append(r.Gradients, make([]float64, len(p.Grad)))
	}
	r.vm = gorgonia.NewTapeMachine(t.g, gorgonia.BindDualValues(r.nodes...))
	// The finaliser only serves CUDA, and it keeps a dropped graph alive for ever once a
	// watched value refers back to it.
	runtime.SetFinalizer(r.vm, nil)
	return r, nil
}

// Run computes the loss of the inputs as they are, and the gradients.
func (r *Reference) Run() (loss float64, err error) {
	defer r.vm.Reset() // without it the next run would silently do nothing
	if err := r.vm.RunAll(); err != nil {
		return 0, fmt.Errorf("graph: run: %w", err)
	}
	for i, p := range r.Params {
		g, err := r.nodes[i].Grad()
		if err != nil {
			return 0, fmt.Errorf("graph: gradient of %s: %w", p.Name, err)
		}
		data, ok := g.Data().([]float64)
		if !ok || len(data) != len(r.Gradients[i]) {
			return 0, fmt.Errorf("graph: gradient of %s has an unexpected form %T", p.Name, g.Data())
		}
		copy(r.Gradients[i], data)
		clear(data) // Gorgonia adds the next run's gradient to what it finds
	}
	loss, _ = (*r.seen[len(r.seen)-1]).Data().(float64)
	return loss, nil
}

// Series is what is watched, by number: one number of a scalar, all of a vector.
func (r *Reference) Series(i int) []float64 {
	switch v := (*r.seen[i]).Data().(type) {
	case float64:
		return []float64{v}
	case []float64:
		return v
	}
	return nil
}
