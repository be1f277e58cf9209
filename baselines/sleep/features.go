package sleep

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
)

// inputs is the number of inputs of the regression.
const inputs = 16

// frame is what inputs and targets need: lengths in notes, and the machines that there are.
type frame struct {
	future, hour, day, week int
	scale                   float64 // 1 / machines
}

func newFrame(future int, tick sim.Time, machines int) frame {
	day := max(1, int(86400*sim.Second/tick))
	return frame{future: future, hour: max(1, int(3600*sim.Second/tick)), day: day, week: 7 * day, scale: 1 /
		float64(machines)}
}

// look fills the inputs at the i-th note: the level, differences from it to the last hour and to
// future notes ago (the trend), to a day and a week before what is predicted, the time of day and
// of the week, and 1. What is not seen yet is 0, a week ago then a day ago.
func (f *frame) look(s *series, i int, x *[inputs]float64) {
	now := s.at(i)
	*x = [inputs]float64{}
	x[0] = now * f.scale
	x[1] = (s.mean(i+1-f.hour, i) - now) * f.scale
	if i >= f.future {
		x[2] = (s.at(i-f.future) - now) * f.scale
	}
	if i >= f.day {
		from := i + 1 - f.day
		x[3] = (s.mean(from, from+f.future-1) - now) * f.scale
		x[4] = (s.mean(from, from+2*f.future-1) - now) * f.scale
		x[5] = (s.at(i-f.day) - now) * f.scale
		x[6] = (s.at(i-f.day+f.future) - now) * f.scale
	}
	x[7], x[8], x[9] = x[3], x[4], x[6]
	if i >= f.week {
		from := i + 1 - f.week
		x[7] = (s.mean(from, from+f.future-1) - now) * f.scale
		x[8] = (s.mean(from, from+2*f.future-1) - now) * f.scale
		x[9] = (s.at(i-f.week+f.future) - now) * f.scale
	}
	a := 2 * math.Pi * float64(i%f.day) / float64(f.day)
	x[10], x[11] = fixmath.Sincos(a)
	x[12], x[13] = fixmath.Sincos(2 * a)
	x[14] = fixmath.Sin(2 * math.Pi * float64(i%f.week) / float64(f.week))
	x[15] = 1
}

// targets of the regression, as differences from the note at which they are predicted.
const (
	near    = iota // the mean of the next future notes
	far            // the forecast of twice as many
	point          // the note at future
	targets        // their number
)

// hit fills the targets at the i-th note, of which 2 x future later ones must be known.
func (f *frame) hit(s *series, i int, y *[targets]float64) {
	now := s.at(i)
	y[near] = (s.mean(i+1, i+f.future) - now) * f.scale
	y[far] = (s.mean(i+1, i+2*f.future) - now) * f.scale
	y[point] = (s.at(i+f.future) - now) * f.scale
}
