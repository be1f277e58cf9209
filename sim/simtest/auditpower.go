package simtest

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
)

// powerAudit keeps when machines were not on, and what jobs drew.
type powerAudit struct {
	top   *cluster.Topology
	since []sim.Time // by machine: 1 + since when it is not on; 0 = it is on
	spans []offSpan
	draws []draw    // by job
	busy  []float64 // by job: GPUs x use x time as its intervals have it
}

// offSpan is a time for which a machine was not on.
type offSpan struct {
	machine    int
	start, end sim.Time
}

// draw is what a job draws: rate x time up to since, and what begins at next.
type draw struct {
	total, rate float64
	since       sim.Time
	next        float64
	at          sim.Time // when next begins; 0 = none
	empty       bool     // its use is 0 while it holds GPUs
	stalls      bool     // it did so for a time, and its intervals do not state how long
}

func newPowerAudit(jobs int, top *cluster.Topology) powerAudit {
	return powerAudit{top: top, since: make([]sim.Time, top.Machines()), draws: make([]draw, jobs),
		busy: make([]float64, jobs)}
}

// Machine receives the state of a machine.
func (a *Audit) Machine(machine int32, s power.State, from sim.Time) {
	p, m := &a.power, int(machine)
	switch since := p.since[m]; {
	case s != power.On && since == 0:
		p.since[m] = from + 1
	case s == power.On && since == 0:
		a.fault("I18: machine %d is on at %v, and was on before", m, from)
	case s == power.On:
		p.spans = append(p.spans, offSpan{m, since - 1, from})
		p.since[m] = 0
	}
}

// Draw receives what a job draws.
func (a *Audit) Draw(job sim.JobID, gpus []cluster.GPU, utilFrac, freqFrac float64, from sim.Time) {
	if int(job) >= len(a.power.draws) { // a replica, whose use is the load's
		return
	}
	d := &a.power.draws[job]
	if utilFrac < 0 || utilFrac > 1 || utilFrac > 0 && (freqFrac <= 0 || len(gpus) == 0) {
		a.fault("I19: job %q draws at use %v and clock %v of %d GPUs", a.w.Jobs[job].ID, utilFrac, freqFrac, len(gpus))
	}
	if d.at > 0 && d.at < from {
		d.total += d.rate * float64(d.at-d.since)
		d.since, d.rate, d.at = d.at, d.next, 0
	}
	if d.empty && from > d.since && d.at == 0 {
		d.stalls = true
	}
	d.total += d.rate * float64(max(0, from-d.since))
	d.since, d.rate, d.at = from, utilFrac*float64(len(gpus)), 0
	d.empty = utilFrac == 0 && len(gpus) > 0
}

// computed takes an interval in.
func (p *powerAudit) computed(i *sim.Interval) {
	share := float64(i.ShareMilli) / 1000
	p.busy[i.Job] += float64(i.Run) * (1 - i.CommFrac) * share * float64(len(i.GPUs))
}

// closePower compares the books of power.
func (a *Audit) closePower(now sim.Time) {
	p := &a.power
	for m, since := range p.since {
		if since > 0 {
			p.spans = append(p.spans, offSpan{m, since - 1, now})
		}
	}
	for _, s := range p.spans {
		lo, hi := a.top.MachineGPUs(s.machine)
		for _, i := range a.ints {
			if i.gpu >= lo && i.gpu < hi && i.start < s.end && s.start < i.end && i.start < i.end {
				a.fault("I18: machine %d is not on at %v-%v, and job %q holds GPU %d at %v-%v", s.machine, s.start, s.end,
					a.name(i.job), i.gpu, i.start, i.end)
			}
		}
	}
	for j := range p.draws {
		d, want := &p.draws[j], p.busy[j]
		if slack := 1e-9*want + 1; d.total > want+slack || !d.stalls && math.Abs(d.total-want) > slack {
			a.fault("I19: job %q used GPUs for %v by its draws, %v by its intervals", a.w.Jobs[j].ID, d.total, want)
		}
	}
}
