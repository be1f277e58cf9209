package speed

import (
	"errors"
	"fmt"
	"math"
)

// Share is how jobs that meet on a link divide it.
type Share uint8

// The ways. The zero value is ShareFair.
const (
	// ShareFair: max-min fairly; a job that crosses a link asks for all of it.
	ShareFair Share = iota
	// ShareWeight: weighted max-min, by the knob LinkWeight.
	ShareWeight
	// ShareCount: a job gets 1/(k + (k-1) alpha) of its links, k = the jobs on its busiest one.
	ShareCount
	// ShareTurns: a job asks only for the part of the time that it communicates when alone, as if
	// jobs took perfect turns: each transfer has the whole link, and a job that gets less than it
	// asks waits for its turn, with all of its iteration.
	ShareTurns
	// ShareLevel: as ShareTurns, but jobs of a higher LinkLevel take what they ask first, and within
	// a level by LinkWeight. A job for which nothing is left stands still.
	ShareLevel
)

// Shares lists the names of the ways in their order.
func Shares() []string { return []string{"fair", "weight", "count", "turns", "level"} }

// Contention states what jobs do to one another's links.
type Contention struct {
	// Rack and Network are the parts of the machines' and of the racks' uplinks that
	// other traffic takes, in [0, 1); 0 = none.
	Rack, Network float64
	// Share is how links are divided.
	Share Share
	// Phase plays the iterations of jobs that share links (package phased), where Share is
	// ShareFair, ShareWeight or ShareLevel: a transfer takes what its level, weight and the other
	// transfers of that moment leave. Groups above phased.MaxJobs take turns.
	Phase bool
	// Alpha is ShareCount's loss for each job more on a link, in units of the time that a transfer
	// takes alone; >= 0.
	Alpha float64
}

// turns reports whether jobs ask for a part of the time, not of the bandwidth.
func (c *Contention) turns() bool { return c.Phase || c.Share == ShareTurns || c.Share == ShareLevel }

func (c *Contention) validate() error {
	var errs []error
	for _, v := range [...]struct {
		at   string
		part float64
	}{{"rack", c.Rack}, {"network", c.Network}} {
		if !(v.part >= 0 && v.part < 1) {
			errs = append(errs, fmt.Errorf("background congestion at level %s is %v, expected 0 <= part < 1", v.at,
				v.part))
		}
	}
	if !(c.Alpha >= 0) || math.IsInf(c.Alpha, 0) {
		errs = append(errs, fmt.Errorf("alpha is %v, expected a finite number >= 0", c.Alpha))
	}
	if c.Phase && (c.Share == ShareCount || c.Share == ShareTurns) {
		errs = append(errs, fmt.Errorf("phases with share %s, expected fair, weight or level", Shares()[c.Share]))
	}
	return errors.Join(errs...)
}
