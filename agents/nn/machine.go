package nn

import (
	"errors"
	"fmt"
	"runtime"

	"gorgonia.org/gorgonia"
)

// Machine computes one loss and its gradients. It is not safe for concurrent use;
// machines over the same weights may run at the same time as long as nobody changes them,
// if each has its own Params (gradients are written to them).
type Machine struct {
	vm      gorgonia.VM
	params  []*Param
	nodes   []*gorgonia.Node
	watched []*gorgonia.Value
	loss    int
}

// Watch marks a scalar or a vector to be read after each run, as Machine.Watched(i) or
// Machine.Series(i) in the order of the calls.
func (t *Tape) Watch(x Node) {
	if t.err != nil {
		return
	}
	v := new(gorgonia.Value)
	gorgonia.Read(x.n, v)
	t.seen = append(t.seen, v)
}

// Compile ends the description: the machine minimises loss, a scalar, in all weights that
// the graph uses. The faults of the description come back here.
func (t *Tape) Compile(loss Node) (m *Machine, err error) {
	defer func() { // Gorgonia panics on some graphs that it cannot compile
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("graph: compile: %v", r)
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
	m = &Machine{params: t.params, watched: t.seen, loss: len(t.seen) - 1}
	for _, p := range t.params {
		m.nodes = append(m.nodes, t.nodes[p].n)
	}
	building.Lock()
	defer building.Unlock()
	if _, err := gorgonia.Grad(loss.n, m.nodes...); err != nil {
		return nil, fmt.Errorf("graph: gradient: %w", err)
	}
	vm := gorgonia.NewTapeMachine(t.g, gorgonia.BindDualValues(m.nodes...))
	// The finaliser only serves CUDA, and it keeps a dropped graph alive for ever once a
	// watched value refers back to it.
	runtime.SetFinalizer(vm, nil)
	m.vm = vm
	return m, nil
}

// Run computes the loss of the inputs as they are and writes each weight's gradient to
// its Param.Grad, over what was there.
func (m *Machine) Run() (loss float64, err error) {
	defer m.vm.Reset() // without it the next run would silently do nothing
	if err := m.vm.RunAll(); err != nil {
		return 0, fmt.Errorf("graph: run: %w", err)
	}
	for i, p := range m.params {
		g, err := m.nodes[i].Grad()
		if err != nil {
			return 0, fmt.Errorf("graph: gradient of %s: %w", p.Name, err)
		}
		data, ok := g.Data().([]float64)
		if !ok || len(data) != len(p.Grad) {
			return 0, fmt.Errorf("graph: gradient of %s has an unexpected form %T", p.Name, g.Data())
		}
		copy(p.Grad, data)
		clear(data) // Gorgonia adds the next run's gradient to what it finds
	}
	return m.Watched(m.loss), nil
}

// Watched is the value of the i-th watched scalar in the last run.
func (m *Machine) Watched(i int) float64 {
	v, _ := (*m.watched[i]).Data().(float64)
	return v
}

// Series is the i-th watched vector in the last run; valid until the next one.
func (m *Machine) Series(i int) []float64 {
	v, _ := (*m.watched[i]).Data().([]float64)
	return v
}

// Close frees the machine.
func (m *Machine) Close() error {
	if m.vm == nil {
		return errors.New("graph: closed twice")
	}
	err := m.vm.Close()
	m.vm = nil
	return err
}
