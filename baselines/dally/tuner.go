package dally

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// tuner is the auto-tuner: per demand, the timers follow the waits before recent acceptances.
//
//	D = mean + 2 stddev of the waits in leases (1 when there is none)
//	T_rack = min(ceil(0.8 H), max(6, ceil D_machine))
//	T_net  = min(H, max(12, ceil D_rack)); max_net replaces this H
//
// Waits shorter than a lease are not recorded, and waits older than H leases are forgotten.
type tuner struct {
	lease sim.Time
	Bounds
	demands []demandWaits
	index   []int32 // demand -> 1 + where it is in demands; 0 = not yet
}

// Bounds are the window H and the bounds of tuned timers, in leases: see Config.
type Bounds struct {
	history         float64
	minRack, minNet float64
	maxNet          float64
}

// Timers gives T_rack and T_net in leases from the estimates of the waits for machines and racks.
func (b *Bounds) Timers(machine, rack float64) (rackLeases, netLeases float64) {
	rackLeases = math.Min(math.Ceil(float64(0.8*b.history)), math.Max(b.minRack, math.Ceil(machine)))
	netLeases = math.Min(b.maxNet, math.Max(b.minNet, math.Ceil(rack)))
	return rackLeases, netLeases
}

// Estimate gives mean + 2 stddev of waits; 1 when there is none.
func Estimate(waits []float64) float64 {
	if len(waits) == 0 {
		return 1
	}
	n, sum := float64(len(waits)), 0.0
	for _, x := range waits {
		sum += x
	}
	mean, sq := sum/n, 0.0
	for _, x := range waits {
		sq += float64((x - mean) * (x - mean))
	}
	return mean + 2*math.Sqrt(sq/n)
}

// demandWaits holds the recent waits of one demand.
type demandWaits struct {
	demand        int
	machine, rack waits
	// timers are the latest, which hold before their until unless a wait is recorded; until 0 = none.
	timers struct{ rack, net, until sim.Time }
}

func (t *tuner) of(demand int) *demandWaits {
	for demand >= len(t.index) {
		t.index = append(t.index, 0)
	}
	if i := t.index[demand]; i > 0 {
		return &t.demands[i-1]
	}
	n := len(t.demands)
	t.index[demand] = int32(n + 1)
	if n < cap(t.demands) { // with the memory of an earlier one, after Copied
		t.demands = t.demands[:n+1]
		t.demands[n].reset(demand)
		return &t.demands[n]
	}
	t.demands = append(t.demands, demandWaits{demand: demand})
	return &t.demands[n]
}

func (d *demandWaits) reset(demand int) {
	d.demand, d.timers.until = demand, 0
	d.machine.copyFrom(&waits{})
	d.rack.copyFrom(&waits{})
}

func (t *tuner) Timers(demand int, now sim.Time) (rack, net, until sim.Time) {
	if demand < len(t.index) && t.index[demand] > 0 {
		if l := &t.demands[t.index[demand]-1].timers; now < l.until {
			return l.rack, l.net, l.until
		}
	}
	d, old, r := t.of(demand), t.old(now), 1.0
	oldest := min(d.machine.oldest(old), d.rack.oldest(old))
	if t.minNet < t.maxNet { // else T_net is maxNet whatever the waits
		r = d.rack.estimate()
	}
	rl, nl := t.Bounds.Timers(d.machine.estimate(), r)
	until = sim.Never
	if oldest != sim.Never {
		until = oldest + (now - old) + 1 // the instant at which the oldest wait is forgotten
	}
	rack, net = sim.Time(rl*float64(t.lease)), sim.Time(nl*float64(t.lease))
	d.timers.rack, d.timers.net, d.timers.until = rack, net, until
	return rack, net, until
}

// old is the time before which a wait is out of the window.
func (t *tuner) old(now sim.Time) sim.Time {
	return now - sim.Time(float64(t.history*float64(t.lease)))
}

func (t *tuner) Accepted(demand int, level cluster.Level, wait, now sim.Time) {
	if wait >= t.lease {
		t.Record(demand, level, float64(wait)/float64(t.lease), now)
	}
}

// Record keeps a wait in leases, if it is one at least.
func (t *tuner) Record(demand int, level cluster.Level, wait float64, now sim.Time) {
	if !(wait >= 1) {
		return
	}
	d := t.of(demand)
	w := &d.machine
	switch level {
	case cluster.LevelRack:
		w = &d.rack
	case cluster.LevelCluster:
		return
	}
	w.add(now, wait)
	d.timers.until = 0
}

// waits is a sliding list of waits, in leases, with the time of each acceptance.
type waits struct {
	at    []sim.Time
	wait  []float64
	head  int
	dirty bool
	est   float64
}

func (w *waits) add(at sim.Time, wait float64) {
	if w.head > 32 && w.head > len(w.at)/2 { // forget what has aged, in place
		n := copy(w.at, w.at[w.head:])
		copy(w.wait, w.wait[w.head:])
		w.at, w.wait, w.head = w.at[:n], w.wait[:n], 0
	}
	w.at = append(w.at, at)
	w.wait = append(w.wait, wait)
	w.dirty = true
}

// oldest forgets the waits accepted before old, and gives the time of the oldest that is left; Never
// when there is none.
func (w *waits) oldest(old sim.Time) sim.Time {
	for w.head < len(w.at) && w.at[w.head] < old {
		w.head++
		w.dirty = true
	}
	if w.head == len(w.at) {
		return sim.Never
	}
	return w.at[w.head]
}

// estimate is Estimate of the waits that are not forgotten.
func (w *waits) estimate() float64 {
	if w.dirty || len(w.at) == 0 {
		w.dirty, w.est = false, Estimate(w.wait[w.head:])
	}
	return w.est
}

// Copied gives an independent copy, in the memory of dst where that is a tuner.
func (t *tuner) Copied(dst plan.TimerSource) plan.TimerSource {
	to, ok := dst.(*tuner)
	if !ok {
		to = &tuner{}
	}
	demands, index := to.demands, to.index
	*to = *t
	to.demands, to.index = demands[:0], append(index[:0], t.index...)
	for i := range t.demands {
		f := &t.demands[i]
		d := demandWaits{demand: f.demand}
		if i < cap(demands) {
			d = demands[:cap(demands)][i]
			d.demand = f.demand
		}
		d.timers = f.timers
		d.machine.copyFrom(&f.machine)
		d.rack.copyFrom(&f.rack)
		to.demands = append(to.demands, d)
	}
	return to
}

func (w *waits) copyFrom(o *waits) {
	at, wait := append(w.at[:0], o.at...), append(w.wait[:0], o.wait...)
	*w = *o
	w.at, w.wait = at, wait
}
