package powerflow

import (
	"tarry/baselines/powerflow/budget"
	"tarry/sim"
	"tarry/sim/cluster"
)

// member is a job in the system.
type member struct {
	id    sim.JobID
	table budget.Job
	// asked are the joules of a unit of work on the GPUs asked for at the highest clock.
	asked float64
	// has is the choice since the last decision, where it runs.
	has  budget.Choice
	runs bool
	// key orders jobs that get GPUs.
	key float64
}

// least are the joules of a unit of work of the choice with which the job begins.
func (m *member) least() float64 {
	_, _, e := m.table.At(m.table.Least())
	return e
}

// fill makes the table of a job that arrives.
func (p *Policy) fill(v *sim.View, m *member) {
	t := &p.scratch
	t.GPUs, t.Seconds, t.Joules = t.GPUs[:0], t.Seconds[:0], t.Joules[:0]
	curve := p.curves.Of(v, m.id)
	lo, hi := v.Job(m.id).Range()
	peak := 0.0
	for n := max(lo, 1); n <= hi && n < len(curve); n *= 2 {
		if curve[n] > peak {
			peak = curve[n]
			p.level(v, m.id, n)
		}
	}
	asked := v.Job(m.id).GPUs()
	if len(t.GPUs) == 0 { // no speed is known: it has what it asks for
		t.GPUs = append(t.GPUs, int32(asked))
		for range p.cfg.clocks {
			t.Seconds, t.Joules = append(t.Seconds, 1/float64(asked)), append(t.Joules, 0)
		}
	}
	_, m.asked = p.take(v, m.id, p.curves.Near(v, m.id, asked), 1)
	m.table = budget.Job{GPUs: keep(m.table.GPUs, t.GPUs, &p.numbers), Clocks: p.cfg.clocks,
		Seconds: keep(m.table.Seconds, t.Seconds, &p.reals), Joules: keep(m.table.Joules, t.Joules, &p.reals)}
}

// keep copies a list to dst, or to a part of room where that is too short.
func keep[T any](dst, list []T, room *[]T) []T {
	if cap(dst) < len(list) {
		if len(*room) < len(list) {
			*room = make([]T, max(4096, len(list)))
		}
		dst, *room = (*room)[:0:len(list)], (*room)[len(list):]
	}
	return append(dst[:0], list...)
}

// level adds a number of GPUs at each clock.
func (p *Policy) level(v *sim.View, j sim.JobID, n int) {
	t, near := &p.scratch, p.curves.Near(v, j, n)
	t.GPUs = append(t.GPUs, int32(n))
	for k := range p.cfg.clocks {
		s, e := p.take(v, j, near, p.cfg.clock(k))
		t.Seconds, t.Joules = append(t.Seconds, s), append(t.Joules, e)
	}
}

// take is what a second of work on one reference GPU takes on GPUs at a clock: seconds and joules. Where
// nothing is known the job does not move, and its energy is free.
func (p *Policy) take(v *sim.View, j sim.JobID, gpus []cluster.GPU, clock float64) (seconds, joules float64) {
	on := sim.Placement{GPUs: gpus, Idle: true, Knobs: sim.Knobs{FreqFrac: clock}}
	rate := 0.0
	if len(gpus) > 0 {
		rate = v.Predict(j, on).Rate
	}
	if !(rate > 0) {
		return 1e12, 0
	}
	watts := v.Power().DrawOn(j, on)
	if !(watts >= 0) { // the run states no power
		return 1 / rate, 0
	}
	top := v.Topology()
	for _, g := range gpus {
		m := top.Machine(g)
		lo, hi := top.MachineGPUs(m)
		watts += float64(p.cfg.idle * v.Power().Spec(m).OnW(int(hi-lo)) / float64(hi-lo))
	}
	return 1 / rate, watts / rate
}
