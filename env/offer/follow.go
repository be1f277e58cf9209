package offer

import "tarry/sim"

// Follow names the baseline whose patience is demonstrated: one that has delay timers. It hears of
// the same acceptances as the base policy.
func (s *scheduler) Follow(baseline string) (err error) {
	s.demo, err = s.cfg.TimersOf(baseline)
	return err
}

// Demonstrate takes the offer when the job has waited as long as the baseline's timers require.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) {
	action[0] = 0
	if s.offer.Wait >= s.timer(v, s.demo) {
		action[0] = 1
	}
}
