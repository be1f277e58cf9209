package dally

import (
	"math"

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
	now float64
	// settling are the contests put off, in time order.
	settling []float64
	moments  []moment
}

// moment is one event on the float clock.
type moment struct {
	at float64
	ev sim.Event
}

// chunk is the time of one chunk, in seconds, and how many a grant lasts: to the last stop in the
// lease if the lease would end before Chunk more iterations of the whole gang are done (early), else
// to the first stop after it.
func (p *Policy) chunk(v *sim.View, j sim.JobID, gpus []cluster.GPU) (chunkS float64, n float64, early bool) {
	t, s := v.IterS(j), v.Predict(j, gpus)
	if !(t > 0) || !(s.Rate > 0) {
		return 0, 0, false
	}
	chunkS = t / (s.Rate / float64(len(gpus))) * p.cfg.Chunk
	n = math.Floor(p.cfg.LeaseS / chunkS)
	rest := p.cfg.LeaseS - float64(n*chunkS)
	if early = n >= 1 && rest*float64(len(gpus)) < chunkS; !early {
		n++
	}
	return chunkS, n, early
}

// hold is the length of a grant in whole chunks; a lease when iterations are not known.
func (p *Policy) hold(v *sim.View, j sim.JobID, gpus []cluster.GPU) sim.Time {
	chunkS, n, early := p.chunk(v, j, gpus)
	if n == 0 {
		return p.lease
	}
	left := math.Ceil(v.Left(j)/1e6/v.IterS(j)/(p.cfg.Chunk*float64(len(gpus))) - 1e-6)
	ends := left <= n // with the work, not with the lease
	if p.shadow != nil {
		p.shadow.grant(j, chunkS, min(n, left), early && !ends)
	}
	if ends {
		return 0
	}
	return sim.Seconds(float64(n * chunkS))
}

// grant notes when a grant of n chunks ends on the float clock, adding chunk by chunk as the original does.
func (s *shadow) grant(j sim.JobID, chunkS, n float64, early bool) {
	at := s.now
	for range int(n) {
		at += chunkS
		s.run[j] += chunkS
	}
	if s.end[j] = at; early {
		s.end[j] = -at
	}
}

// decideByShadow takes the events of an instant apart by the float clock; those at the same float time
// are one contest.
func (p *Policy) decideByShadow(v *sim.View, out []sim.Decision) []sim.Decision {
	s := p.shadow
	s.moments = s.moments[:0]
	for _, ev := range v.Events() {
		at := v.Now().Seconds()
		switch ev.Kind {
		case sim.Timer:
			p.wakeAt = sim.Never
			if len(s.settling) > 0 && sim.Seconds(s.settling[0]) <= v.Now() {
				continue
			}
		case sim.Expire, sim.Finish:
			if e := math.Abs(s.end[ev.Job]); e > 0 {
				at = e
			}
		}
		s.insert(moment{at, ev})
	}
	for len(s.settling) > 0 && sim.Seconds(s.settling[0]) <= v.Now() {
		s.insert(moment{s.settling[0], sim.Event{Kind: sim.Timer, Job: sim.NoJob}})
		s.settling = s.settling[:copy(s.settling, s.settling[1:])]
	}
	for i := 0; i < len(s.moments); {
		due := false
		for s.now = s.moments[i].at; i < len(s.moments) && s.moments[i].at == s.now; i++ {
			due = p.hearMoment(v, s.moments[i].ev) || due
		}
		if due {
			out = p.round(v, out)
		} else {
			out = p.reopen(v, out)
			p.expired = p.expired[:0]
		}
	}
	return out
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
		p.putOff(v.GPUs(ev.Job))
		return false
	case sim.Expire:
		if p.shadow.end[ev.Job] < 0 {
			return true
		}
		p.putOff(v.GPUs(ev.Job))
		return false
	}
	return true
}

// putOff delays the contest for GPUs that came free. They are free all the while: a contest for another
// reason may give them away before.
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

// sensitivity is the order's key as the original computes it, rounding and all: jobs that are
// equal on paper are told apart by the last bits there too.
func (s *shadow) sensitivity(v *sim.View, j sim.JobID) float64 {
	run := s.run[j]
	if run == 0 {
		return 0
	}
	total := float64(v.Iterations(j))
	left := math.Max(0, total-math.Round((v.Work(j)-v.Left(j))/1e6/v.IterS(j)))
	ideal := v.IterS(j) * total / v.Width(j)
	return (1 - left/total) / (run / ideal)
}
