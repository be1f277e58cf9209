package nn

import (
	"errors"
	"fmt"

	"gorgonia.org/gorgonia"
)

// Machine computes one loss and its gradients. It is not safe for concurrent use;
// machines over the same weights may run at the same time as long as these do not change,
// if each has its own Params (gradients are written to them). A run allocates nothing.
type Machine struct {
	tape    *Tape
	plan    *plan // nil once closed
	watched [][]float64
	loss    int
}

// Watch marks a scalar or a vector to be read after each run, as Machine.Watched(i) or
// Machine.Series(i) in the order of the calls.
func (t *Tape) Watch(x Node) {
	if t.err == nil {
		t.seen = append(t.seen, x.n)
	}
}

// Compile ends the description: the machine minimises loss, a scalar, in all weights that
// the graph uses. The faults of the description come back here.
func (t *Tape) Compile(loss Node) (m *Machine, err error) {
	gradients, err := t.derive(loss)
	if err != nil {
		return nil, err
	}
	b, err := newPlan(t, gradients)
	if err != nil {
		return nil, fmt.Errorf("graph: plan: %w", err)
	}
	m = &Machine{tape: t, plan: b.plan, loss: len(t.seen) - 1}
	for _, n := range t.seen {
		r, err := b.need(n)
		if err != nil {
			return nil, fmt.Errorf("graph: plan: %w", err)
		}
		m.watched = append(m.watched, r.data)
	}
	return m, nil
}

// derive adds the gradients of the loss to the graph, and watches the loss.
func (t *Tape) derive(loss Node) (gradients gorgonia.Nodes, err error) {
	defer func() { // Gorgonia panics on some graphs that it cannot derive
		if r := recover(); r != nil {
			gradients, err = nil, fmt.Errorf("graph: gradient: %v", r)
		}
	}()
	if loss.rows != 0 {
		t.fail("the loss has shape (%d,%d), expected a scalar", loss.rows, loss.cols)
	}
	t.Watch(loss)
	if len(t.params) == 0 {
		t.fail("the loss uses no weights")
	}
	if t.err != nil {
		return nil, t.err
	}
	building.Lock()
	defer building.Unlock()
	if gradients, err = gorgonia.Grad(loss.n, t.weights()...); err != nil {
		return nil, fmt.Errorf("graph: gradient: %w", err)
	}
	return gradients, nil
}

// weights are the nodes of all weights but frozen ones.
func (t *Tape) weights() gorgonia.Nodes {
	var nodes gorgonia.Nodes
	for _, p := range t.params {
		nodes = append(nodes, t.nodes[p].n)
	}
	return nodes
}

// Run computes the loss of the inputs as they are and writes each weight's gradient to
// its Param.Grad, over what was there.
func (m *Machine) Run() (loss float64, err error) {
	if m.plan == nil {
		return 0, errors.New("graph: run after it was closed")
	}
	m.plan.run()
	return m.Watched(m.loss), nil
}

// Watched is the value of the i-th watched scalar in the last run.
func (m *Machine) Watched(i int) float64 { return m.watched[i][0] }

// Series is the i-th watched vector in the last run; valid until the next one.
func (m *Machine) Series(i int) []float64 { return m.watched[i] }

// Close frees the machine.
func (m *Machine) Close() error {
	if m.plan == nil {
		return errors.New("graph: closed twice")
	}
	m.plan, m.tape = nil, nil
	return nil
}
