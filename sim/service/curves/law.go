package curves

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/series"
)

// LawParams has one line for each setting of a drawn law: key, meaning.
const LawParams = `base     requests per second, of which the rest are factors
swing    how far the peak is above the base, as a part of it
noise    standard deviation of the steps of the log of the load
weekend  load of the last two days of seven, relative to the others
peak_h   hour of the day with the most load
bursts   bursts per day, each about the base high and half an hour long
days     days after which the law repeats
start_h  hour at which a run begins, from 0 h of the first day on
seed     of the stream that noise and bursts are drawn from
peak     all loads times what makes the largest this; 0 = as they are`

// Law is a load that is drawn.
type Law struct {
	// Name and Doc are what users write and one line on what it is.
	Name, Doc string
	// Base, Swing and so on are the defaults.
	Base, Swing, Noise, Weekend, PeakH, Bursts float64

	days, startH, seed int
	peak               float64
}

// Laws lists the drawn laws.
func Laws() []Law {
	return []Law{
		{Name: "steady", Doc: "a load that hardly changes", Base: 50, Swing: 0.15, Noise: 0.01, Weekend: 1, PeakH: 14},
		{Name: "day-night", Doc: "a load that is low by night and at weekends", Base: 80, Swing: 0.75, Noise: 0.03,
			Weekend: 0.7, PeakH: 15},
		{Name: "bursty", Doc: "a noisy load with two bursts a day", Base: 30, Swing: 0.6, Noise: 0.12, Weekend: 0.9,
			PeakH: 20, Bursts: 2},
	}
}

// Named gives the law of a name.
func Named(name string) (Law, bool) {
	for _, l := range Laws() {
		if l.Name == name {
			return l, true
		}
	}
	return Law{}, false
}

const (
	stepS   = 300
	perDay  = 86400 / stepS
	mostLog = 50 // of the factor that noise makes
)

// Read takes settings over l's.
func (l *Law) Read(s *param.Set) {
	l.Base = s.Float("base", l.Base, 0, 1e9)
	l.Swing = s.Float("swing", l.Swing, 0, 1)
	l.Noise = s.Float("noise", l.Noise, 0, 10)
	l.Weekend = s.Float("weekend", l.Weekend, 0, 100)
	l.PeakH = s.Float("peak_h", l.PeakH, 0, 24)
	l.Bursts = s.Float("bursts", l.Bursts, 0, perDay)
	l.days = s.Int("days", 7, 1, 3660)
	l.startH = s.Int("start_h", 0, 0, 167)
	l.seed = s.Int("seed", 0, 0, math.MaxInt32)
	l.peak = s.Float("peak", 0, 0, 1e9)
}

// Draw draws the load; a service draws from the stream of its name. factor gives what its peak is to
// be, 0 = what it is.
func (l *Law) Draw(service string, peak float64) *series.Series {
	r := rng.Source{Seed: uint64(l.seed)}.Stream("services/" + service)
	if peak == 0 {
		peak = l.peak
	}
	n, x, b, most := l.days*perDay, 0.0, 0.0, 0.0
	fall := fixmath.Exp(-stepS / 1800.0)
	loads := make([]float64, n)
	for i := range loads {
		begins, height, z := r.Float64() < l.Bursts/perDay, r.ExpFloat64(), r.NormFloat64()
		if b *= fall; begins {
			b += height
		}
		loads[i] = float64(l.at(i)*fixmath.Exp(x)) + float64(l.Base*b)
		most = max(most, loads[i])
		x = max(-mostLog, min(mostLog, float64(0.9*x)+float64(l.Noise*z)))
	}
	if peak > 0 && most > 0 {
		for i := range loads {
			loads[i] *= peak / most
		}
	}
	out := &series.Series{Every: int64(n) * stepS * 1e6, Steps: make([]series.Step, n)}
	for i := range out.Steps {
		out.Steps[i] = series.Step{At: int64(i) * stepS * 1e6, Value: loads[(i+l.startH*3600/stepS)%n]}
	}
	return out
}

// at is the load at a step without noise and bursts.
func (l *Law) at(step int) float64 {
	turn := 2 * math.Pi * (float64(step%perDay)/perDay - l.PeakH/24)
	v := 1 + float64(l.Swing*fixmath.Cos(turn)) + float64(l.Swing/4*fixmath.Cos(2*turn))
	if v = max(0, v); step/perDay%7 >= 5 {
		v *= l.Weekend
	}
	return l.Base * v
}
