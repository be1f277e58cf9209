package order

import (
	"tarry/baselines/contest"
	"tarry/baselines/score"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// timers are Dally's, tuned, until an agent sets two constants.
type timers struct {
	lease     sim.Time
	auto      plan.TimerSource
	set       bool
	rack, net sim.Time
}

// Timers implements plan.TimerSource.
func (t *timers) Timers(demand int, now sim.Time) (rack, net, until sim.Time) {
	if t.set {
		return t.rack, t.net, sim.Never
	}
	return t.auto.Timers(demand, now)
}

// Accepted implements plan.TimerSource.
func (t *timers) Accepted(demand int, level cluster.Level, wait, now sim.Time) {
	t.auto.Accepted(demand, level, wait, now)
}

// use sets the timers of globals.
func (t *timers) use(g *score.Globals) {
	if t.set = !g.Auto(); t.set {
		t.rack, t.net = times(g.Rack, t.lease), times(g.Net, t.lease)
	}
}

// times is a number of leases as a time, at most sim.Never.
func times(n float64, lease sim.Time) sim.Time {
	if x := float64(n * float64(lease)); x < float64(sim.Never) {
		return sim.Time(x)
	}
	return sim.Never
}

func (t *timers) copyFrom(o *timers) {
	auto := t.auto
	*t = *o
	t.auto = contest.CopyTimers(auto, o.auto)
}
