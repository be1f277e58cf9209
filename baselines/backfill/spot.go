package backfill

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// Spot keeps GPUs for a waiting job where a rule of places (package places) states which GPUs a job
// may have: the GPUs that it can have at the earliest expected end of a running job. The zero value
// has no rule and keeps nothing.
type Spot struct {
	Put    plan.Put // the rule; nil = any GPUs, and no other method is of use
	whole  bool     // a job of several machines needs wholly free ones
	gpus   []cluster.GPU
	at     sim.Time
	grants []sim.Decision // starts of the instant at, which the view does not show yet
	looks  []look
	all    plan.Demand // of a GPU
}

// look is what a decision has learned of a demand.
type look struct {
	demand     *plan.Demand
	none, late bool // no job of the demand has a place now, or none that takes no kept GPU
	asked      bool
	at         sim.Time // when one has a place, if it was asked
}

// NewSpot makes one for a rule.
func NewSpot(where places.Rule) Spot { return Spot{Put: where.Put(), whole: where.Whole()} }

// Open begins a look at the waiting jobs: nothing is kept, and what was learned of demands is
// forgotten.
func (s *Spot) Open() { s.gpus, s.looks = s.gpus[:0], s.looks[:0] }

// Kept are the GPUs that are kept; they belong to the Spot.
func (s *Spot) Kept() []cluster.GPU { return s.gpus }

// Granted notes a start of this decision.
func (s *Spot) Granted(v *sim.View, d sim.Decision) {
	if s.Put == nil {
		return
	}
	if s.at != v.Now() {
		s.at, s.grants = v.Now(), s.grants[:0]
	}
	s.grants = append(s.grants, d)
}

// Keep keeps the GPUs that a job can have at the earliest end of a running job at which it can have
// any, in place of those kept before, and gives that end; with soon, now where it can have them
// now; sim.Never when it can at none. Where the rule asks for wholly free machines it keeps these.
func (s *Spot) Keep(v *sim.View, p *plan.Placer, q *plan.Queue, ends *Ends, j sim.JobID, soon bool) sim.Time {
	at, gpus := s.find(v, p, q, ends, j, soon)
	s.gpus = s.gpus[:0]
	t := v.Topology()
	if !s.whole || len(gpus) == 0 || t.LevelOf(gpus) <= cluster.LevelMachine {
		s.gpus = append(s.gpus, gpus...)
		return at
	}
	for i, g := range gpus {
		if m := t.Machine(g); i == 0 || t.Machine(gpus[i-1]) != m {
			for lo, hi := t.MachineGPUs(m); lo < hi; lo++ {
				s.gpus = append(s.gpus, lo)
			}
		}
	}
	return at
}

// When is what Keep gives, for any job of a job's demand; nothing is kept. A decision looks once
// for each demand.
func (s *Spot) When(v *sim.View, p *plan.Placer, q *plan.Queue, ends *Ends, j sim.JobID, soon bool) sim.Time {
	l := s.look(q.Demand(j))
	if !l.asked {
		l.asked = true
		l.at, _ = s.find(v, p, q, ends, j, soon)
	}
	return l.at
}

// find is when a job can have GPUs, and which: valid until the next choice.
func (s *Spot) find(v *sim.View, p *plan.Placer, q *plan.Queue, ends *Ends, j sim.JobID, soon bool) (sim.Time,
	[]cluster.GPU) {
	d := q.Demand(j)
	if soon {
		if gpus, ok := p.Try(s.Put, v, j, d); ok {
			return v.Now(), gpus
		}
	}
	var gpus []cluster.GPU
	gone, end, ok := 0, sim.Never, false
	for x := range ends.All() {
		if gone > 0 && x.At > end { // what ends together is free together
			if gpus, ok = p.Try(s.Put, v, j, d); ok {
				break
			}
		}
		p.Unplan(v, s.held(v, x.Job), q.Demand(x.Job))
		end = x.At
		gone++
	}
	if !ok && gone > 0 {
		gpus, ok = p.Try(s.Put, v, j, d)
	}
	if !ok {
		end = sim.Never
	}
	for x := range ends.All() {
		if gone--; gone < 0 {
			break
		}
		p.Plan(v, s.held(v, x.Job), q.Demand(x.Job))
	}
	return end, gpus
}

// held is what a job holds, one that starts at this instant too.
func (s *Spot) held(v *sim.View, j sim.JobID) []cluster.GPU {
	if s.at == v.Now() {
		for i := range s.grants {
			if s.grants[i].Job == j {
				return s.grants[i].GPUs
			}
		}
	}
	return v.Run(j).Held()
}

// Start starts a waiting job by the rule if it has a place, one that is late on no GPU that is
// kept; q has it no more then.
func (s *Spot) Start(v *sim.View, p *plan.Placer, q *plan.Queue, j sim.JobID, late bool,
	out []sim.Decision) []sim.Decision {
	if late && len(s.gpus) > 0 { // kept GPUs are wholly in use for it
		s.all = plan.Demand{GPUs: 1, ShareMilli: 1000}
		p.Plan(v, s.gpus, &s.all)
		out = plan.Start(v, q, p, s.Put, j, out)
		p.Unplan(v, s.gpus, &s.all)
	} else {
		out = plan.Start(v, q, p, s.Put, j, out)
	}
	if !q.Has(j) {
		s.Granted(v, out[len(out)-1])
	} else if s.Put != nil {
		l := s.look(q.Demand(j))
		l.late, l.none = true, l.none || !late
	}
	return out
}

// StartOnce is Start, but a decision tries a demand until one of its jobs has no place.
func (s *Spot) StartOnce(v *sim.View, p *plan.Placer, q *plan.Queue, j sim.JobID, late bool,
	out []sim.Decision) []sim.Decision {
	if l := s.look(q.Demand(j)); l.none || late && l.late {
		return out
	}
	return s.Start(v, p, q, j, late, out)
}

// Late reports whether a late job of a demand was tried and had no place, so that only others of
// the demand may have one.
func (s *Spot) Late(d *plan.Demand) bool { return s.look(d).late }

func (s *Spot) look(d *plan.Demand) *look {
	for i := range s.looks {
		if s.looks[i].demand == d {
			return &s.looks[i]
		}
	}
	s.looks = append(s.looks, look{demand: d})
	return &s.looks[len(s.looks)-1]
}

// Clone gives an independent copy between two decisions.
func (s *Spot) Clone() Spot { return Spot{Put: s.Put, whole: s.whole} }

// Reused is a clone of o in the memory of s.
func (s *Spot) Reused(o *Spot) Spot {
	return Spot{Put: o.Put, whole: o.whole, gpus: s.gpus[:0], grants: s.grants[:0], looks: s.looks[:0]}
}
