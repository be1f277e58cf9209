package artist

import (
	"slices"

	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// tuner is Dally's auto-tuner as the simulator runs it: waits that are out of the window of history
// leases are forgotten only when another wait is recorded, by a scan that skips the neighbour of
// each wait that it removes. So old waits count while no new one comes, and some of them longer. It
// is a plan.TimerSource.
type tuner struct {
	lease   sim.Time
	history float64
	bounds  dally.Bounds
	demands []demandWaits
}

// demandWaits are the waits of one demand for machines and for racks.
type demandWaits struct {
	demand        int
	machine, rack waits
}

// waits are waits in leases, each with the time at which it ended.
type waits struct {
	at   []sim.Time
	wait []float64
}

func (t *tuner) of(demand int) *demandWaits {
	i := slices.IndexFunc(t.demands, func(d demandWaits) bool { return d.demand == demand })
	if i < 0 {
		i = len(t.demands)
		t.demands = append(t.demands, demandWaits{demand: demand})
	}
	return &t.demands[i]
}

// Timers gives the timers of a demand; they hold until another wait is recorded.
func (t *tuner) Timers(demand int, _ sim.Time) (rack, net, until sim.Time) {
	d := t.of(demand)
	r, n := t.bounds.Timers(dally.Estimate(d.machine.wait), dally.Estimate(d.rack.wait))
	return sim.Time(r * float64(t.lease)), sim.Time(n * float64(t.lease)), sim.Never
}

// Accepted records a wait of a lease or more.
func (t *tuner) Accepted(demand int, level cluster.Level, wait, now sim.Time) {
	if wait >= t.lease {
		t.Record(demand, level, float64(wait)/float64(t.lease), now)
	}
}

// Record keeps a wait in leases, if it is one at least.
func (t *tuner) Record(demand int, level cluster.Level, wait float64, now sim.Time) {
	if !(wait >= 1) || level == cluster.LevelCluster {
		return
	}
	w := &t.of(demand).machine
	if level == cluster.LevelRack {
		w = &t.of(demand).rack
	}
	w.at, w.wait = append(w.at, now), append(w.wait, wait)
	w.scan(now - sim.Time(float64(t.history*float64(t.lease))))
}

// scan removes the waits that ended before old, but skips the next after each that it removes.
func (w *waits) scan(old sim.Time) {
	for i := 0; i < len(w.at); i++ {
		if w.at[i] < old {
			w.at, w.wait = slices.Delete(w.at, i, i+1), slices.Delete(w.wait, i, i+1)
		}
	}
}

// Copied gives an independent copy.
func (t *tuner) Copied(plan.TimerSource) plan.TimerSource {
	to := *t
	to.demands = slices.Clone(t.demands)
	for i := range to.demands {
		d := &to.demands[i]
		for _, w := range []*waits{&d.machine, &d.rack} {
			w.at, w.wait = slices.Clone(w.at), slices.Clone(w.wait)
		}
	}
	return &to
}
