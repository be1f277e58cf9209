package power

import (
	"errors"
	"fmt"
	"tarry/sim/series"
)

// State is what a machine does.
type State uint8

// The states. Each run begins with all machines on.
const (
	// On: jobs may run.
	On State = iota
	// Stopping: no jobs any more; it draws what an idle machine does and is off after Spec.DownS.
	Stopping
	// Off: no jobs.
	Off
	// Booting: no jobs yet.
	Booting
)

// String is the state's name in lower case.
func (s State) String() string { return [...]string{"on", "stopping", "off", "booting"}[s] }

// Model is what the machines of a run draw and what energy costs. It does not change during a run and
// may be held by several.
type Model struct {
	// Specs are the types of machines, Of the index in Specs of each machine.
	Specs []Spec
	Of    []int32
	// Price is in money per kWh, Carbon in grams per kWh, Cap the most that the cluster should draw, in
	// watts; nil = none is stated. The kernel lets no draw fail a Cap: policies keep it.
	Price, Carbon, Cap *series.Series
	// JobUtil takes the use of GPUs from the jobs that state it (sim.Job.GPUUtilFrac), in place of the
	// part of the time in which the job computes.
	JobUtil bool
}

// Spec is what a machine draws.
func (m *Model) Spec(machine int) *Spec { return &m.Specs[m.Of[machine]] }

// Series gives the series that are stated.
func (m *Model) Series(yield func(*series.Series) bool) {
	for _, s := range [...]*series.Series{m.Price, m.Carbon, m.Cap} {
		if s != nil && !yield(s) {
			return
		}
	}
}

// Validate reports every fault of a model of so many machines.
func (m *Model) Validate(machines int) error {
	var errs []error
	for i := range m.Specs {
		errs = append(errs, m.Specs[i].Validate())
	}
	if len(m.Of) != machines {
		errs = append(errs, fmt.Errorf("power: specs of %d machines, expected %d", len(m.Of), machines))
	}
	for i, s := range m.Of {
		if s < 0 || int(s) >= len(m.Specs) {
			errs = append(errs, fmt.Errorf("power: machine %d has spec %d, expected 0..%d", i, s, len(m.Specs)-1))
			break
		}
	}
	for s := range m.Series {
		errs = append(errs, s.Validate())
	}
	return errors.Join(errs...)
}
