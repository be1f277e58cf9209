package books

import (
	"math"
	"math/bits"

	"tarry/sim"
)

// Energy is an amount of energy, exact: a sum of nanowatts x microseconds in 128 bits.
type Energy struct{ hi, lo uint64 }

// add takes what nw nanowatts are for a time, both at least 0.
func (e *Energy) add(nw int64, t sim.Time) {
	hi, lo := bits.Mul64(uint64(nw), uint64(t))
	e.plus(Energy{hi, lo})
}

func (e *Energy) plus(o Energy) {
	var c uint64
	e.lo, c = bits.Add64(e.lo, o.lo, 0)
	e.hi, _ = bits.Add64(e.hi, o.hi, c)
}

// Plus is the sum of two.
func (e Energy) Plus(o Energy) Energy {
	e.plus(o)
	return e
}

// Minus is the energy beyond another one, which is at most as much.
func (e Energy) Minus(o Energy) Energy {
	lo, c := bits.Sub64(e.lo, o.lo, 0)
	hi, _ := bits.Sub64(e.hi, o.hi, c)
	return Energy{hi, lo}
}

// J is the energy in joules.
func (e Energy) J() float64 { return (float64(float64(e.hi)*(1<<64)) + float64(e.lo)) / 1e15 }

// KWh is the energy in kilowatt-hours.
func (e Energy) KWh() float64 { return e.J() / 3.6e6 }

// MeanW is the mean power in watts over a time.
func (e Energy) MeanW(over sim.Time) float64 { return e.J() / over.Seconds() }

// mostNW is the most that a cluster may draw, in nanowatts: 4 GW.
const mostNW = 4e18

// nanowatts rounds watts >= 0.
func nanowatts(w float64) int64 { return int64(math.Round(min(float64(w*1e9), mostNW))) }
