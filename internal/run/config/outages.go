package config

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
)

// outages draws failures and repairs without end: each unit's times up and down are
// exponential. Units wait in a heap, ordered by time and number.
type outages struct {
	units  []unit
	faults Faults
	dice   *rng.Stream
}

// unit is a machine, or one GPU of it, and its next change.
type unit struct {
	at           sim.Time
	number       int32
	machine, gpu int32
	up           bool // what the next change makes it
}

func (u unit) before(v unit) bool { return u.at < v.at || u.at == v.at && u.number < v.number }

// newOutages gives the source for a cluster, nil when nothing ever fails.
func newOutages(t *cluster.Topology, f Faults, dice *rng.Stream) sim.Outages {
	if f.MachineMTBFS == 0 && f.GPUMTBFS == 0 {
		return nil
	}
	o := &outages{faults: f, dice: dice}
	n := int32(0)
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		for g := int32(-1); g < int32(hi-lo); g++ {
			if u := (unit{number: n, machine: int32(m), gpu: g}); o.mean(u) > 0 {
				u.at = o.draw(u)
				o.units = append(o.units, u)
				n++
			}
		}
	}
	for i := len(o.units)/2 - 1; i >= 0; i-- {
		o.sink(i)
	}
	return o
}

// mean is the mean time to a unit's next change, in seconds; 0 = it never comes.
func (o *outages) mean(u unit) float64 {
	switch {
	case u.gpu < 0 && u.up:
		return o.faults.MachineMTTRS
	case u.gpu < 0:
		return o.faults.MachineMTBFS
	case u.up:
		return o.faults.GPUMTTRS
	}
	return o.faults.GPUMTBFS
}

// draw gives the time to the next change, at least a microsecond.
func (o *outages) draw(u unit) sim.Time {
	return max(1, sim.Seconds(float64(o.dice.ExpFloat64()*o.mean(u))))
}

// Next gives the earliest change and draws the unit's following one.
func (o *outages) Next() (sim.Outage, bool) {
	u := o.units[0]
	out := sim.Outage{At: u.at, Machine: u.machine, GPU: u.gpu, Up: u.up}
	u.up = !u.up
	u.at += o.draw(u)
	o.units[0] = u
	o.sink(0)
	return out, true
}

func (o *outages) sink(i int) {
	for {
		least := i
		for k := 2*i + 1; k <= 2*i+2 && k < len(o.units); k++ {
			if o.units[k].before(o.units[least]) {
				least = k
			}
		}
		if least == i {
			return
		}
		o.units[i], o.units[least] = o.units[least], o.units[i]
		i = least
	}
}

// Clone copies the source with its dice.
func (o *outages) Clone() sim.Outages {
	c := &outages{units: append([]unit(nil), o.units...), faults: o.faults, dice: &rng.Stream{}}
	state, err := o.dice.MarshalBinary()
	if err == nil {
		err = c.dice.UnmarshalBinary(state)
	}
	if err != nil {
		panic("outages: the dice's own state cannot be read back: " + err.Error())
	}
	return c
}
