package power

// Slowdown is the time of work at a clock relative to nominal over its time at the nominal clock, of
// which computeFrac scales with the clock.
func Slowdown(computeFrac, freqFrac float64) float64 {
	return float64(computeFrac/freqFrac) + (1 - computeFrac)
}

// LeastClock is the clock, of some, at which work takes least energy, and that energy in joules for
// each second that the work takes at the nominal clock; the first of equals. watts is what is drawn
// at a clock while it lasts; afterW is drawn from its end until the slowest clock's.
func LeastClock(clocks []float64, computeFrac float64, watts func(freqFrac float64) float64,
	afterW float64) (freqFrac, joules float64) {
	last := 0.0
	for _, c := range clocks {
		last = max(last, Slowdown(computeFrac, c))
	}
	for i, c := range clocks {
		s := Slowdown(computeFrac, c)
		if j := float64(s*watts(c)) + float64((last-s)*afterW); i == 0 || j < joules {
			freqFrac, joules = c, j
		}
	}
	return freqFrac, joules
}
