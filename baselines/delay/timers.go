package delay

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// fixed are the waits of the time form as timers. A demand larger than a machine has no wait for
// one.
type fixed struct {
	machine, rack sim.Time
	largest       int // GPUs of the largest machine
}

// Timers gives the wait for a rack, and the one for any GPUs, both from the start.
func (f fixed) Timers(demand int, _ sim.Time) (rack, net, until sim.Time) {
	switch {
	case demand > f.largest:
		return 0, f.rack, sim.Never
	case f.machine == sim.Never || f.rack == sim.Never:
		return f.machine, sim.Never, sim.Never
	}
	return f.machine, f.machine + f.rack, sim.Never
}

// Accepted does nothing.
func (fixed) Accepted(int, cluster.Level, sim.Time, sim.Time) {}

// OwnTimers are the waits of the time form; the count form has none. On a cluster whose types
// differ in the GPUs of a machine a demand is taken to fit the largest.
func (p *Policy) OwnTimers(t *cluster.Topology) plan.TimerSource {
	if p.cfg.count || p.cfg.offer {
		return nil
	}
	return fixed{toTime(p.cfg.machine), toTime(p.cfg.rack), t.Capacity(cluster.LevelMachine)}
}

// toTime is the time of so many microseconds.
func toTime(us float64) sim.Time {
	if us >= maxWait {
		return sim.Never
	}
	return sim.Time(us)
}

// Steered gives a copy that asks another source; see plan.Timed. A job that a fault returns to the
// queue need not wait again for what it had, by the timers of that instant.
func (p *Policy) Steered(_ plan.Timed, by plan.TimerSource) plan.Timed {
	c := p.copy()
	c.timers = by
	return c
}

// asks is wait by a caller's timers.
func (p *Policy) asks(k *kind, to cluster.Level) float64 {
	rack, net, _ := p.timers.Timers(k.gpus, p.v.Now())
	t := net
	if k.finest == cluster.LevelMachine && to == cluster.LevelRack {
		t = rack
	}
	if t == sim.Never {
		return math.Inf(1)
	}
	return float64(t)
}

// enters notes a job that begins to wait.
func (p *Policy) enters(v *sim.View, j sim.JobID) {
	if p.timers != nil {
		p.waits.Enter(v, p.queue.Note(v, j), j)
	}
}

// leaves reports to the timers a job that accepts a place.
func (p *Policy) leaves(v *sim.View, j sim.JobID, k *kind, gpus []cluster.GPU) {
	if p.timers == nil {
		return
	}
	p.waits.Leave(p.queue.Demand(j))
	p.timers.Accepted(k.gpus, v.Topology().LevelOf(gpus), v.Now()-v.Run(j).Since(), v.Now())
}

// Waiting appends what waits, one entry per demand seen so far, where a caller sets the timers.
func (p *Policy) Waiting(dst []plan.Wanted) []plan.Wanted { return p.waits.Append(p.v, dst) }
