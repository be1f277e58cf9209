package stack

import "tarry/sim"

// Stack is a speed model under layers. New makes one.
type Stack struct {
	// Base is the model at the bottom, Layers what is over it, from the bottom up. They do not
	// change.
	Base   sim.SpeedModel
	Layers []Layer

	steps   []step
	prog    sim.Progressive // the bottom's; nil = it has none
	meter   meter           // what reports the bottom's telemetry; nil = nothing does
	learner int             // the last layer that is a Learner, -1 = none
	clocks  bool            // whether a layer is a Clock
	side    *progressive    // nil = nothing depends on progress
	got     sim.Speed       // the answer on its way up
}

// step is a layer with what it has beside, and its question.
type step struct {
	layer  Layer
	asks   Asker
	learns Learner
	clock  Clock
	asked  *sim.Query // what the layer is asked
	below  sim.Query  // what an Asker asks
}

// New puts layers over a model, the first one lowest. Without layers it is base itself; else a
// Stack, which has no more sides than the package comment states. It belongs to one run, as base
// and layers do.
func New(base sim.SpeedModel, layers ...Layer) sim.SpeedModel {
	if len(layers) == 0 {
		return base
	}
	s := &Stack{Base: base, Layers: layers, steps: make([]step, len(layers)), prog: sim.AsProgressive(base),
		learner: -1}
	if s.meter, _ = base.(meter); s.prog != nil {
		s.meter = s.prog
	}
	differ, differs := base.(sim.Variability)
	for i, l := range layers {
		at := &s.steps[i]
		at.layer = l
		at.asks, _ = l.(Asker)
		if at.learns, _ = l.(Learner); at.learns != nil {
			s.learner = i
		}
		if at.clock, _ = l.(Clock); at.clock != nil {
			s.clocks = true
		}
		if own, is := l.(sim.Variability); is {
			differ, differs = own, true
		}
		if over, is := l.(Inquirer); is {
			over.Over(New(base, layers[:i]...))
		}
	}
	if s.prog != nil || s.learner >= 0 || s.clocks {
		s.side = &progressive{s}
	}
	links, coupled := base.(sim.Coupled)
	switch {
	case coupled && differs:
		return &linkedVaried{linked{s, links}, differ}
	case coupled:
		return &linked{s, links}
	case differs:
		return &varied{s, differ}
	}
	return s
}

// Of gives the Stack that New made; false where a model is none.
func Of(m sim.SpeedModel) (*Stack, bool) {
	of, ok := m.(interface{ stack() *Stack })
	if !ok {
		return nil, false
	}
	return of.stack(), true
}

// stack is the model itself, whatever it has beside.
func (s *Stack) stack() *Stack { return s }

// Speed implements sim.SpeedModel.
func (s *Stack) Speed(q *sim.Query) (sim.Speed, error) {
	var err error
	if s.got, err = s.Base.Speed(s.down(q)); err != nil || len(q.GPUs) == 0 {
		return s.got, err
	}
	for i := range s.steps {
		at := &s.steps[i]
		at.layer.Answer(at.asked, &s.got)
	}
	return s.got, nil
}

// down gives each layer its question and returns the bottom's. They are valid until the next call.
func (s *Stack) down(q *sim.Query) *sim.Query {
	for i := len(s.steps) - 1; i >= 0; i-- {
		at := &s.steps[i]
		at.asked = q
		if at.asks != nil && len(q.GPUs) > 0 {
			at.below = *q
			q = &at.below
			at.asks.Ask(q)
		}
	}
	return q
}
