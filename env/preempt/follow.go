package preempt

import (
	"errors"
	"fmt"
	"strings"

	"tarry/sim"
	"tarry/sim/know"
)

// orders are the preemptive queue orders that can be followed: smaller goes first.
func orders(name string) func(v *sim.View, j sim.JobID) float64 {
	switch name {
	case "srtf":
		return func(v *sim.View, j sim.JobID) float64 { return v.Run(j).Left() / v.Job(j).Width() }
	case "srsf":
		return func(v *sim.View, j sim.JobID) float64 { return v.Run(j).Left() }
	case "las":
		return func(v *sim.View, j sim.JobID) float64 { return float64(v.Run(j).Service()) }
	}
	return nil
}

// Follow names the baseline whose evictions are demonstrated: one with delay timers, which never
// evicts between leases, or srtf, srsf or las. Who follows srtf or srsf reads the work of jobs,
// whatever order is set and whatever the agent sees.
func (s *scheduler) Follow(baseline string) error {
	_, err := s.cfg.CheckBaseline(baseline, "srtf", "srsf", "las")
	name, _, settings := strings.Cut(baseline, ":")
	if name == "srtf" || name == "srsf" {
		s.knows |= know.Work
	}
	if s.order = orders(name); s.order != nil && settings {
		err = errors.Join(err, fmt.Errorf("%s is followed without settings, expected %s", baseline, name))
	}
	return err
}

// Demonstrate evicts the candidate that comes last in the baseline's order, if it comes after the
// blocked job and all such candidates together with what is free hold that job; else none. Of
// equals it is the first listed.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) {
	action[0] = 0
	if s.order == nil {
		return
	}
	own := s.order(v, s.blocked)
	last, room := own, v.Free().Total()
	need := v.Job(s.blocked).GPUs()
	if room+s.coming >= need {
		return // it has room, or will have: it waits for a better place
	}
	choice := 0
	for i, c := range s.list.jobs {
		key := s.order(v, c.id)
		if key <= own {
			continue
		}
		room += len(v.Run(c.id).Held())
		if key > last {
			last, choice = key, i+1
		}
	}
	if room+s.coming >= need {
		action[0] = float64(choice)
	}
}
