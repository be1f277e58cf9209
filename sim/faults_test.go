package sim

// Schedule is Schedule, which imports this package.
type Schedule []Outage

type scheduled struct {
	list Schedule
	next int
}

// Source gives the schedule as a source.
func (s Schedule) Source() Outages { return &scheduled{list: s} }

func (s *scheduled) Next() (Outage, bool) {
	if s.next >= len(s.list) {
		return Outage{}, false
	}
	s.next++
	return s.list[s.next-1], true
}

func (s *scheduled) Clone() Outages { c := *s; return &c }
