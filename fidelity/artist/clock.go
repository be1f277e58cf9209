package artist

import (
	"math"
	"slices"

	"tarry/baselines/contest"
	"tarry/internal/natural"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Clock keeps the clock of the authors' simulator beside the kernel's, so that runs can be compared
// job by job. It is a contest.Clock; build it with Habits.Clock.
type Clock struct {
	chunks
	order string // name of the order
	// settleS and rounded are as in Habits.
	settleS float64
	rounded bool
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

// Start makes room for the jobs of a run.
func (s *Clock) Start(v *sim.View) {
	n := v.NumJobs()
	s.end, s.run, s.service = make([]float64, n), make([]float64, n), make([]float64, n)
	s.turn, s.held = make([]int32, n), make([][]cluster.GPU, n)
	ids := make([]string, n)
	order := make([]sim.JobID, n)
	for j := range order {
		order[j] = sim.JobID(j)
		ids[j] = v.Job(order[j]).Public().ID
	}
	slices.SortFunc(order, func(a, b sim.JobID) int { return natural.Compare(ids[a], ids[b]) })
	for i, j := range order {
		s.turn[j] = int32(i)
	}
}

// Copied gives an independent copy.
func (s *Clock) Copied() contest.Clock {
	c := *s
	c.end, c.run, c.service = slices.Clone(s.end), slices.Clone(s.run), slices.Clone(s.service)
	c.settling, c.moments = slices.Clone(s.settling), slices.Clone(s.moments)
	c.early, c.ending = slices.Clone(s.early), slices.Clone(s.ending)
	c.held = make([][]cluster.GPU, len(s.held))
	for j, gpus := range s.held {
		c.held[j] = slices.Clone(gpus)
	}
	return &c
}

// Enter has ties go by the clock, then by the order of ids.
func (s *Clock) Enter(e contest.Entry) contest.Entry {
	// bits of floats >= 0 are in their order
	e.Turn, e.SinceS, e.Tie = s.turn[e.Job], s.now, sim.Time(math.Float64bits(s.now))
	return e
}

// Waited reports whether a contestant has waited for so long by the clock.
func (s *Clock) Waited(e *contest.Entry, timer sim.Time) bool {
	return s.now-e.SinceS >= timer.Seconds()
}

// recorder is a source of timers that takes waits in leases.
type recorder interface {
	Record(demand int, l cluster.Level, leases float64, now sim.Time)
}

// Accepted reports a wait by the clock to the auto-tuner; other timers hear of the kernel's.
func (s *Clock) Accepted(by plan.TimerSource, gpus int, l cluster.Level, e contest.Entry, now sim.Time) {
	if t, ok := by.(recorder); ok {
		t.Record(gpus, l, (s.now-e.SinceS)/s.leaseS, now)
		return
	}
	by.Accepted(gpus, l, now-e.Since, now)
}

// Next is when a contest that was put off is due, or an event of the clock.
func (s *Clock) Next(now sim.Time) sim.Time {
	at := sim.Never
	if len(s.settling) > 0 {
		at = min(at, max(now+1, sim.Seconds(s.settling[0])))
	}
	if len(s.moments) > 0 {
		at = min(at, max(now+sim.Seconds(2*lateS), sim.Seconds(s.moments[0].at))) // a moment may be to come
	}
	return at
}

// Busy reports whether GPUs wait to be contested.
func (s *Clock) Busy() bool { return len(s.settling) > 0 }

// moment is one event on the float clock.
type moment struct {
	at float64
	ev sim.Event
}

// Decide takes the events of an instant apart by the float clock; those at the same float
// time are one contest.
func (s *Clock) Decide(p *contest.Policy, v *sim.View, out []sim.Decision) []sim.Decision {
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
			due = s.hear(p, v, s.moments[i].ev) || due
		}
		s.freeEarly(v)
		if due {
			out = p.Round(v, out)
		} else {
			out = p.PutUp(v, out)
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
func (s *Clock) late(v *sim.View, at float64) bool {
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
func (s *Clock) keepEarly(v *sim.View) {
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

// freeEarly gives back the GPUs of jobs that have ended on the float clock, too.
func (s *Clock) freeEarly(v *sim.View) {
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
func (s *Clock) insert(m moment) {
	i := len(s.moments)
	s.moments = append(s.moments, m)
	for ; i > 0 && s.moments[i-1].at > m.at; i-- {
		s.moments[i] = s.moments[i-1]
	}
	s.moments[i] = m
}

// hear takes in one event and reports whether it calls for a contest at once.
func (s *Clock) hear(p *contest.Policy, v *sim.View, ev sim.Event) bool {
	p.Hear(v, ev)
	switch ev.Kind {
	case sim.Finish:
		s.putOff(v.Job(ev.Job).GPUs())
		return false
	case sim.Expire:
		if s.end[ev.Job] < 0 && s.when == EarlyNow {
			return true
		}
		s.putOff(v.Job(ev.Job).GPUs())
		return false
	}
	return true
}

// putOff delays the contest for GPUs that came free. They are free all the while: a contest for
// another reason may give them away before.
func (s *Clock) putOff(gpus int) {
	at := s.now + float64(s.settleS*float64(gpus))
	i := len(s.settling)
	s.settling = append(s.settling, at)
	for ; i > 0 && s.settling[i-1] > at; i-- {
		s.settling[i] = s.settling[i-1]
	}
	s.settling[i] = at
}
