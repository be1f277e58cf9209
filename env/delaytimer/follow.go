package delaytimer

import (
	"math"

	"tarry/sim"
)

// Follow names the baseline whose timers are demonstrated: one that has delay timers. It hears of
// the same acceptances as the base policy.
func (s *scheduler) Follow(baseline string) (err error) {
	s.demo, err = s.cfg.TimersOf(baseline)
	return err
}

// Demonstrate writes the timers that the baseline would set for each class, for the demand of its
// last arrival. The discrete twin's are the nearest pair on the logarithmic scale.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) {
	if s.discrete {
		rack, net := s.demonstrated(v, s.asked)
		action[0] = float64(nearest(rack, net))
		return
	}
	for i := range Classes {
		action[2*i], action[2*i+1] = s.demonstrated(v, i)
	}
}

// demonstrated gives a class's timers as actions.
func (s *scheduler) demonstrated(v *sim.View, i int) (rack, net float64) {
	r, n, _ := s.demo.Timers(s.classes[i].demand, v.Now())
	return 2*coded(r, s.lease) - 1, 2*coded(n, s.lease) - 1
}

// nearest is the pair at the least distance on the scale of Encode.
func nearest(rack, net float64) int {
	best, at := 0, math.Inf(1)
	for i, p := range Pairs() {
		if d := math.Abs(Encode(p[0])-rack) + math.Abs(Encode(p[1])-net); d < at {
			best, at = i, d
		}
	}
	return best
}
