package synth

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/rng"
)

// arrivals gives the submits of a job after another; they never go back. pace sets the mean rate of
// those to come.
type arrivals interface {
	next(s *rng.Stream) sim.Time
	pace(rate float64)
}

// batch submits everything at time 0.
type batch struct{}

func (batch) next(*rng.Stream) sim.Time { return 0 }
func (batch) pace(float64)              {}

// poisson has exponential gaps. The first job comes after one gap.
type poisson struct {
	rate float64
	now  sim.Time
}

func (p *poisson) next(s *rng.Stream) sim.Time {
	p.now += sim.Seconds(s.ExpFloat64() / p.rate)
	return p.now
}

func (p *poisson) pace(rate float64) { p.rate = rate }

// bursty is a Poisson process whose rate follows a Markov chain of two states (MMPP-2):
// in a burst it is burst times the mean rate; bursts take the share frac of the time;
// a burst and the calm after it last one cycle on average. The calm's rate makes the
// mean over both the rate that was asked for. It starts in the chain's steady state.
type bursty struct {
	rate, burst, frac, cycle float64

	started, high bool
	left          float64 // seconds of the current state that remain
	now           float64
}

func (b *bursty) next(s *rng.Stream) sim.Time {
	if !b.started {
		b.started, b.high = true, s.Float64() < b.frac
		b.left = b.sojourn(s)
	}
	for {
		rate := float64(b.rate*(1-float64(b.frac*b.burst))) / (1 - b.frac)
		if b.high {
			rate = b.rate * b.burst
		}
		gap := math.Inf(1)
		if rate > 0 {
			gap = s.ExpFloat64() / rate
		}
		if gap <= b.left {
			b.left -= gap
			b.now += gap
			return sim.Seconds(b.now)
		}
		// Exponential gaps have no memory: at a change of state draw a new one.
		b.now += b.left
		b.high = !b.high
		b.left = b.sojourn(s)
	}
}

func (b *bursty) pace(rate float64) { b.rate = rate }

func (b *bursty) sojourn(s *rng.Stream) float64 {
	mean := b.cycle * (1 - b.frac)
	if b.high {
		mean = b.cycle * b.frac
	}
	return mean * s.ExpFloat64()
}

// diurnal is a Poisson process whose rate swings over the day: rate x (1 + amplitude x
// sin), least at 2:00 and largest at 14:00. Drawn by thinning (Lewis and Shedler 1979).
type diurnal struct {
	rate, amplitude float64
	now             float64
}

func (d *diurnal) next(s *rng.Stream) sim.Time {
	most := d.rate * (1 + d.amplitude)
	for {
		d.now += s.ExpFloat64() / most
		if s.Float64()*most < d.at(d.now) {
			return sim.Seconds(d.now)
		}
	}
}

func (d *diurnal) pace(rate float64) { d.rate = rate }

func (d *diurnal) at(seconds float64) float64 {
	const day, rise = 86400, 8 * 3600
	return d.rate * (1 + float64(d.amplitude*fixmath.Sin(2*math.Pi*(seconds-rise)/day)))
}
