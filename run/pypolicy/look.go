package pypolicy

import (
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/know"
)

// NewLook gives a session that reads the state of a run between calls and decides nothing.
func NewLook(knows know.Set) *Session {
	s := newSession(0, knows, 0)
	s.looks, s.waiting.steady = true, false
	s.mu.Unlock()
	return s
}

// Look opens the session on a state. What the caller read before belongs to the state before.
func (s *Session) Look(v *sim.View) {
	s.view, s.out = v, nil
	s.waiting.jobs, s.running.jobs = s.waiting.jobs[:0], append(s.running.jobs[:0], v.Running()...)
	slices.Sort(s.running.jobs)
	for j, left := sim.JobID(0), v.Waiting(); left > 0 && int(j) < v.NumJobs(); j++ {
		if v.Run(j).State() == sim.Waiting {
			s.waiting.jobs = append(s.waiting.jobs, j)
			left--
		}
	}
}

// reads reports the operations that decide nothing and follow no decisions.
func reads(op int) bool {
	return slices.Contains([]int{opHeader, opColumn, opOf, opNames, opIDs, opEvents, opHeld, opPredict, opFree, opShares,
		opDescribe, opHistory, opPrices, opMachines}, op)
}

// errLooks is the answer to decisions on a state that is only looked at.
var errLooks = fmt.Errorf("this view shows the state of an environment, expected decisions by actions of its step")
