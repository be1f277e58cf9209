package speed

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Counting ignores placement: rate is the number of GPUs, and all time is compute.
type Counting struct{ clocks clocks }

// NewCounting gives the model; ts may be nil.
func NewCounting(t *cluster.Topology, ts Types) *Counting {
	return &Counting{newClocks(t, ts)}
}

// Speed never fails.
func (c *Counting) Speed(q *sim.Query) (sim.Speed, error) {
	return rate(q, 1, c.clocks.slowest(q.GPUs)), nil
}

// Slowdowns gives, per level of an allocation, how many times longer an iteration
// takes than its compute; >= 1. The index is a cluster.Level.
type Slowdowns [cluster.LevelCluster + 1]float64

// DefaultSlowdowns are round figures of ours for a model of average size: nothing
// inside a machine, 1.2 in a rack, 1.5 across racks.
func DefaultSlowdowns() Slowdowns { return Slowdowns{1, 1, 1, 1.2, 1.5} }

// Validate reports every value below 1.
func (s Slowdowns) Validate() error {
	var errs []error
	for l, v := range s {
		if !(v >= 1) || math.IsInf(v, 0) {
			errs = append(errs, fmt.Errorf("slowdown at level %s is %v, expected a number >= 1", cluster.Level(l), v))
		}
	}
	return errors.Join(errs...)
}

// Tiers slows a job by the level of its allocation, per model.
type Tiers struct {
	clocks clocks
	topo   *cluster.Topology
	other  Slowdowns
	models map[string]Slowdowns
}

// NewTiers gives the model: byModel (may be nil; names count without case) for the models it
// lists, other for the rest. All faults are reported at once.
func NewTiers(t *cluster.Topology, other Slowdowns, byModel map[string]Slowdowns, ts Types) (*Tiers, error) {
	errs := []error{other.Validate(), ts.Validate()}
	m := make(map[string]Slowdowns, 2*len(byModel))
	for name, s := range byModel {
		if err := s.Validate(); err != nil {
			errs = append(errs, fmt.Errorf("model %q: %w", name, err))
		}
		m[strings.ToLower(name)] = s
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return &Tiers{newClocks(t, ts), t, other, m}, nil
}

// Speed never fails.
func (m *Tiers) Speed(q *sim.Query) (sim.Speed, error) {
	s, ok := m.models[q.Job.Model]
	if !ok {
		if s, ok = m.models[strings.ToLower(q.Job.Model)]; !ok {
			s = m.other
		}
		m.models[q.Job.Model] = s
	}
	return rate(q, 1/s[m.topo.LevelOf(q.GPUs)], m.clocks.slowest(q.GPUs)), nil
}
