// Package outage draws the failures of a cluster's machines and GPUs.
//
// Reading guide: Failures are the rates; New gives the source of failures and repairs that sim.Config
// takes.
package outage

import (
	"errors"
	"fmt"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
)

// Failures are rates of failure and repair. The zero value has none. Start from Default.
type Failures struct {
	// MachineMTBFS is a machine's mean time between failures in seconds, 0 = never fails;
	// MachineMTTRS its mean time to repair; both exponential.
	MachineMTBFS float64 `json:"machine_mtbf_s"`
	MachineMTTRS float64 `json:"machine_mttr_s"`
	// GPUMTBFS and GPUMTTRS are the same for single GPUs.
	GPUMTBFS float64 `json:"gpu_mtbf_s"`
	GPUMTTRS float64 `json:"gpu_mttr_s"`
}

// Default has no failures, and repairs of an hour for faults that are set.
func Default() Failures { return Failures{MachineMTTRS: 3600, GPUMTTRS: 3600} }

// None reports whether nothing ever fails.
func (f *Failures) None() bool { return f.MachineMTBFS == 0 && f.GPUMTBFS == 0 }

// MaxS bounds all of them, in seconds.
const MaxS = 1e12

// Rate is one of the four numbers of Failures.
type Rate struct {
	// Key is what users write, such as machine_mtbf_s.
	Key string
	// Value is the number, in seconds, in Low..MaxS; 0 is allowed too where it states that nothing
	// fails.
	Value *float64
	Low   float64
	Never bool
}

// Wrong reports whether the number is out of its range.
func (r *Rate) Wrong() bool {
	v := *r.Value
	return !(v >= r.Low && v <= MaxS || r.Never && v == 0)
}

// Range reports which numbers are taken.
func (r *Rate) Range() string {
	if r.Never {
		return "0 (never) or 1..1e12 seconds"
	}
	return "0.001..1e12 seconds"
}

// Rates lists the numbers of f, to be read and set by name.
func (f *Failures) Rates() []Rate {
	return []Rate{{"machine_mtbf_s", &f.MachineMTBFS, 1, true}, {"machine_mttr_s", &f.MachineMTTRS, 1e-3, false},
		{"gpu_mtbf_s", &f.GPUMTBFS, 1, true}, {"gpu_mttr_s", &f.GPUMTTRS, 1e-3, false}}
}

// Validate reports every number that is out of its range. MTBF 0 stands for never, but no repair
// takes 0 seconds.
func (f Failures) Validate() error {
	var errs []error
	for _, r := range f.Rates() {
		if r.Wrong() {
			errs = append(errs, fmt.Errorf("faults.%s is %v, expected %s", r.Key, *r.Value, r.Range()))
		}
	}
	return errors.Join(errs...)
}

// outages draws failures and repairs without end: each unit's times up and down are
// exponential. Units wait in a heap, ordered by time and number.
type outages struct {
	units  []unit
	faults Failures
	draws  *rng.Stream
}

// unit is a machine, or one GPU of it, and its next change.
type unit struct {
	at           sim.Time
	number       int32
	machine, gpu int32
	up           bool // what the next change makes it
}

func (u unit) before(v unit) bool { return u.at < v.at || u.at == v.at && u.number < v.number }

// New gives the failures and repairs of a cluster, which draw from the stream; nil when nothing
// ever fails. The faults are valid.
func New(t *cluster.Topology, f Failures, draws *rng.Stream) sim.Outages {
	if f.None() {
		return nil
	}
	o := &outages{faults: f, draws: draws}
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
	return max(1, sim.Seconds(float64(o.draws.ExpFloat64()*o.mean(u))))
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

// Clone copies the source with its stream.
func (o *outages) Clone() sim.Outages {
	c := &outages{units: append([]unit(nil), o.units...), faults: o.faults, draws: o.draws.Clone()}
	return c
}
