package cassini

import (
	"tarry/baselines/cassini/circle"
	"tarry/sim"
)

// aligner holds running jobs until their iterations begin at the best times.
type aligner struct {
	net   network
	since []sim.Time // by job: 1 + when it got the GPUs on which it was aligned
	ticks []int64    // the shifts of a component, in angles-ths of a microsecond
	parts []int64    // its periods, in these
}

// free is the pace of a job without slots: a knob cannot be taken back.
const free = sim.Time(1)

// decide appends the decisions that align all running jobs.
func (a *aligner) decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if k := v.NumJobs(); len(a.since) < k {
		a.since = append(a.since, make([]sim.Time, k-len(a.since))...)
	}
	n := &a.net
	n.open(v)
	for _, j := range v.Running() {
		if n.index[j] > 0 {
			continue
		}
		n.gather(v, j)
		out = a.component(v, out)
	}
	n.close()
	return out
}

// component aligns the jobs of a component.
func (a *aligner) component(v *sim.View, out []sim.Decision) []sim.Decision {
	n := &a.net
	members := n.members[n.first:]
	for i := range members {
		m := &members[i]
		m.tick, m.aligned = int64(v.Links().Began(m.job)), a.since[m.job] == v.Run(m.job).Since()+1
	}
	r := n.solve()
	if r.loops || !r.common || r.links == 0 {
		for i := range members {
			out = a.release(v, members[i].job, out)
		}
		return out
	}
	a.ticks, a.parts = a.ticks[:0], a.parts[:0]
	for i := range members {
		a.ticks, a.parts = append(a.ticks, circle.Unset), append(a.parts, members[i].periodUS*int64(n.cfg.angles))
	}
	a.ticks[0] = members[0].tick % members[0].periodUS * int64(n.cfg.angles)
	n.graph.Traverse(0, a.parts, a.ticks)
	for i := range members {
		out = a.hold(v, &members[i], sim.Time(a.ticks[i]/int64(n.cfg.angles)), r.clear, out)
	}
	return out
}

// hold appends the decision that lets the iterations of a job begin at a time, if they do not, and in
// slots where no two transfers then meet.
func (a *aligner) hold(v *sim.View, m *member, at sim.Time, clear bool, out []sim.Decision) []sim.Decision {
	cfg, period := a.net.cfg, sim.Time(m.periodUS)
	has := v.Run(m.job).Knobs().Pace
	pace := has
	a.since[m.job] = v.Run(m.job).Since() + 1
	switch {
	case cfg.pace && clear:
		pace = period
	case has > 0:
		pace = free
	}
	most := sim.Time(cfg.drift * float64(period))
	if pace > free {
		most = 1
	}
	off := until(sim.Time(m.tick), at, period)
	d := sim.Decision{Kind: sim.Tune, Job: m.job}
	if min(off, period-off) > most {
		from := v.Links().Resumes(m.job)
		if d.Delay = until(from, at, period); d.Delay == 0 {
			d.Delay = period // a Tune without a delay lets iterations be where they are
		}
	}
	if pace != has {
		d.Pace = pace
	}
	if d.Knobs == (sim.Knobs{}) {
		return out
	}
	return append(out, d)
}

// until is the time from an instant to the next at which iterations are to begin, 0 to the period.
func until(from, at, period sim.Time) sim.Time { return ((at-from)%period + period) % period }

// release appends the decision that takes a job off its slots, if it has some.
func (a *aligner) release(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	if v.Run(j).Knobs().Pace <= free {
		return out
	}
	return append(out, sim.Decision{Kind: sim.Tune, Job: j, Knobs: sim.Knobs{Pace: free}})
}
