// Package typespeed makes the speed of a GPU type depend on the model: some gain more from a faster
// GPU than others.
//
// Layer is a layer over a speed model without types (package stack). It sets the clock, which the
// common rule of sim/speed calls c: compute is as fast as the job's slowest GPU for its model, and
// exposed communication is as it was.
package typespeed

import (
	"fmt"
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	named "tarry/sim/models"
)

// Layer is the stack.Layer. It belongs to one run.
type Layer struct {
	topo   *cluster.Topology
	other  map[string]float64
	models map[string]map[string]float64 // by models.Key
	rows   map[string][]float64          // by a job's model: the speed on each machine
}

// New makes the layer for a cluster. Speeds are > 0 and relative to the reference type: models
// (names meet as named.Key has it) has the speeds of single models by model and type, other the
// speeds of the rest by type; a type that neither has runs at 1.
func New(t *cluster.Topology, other map[string]float64, models map[string]map[string]float64) (*Layer, error) {
	l := &Layer{topo: t, other: other, models: map[string]map[string]float64{}, rows: map[string][]float64{}}
	if err := positive("other models", other); err != nil {
		return nil, err
	}
	for name, types := range models {
		if err := positive(name, types); err != nil {
			return nil, err
		}
		l.models[named.Key(name)] = types
	}
	return l, nil
}

// positive reports a speed that is not a number > 0.
func positive(model string, types map[string]float64) error {
	for name, v := range types {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("speed of %s on GPU type %q is %v, expected a number > 0", model, name, v)
		}
	}
	return nil
}

// row gives the speed on each machine.
func (l *Layer) row(model string) []float64 {
	if row, ok := l.rows[model]; ok {
		return row
	}
	own := l.models[named.Key(model)]
	row := make([]float64, l.topo.Machines())
	for i := range row {
		typ := l.topo.Type(i)
		v, ok := own[typ]
		if !ok {
			v, ok = l.other[typ]
		}
		if !ok {
			v = 1
		}
		row[i] = v
	}
	l.rows[model] = row
	return row
}

// Ask sets the clock to the job's slowest GPU's.
func (l *Layer) Ask(q *sim.Query) {
	row, slowest := l.row(q.Job.Model), math.Inf(1)
	for _, g := range q.GPUs {
		slowest = min(slowest, row[l.topo.Machine(g)])
	}
	if q.FreqFrac > 0 {
		slowest *= q.FreqFrac
	}
	q.FreqFrac = slowest
}

// Answer leaves the speed as it is.
func (l *Layer) Answer(*sim.Query, *sim.Speed) float64 { return 1 }
