package queueing

import (
	"cmp"
	"slices"

	"tarry/baselines/backfill"
	"tarry/sim"
)

// apart takes the events of an instant one at a time, with starts after each, as the program of
// Gaussier et al. does: first what arrives, then what ends, in order of the starts. Until a job's
// end is taken in its GPUs count as held, but GPUs of jobs that ended when they were expected to
// are free from the instant's first event on.
type apart struct {
	on    bool
	seq   []int64 // by job: when it started, in order
	last  int64
	ended []sim.JobID
}

const eventsParam = `events     together: an instant is decided once | apart: its events one at a time, first arrivals, then ends, as the program of
           Gaussier et al., SC 2015, does
`

// began notes a start.
func (a *apart) began(v *sim.View, j sim.JobID) {
	if !a.on {
		return
	}
	if n := v.NumJobs(); len(a.seq) != n {
		a.seq = make([]int64, n)
	}
	a.last++
	a.seq[j] = a.last
}

func (a *apart) clone() apart {
	c := *a
	c.seq, c.ended = slices.Clone(a.seq), nil
	return c
}

// eachEvent decides an instant event by event.
func (b *byScore) eachEvent(v *sim.View, out []sim.Decision) []sim.Decision {
	e := &b.easy
	e.place.Begin(v)
	e.late, b.apart.ended = 0, b.apart.ended[:0]
	for _, ev := range v.Events() {
		switch {
		case ev.Job == sim.NoJob:
		case backfill.Stopped(ev):
			e.ends.Drop(ev.Job)
		case ev.Kind == sim.Finish:
			b.apart.ended = append(b.apart.ended, ev.Job)
			if x, ok := e.ends.Drop(ev.Job); ok && x.At > v.Now() {
				e.late += e.queue.Demand(ev.Job).Milli()
				e.ends.Add(x.Job, x.Start, x.At)
			}
		}
	}
	e.ends.Extend(v.Now())
	served := false
	for _, ev := range v.Events() {
		if !b.enter(v, ev) {
			continue
		}
		if served = true; b.fill == fillShortest || e.queue.Demand(ev.Job).Milli() <= b.free(v) {
			out = b.serve(v, out)
		}
	}
	slices.SortFunc(b.apart.ended, func(x, y sim.JobID) int { return cmp.Compare(b.apart.seq[x], b.apart.seq[y]) })
	for _, j := range b.apart.ended {
		if _, ok := e.ends.Drop(j); ok {
			e.late -= e.queue.Demand(j).Milli()
		}
		served, out = true, b.serve(v, out)
	}
	if e.late = 0; !served {
		out = b.serve(v, out)
	}
	return out
}
