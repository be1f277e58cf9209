package powerflow

import (
	"tarry/sim"
)

// account has the energy of the work done since the beginning, in joules.
type account struct {
	spent float64 // by the tables, with the choices that jobs had
	asked float64 // on the GPUs asked for at the highest clock
}

// settle books the work that a job has done since the last decision. Work that a fault has undone is paid
// for again, and is asked for again.
func (a *account) settle(m *member, left float64) {
	if done := m.table.Work - left; m.runs && done > 0 {
		_, _, e := m.table.At(m.has)
		a.spent += float64(done * e)
		a.asked += float64(done * m.asked)
	}
	m.table.Work = left
}

// allows is the energy that work which is left may take, of which asked is what it takes on the GPUs asked
// for at the highest clock.
func (a *account) allows(c *config, asked float64) float64 {
	return min(float64(c.part*(a.asked+asked)), float64(c.kwh*3.6e6)) - a.spent
}

// units is a job's work that is left, in seconds of one reference GPU.
func units(v *sim.View, j sim.JobID) float64 { return max(0, v.Run(j).Left()) / 1e6 }
