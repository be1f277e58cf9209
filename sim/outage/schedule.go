package outage

import "tarry/sim"

// Schedule is a fixed list of outages in time order.
type Schedule []sim.Outage

type scheduled struct {
	list Schedule
	next int
}

// Source gives the schedule as a source.
func (s Schedule) Source() sim.Outages { return &scheduled{list: s} }

func (s *scheduled) Next() (sim.Outage, bool) {
	if s.next >= len(s.list) {
		return sim.Outage{}, false
	}
	s.next++
	return s.list[s.next-1], true
}

func (s *scheduled) Clone() sim.Outages { c := *s; return &c }
