package dally

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// The authors' simulator runs a job in chunks of 1000 iterations per GPU, and looks at the
// lease only between two chunks. It also puts off the contest for GPUs that came free by a
// second for each (but not for those given back before their lease ended), and keeps its
// clock in floating point: two jobs that end at the same time on paper often differ in the
// last bits there, and are then two contests instead of one. shadow keeps that clock beside
// the kernel's, so that runs can be compared job by job.
type shadow struct {
	// end is, per job, when its present grant ends on the float clock, in seconds; negative when
	// the GPUs are given back before the lease ends.
	end []float64
	// run is, per job, the time run so far, added chunk by chunk.
	run []float64
	// service is, per job, the GPU-time attained, added in the same way.
	service []float64
	// turn is, per job, its place in the order of ids, whatever the submits.
	turn []int32
	now  float64
	// settling are the contests put off, in time order.
	settling []float64
	moments  []moment
	// held are, per job, the GPUs of the grant that ends with its work; early are the jobs that
	// have ended on the kernel's clock, by microseconds, but not yet on the float clock: their GPUs
	// are not contested before.
	held  [][]cluster.GPU
	early []sim.JobID
	// ending are the jobs whose grants end with their work.
	ending []sim.JobID
}

func newShadow(v *sim.View) *shadow {
	n := v.NumJobs()
	s := &shadow{end: make([]float64, n), run: make([]float64, n), service: make([]float64, n), turn: make([]int32, n),
		held: make([][]cluster.GPU, n)}
	ids := make([]string, n)
	order := make([]sim.JobID, n)
	for j := range order {
		order[j] = sim.JobID(j)
		ids[j] = v.Job(order[j]).Public().ID
	}
	slices.SortFunc(order, func(a, b sim.JobID) int { return sim.CompareID(ids[a], ids[b]) })
	for i, j := range order {
		s.turn[j] = int32(i)
	}
	return s
}

// moment is one event on the float clock.
type moment struct {
	at float64
	ev sim.Event
}

// decideByShadow takes the events of an instant apart by the float clock; those at the same float
// time are one contest.
func (p *Policy) decideByShadow(v *sim.View, out []sim.Decision) []sim.Decision {
	s := p.shadow
	for _, ev := range v.Events() {
		at := v.Now().Seconds()
		switch ev.Kind {
		case sim.Timer:
			if len(s.settling) > 0 && sim.Seconds(s.settling[0]) <= v.Now() {
				continue
			}
		case sim.Expire, sim.Finish:
			if e := math.Abs(s.end[ev.Job]); e > 0 {
				at = e
			}
			if ev.Kind == sim.Finish {
				s.early = append(s.early, ev.Job)
			}
		}
		s.insert(moment{at, ev})
	}
	for len(s.settling) > 0 && sim.Seconds(s.settling[0]) <= v.Now() {
		s.insert(moment{s.settling[0], sim.Event{Kind: sim.Timer, Job: sim.NoJob}})
		s.settling = s.settling[:copy(s.settling, s.settling[1:])]
	}
	s.keepEarly(v)
	i := 0
	for i < len(s.moments) && !s.late(v, s.moments[i].at) {
		due := false
		for s.now = s.moments[i].at; i < len(s.moments) && s.moments[i].at == s.now; i++ {
			due = p.hearMoment(v, s.moments[i].ev) || due
		}
		s.freeEarly(v)
		if due {
			out = p.round(v, out)
		} else {
			out = p.reopen(v, out)
			p.expired = p.expired[:0]
		}
	}
	s.moments = s.moments[:copy(s.moments, s.moments[i:])]
	return out
}

// lateS is by how much a job may end later on the kernel's clock than on the float clock, in
// seconds.
const lateS = 1e-3

// late reports whether a job that has ended by a time of the float clock still runs, by
// microseconds, on the kernel's: what happens at that time has to wait for it.
func (s *shadow) late(v *sim.View, at float64) bool {
	for i := 0; i < len(s.ending); i++ {
		switch j := s.ending[i]; {
		case v.Run(j).State() != sim.Running || v.Now().Seconds() > s.end[j]+lateS:
			n := len(s.ending) - 1
			s.ending[i] = s.ending[n]
			s.ending = s.ending[:n]
			i--
		case s.end[j] <= at:
			return true
		}
	}
	return false
}

// keepEarly takes the GPUs of jobs that have ended early from what is free, until freeEarly gives
// them back.
func (s *shadow) keepEarly(v *sim.View) {
	for _, j := range s.early {
		n := 0
		for _, g := range s.held[j] {
			if v.Free().Has(g) { // it may have failed
				v.Free().Take(g)
				s.held[j][n] = g
				n++
			}
		}
		s.held[j] = s.held[j][:n]
	}
}

// freeEarly gives back the GPUs of those that have ended on the float clock, too.
func (s *shadow) freeEarly(v *sim.View) {
	n := 0
	for _, j := range s.early {
		if s.end[j] > s.now {
			s.early[n] = j
			n++
			continue
		}
		for _, g := range s.held[j] {
			v.Free().Release(g)
		}
	}
	s.early = s.early[:n]
}

// insert keeps moments sorted by time; among equals the order of arrival stays.
func (s *shadow) insert(m moment) {
	i := len(s.moments)
	s.moments = append(s.moments, m)
	for ; i > 0 && s.moments[i-1].at > m.at; i-- {
		s.moments[i] = s.moments[i-1]
	}
	s.moments[i] = m
}

// hearMoment takes in one event and reports whether it calls for a contest at once.
func (p *Policy) hearMoment(v *sim.View, ev sim.Event) bool {
	p.hear(v, ev)
	switch ev.Kind {
	case sim.Finish:
		p.putOff(v.Job(ev.Job).GPUs())
		return false
	case sim.Expire:
		if p.shadow.end[ev.Job] < 0 && p.cfg.Early == EarlyNow {
			return true
		}
		p.putOff(v.Job(ev.Job).GPUs())
		return false
	}
	return true
}

// putOff delays the contest for GPUs that came free. They are free all the while: a contest for
// another reason may give them away before.
func (p *Policy) putOff(gpus int) {
	s := p.shadow
	at := s.now + float64(p.cfg.SettleS*float64(gpus))
	i := len(s.settling)
	s.settling = append(s.settling, at)
	for ; i > 0 && s.settling[i-1] > at; i-- {
		s.settling[i] = s.settling[i-1]
	}
	s.settling[i] = at
}
