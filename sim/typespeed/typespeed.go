// Package typespeed makes the speed of a GPU type depend on the model: some gain more from a faster GPU than others.
//
// Model wraps a speed model that knows no types and sets its clock, which the common rule of sim/speed calls c: compute is as fast as
// the job's slowest GPU for its model, and exposed communication is as it was.
package typespeed

import (
	"fmt"
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	named "tarry/sim/models"
)

// Model is the sim.SpeedModel. It belongs to one run.
type Model struct {
	inner  sim.SpeedModel
	topo   *cluster.Topology
	other  map[string]float64
	models map[string]map[string]float64 // by models.Key
	rows   map[string][]float64          // by a job's model: the speed on each machine
	query  sim.Query
}

// New wraps inner. Speeds are > 0 and relative to the reference type: models (names meet as named.Key has it) has those of single models
// by model and type, other those of the rest by type; a type that neither has runs at 1. The result is sim.Coupled where inner is.
func New(inner sim.SpeedModel, t *cluster.Topology, other map[string]float64, models map[string]map[string]float64) (sim.SpeedModel, error) {
	m := &Model{inner: inner, topo: t, other: other, models: map[string]map[string]float64{}, rows: map[string][]float64{}}
	if err := positive("other models", other); err != nil {
		return nil, err
	}
	for name, types := range models {
		if err := positive(name, types); err != nil {
			return nil, err
		}
		m.models[named.Key(name)] = types
	}
	if c, ok := inner.(sim.Coupled); ok {
		return &coupled{m, sim.Linked{Links: c}}, nil
	}
	return m, nil
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
func (m *Model) row(model string) []float64 {
	if row, ok := m.rows[model]; ok {
		return row
	}
	own := m.models[named.Key(model)]
	row := make([]float64, m.topo.Machines())
	for i := range row {
		typ := m.topo.Type(i)
		v, ok := own[typ]
		if !ok {
			v, ok = m.other[typ]
		}
		if !ok {
			v = 1
		}
		row[i] = v
	}
	m.rows[model] = row
	return row
}

// clocked is the query with the clock of the job's slowest GPU; the next call overwrites it.
func (m *Model) clocked(q *sim.Query) *sim.Query {
	if len(q.GPUs) == 0 {
		return q
	}
	row, slowest := m.row(q.Job.Model), math.Inf(1)
	for _, g := range q.GPUs {
		slowest = min(slowest, row[m.topo.Machine(g)])
	}
	m.query = *q
	if q.FreqFrac > 0 {
		slowest *= q.FreqFrac
	}
	m.query.FreqFrac = slowest
	return &m.query
}

// Speed implements sim.SpeedModel.
func (m *Model) Speed(q *sim.Query) (sim.Speed, error) { return m.inner.Speed(m.clocked(q)) }

// coupled is Model over jobs that share links.
type coupled struct {
	*Model
	sim.Linked
}

// Place asks the links about the job as the model within is asked.
func (m *coupled) Place(q *sim.Query) error { return m.Linked.Place(m.clocked(q)) }
