package bsbf

import (
	"testing"

	"tarry/sim"
	"tarry/sim/outage"
)

// uneven halves the speed of jobs that have GPU 1.
type uneven struct{ company }

func (u uneven) Speed(q *sim.Query) (sim.Speed, error) {
	s, err := u.company.Speed(q)
	for _, g := range q.GPUs {
		if g == 1 {
			s.Rate /= 2
		}
	}
	return s, err
}

// A resident that a fault moved to a slower GPU has as much time left as it takes there: 78 s, so
// that a job of 25 s slips in. With its speed on the GPU that it had before, known since job 1
// came, it would have 39 s, and job 2 would wait.
func TestSpeedAloneAfterAFault(t *testing.T) {
	cfg := setting(t, uneven{always(0.5)}, [3]int{1, 2, 1}, job(0, 1, 40, "a"), job(5, 2, 1000, "a"), job(12, 1, 25, "a"))
	cfg.Outages, cfg.Until = outage.Schedule{{At: 10 * sim.Second, Machine: 0, GPU: 0}}.Source(), 120*sim.Second
	expect(t, cfg, maker(t, New, "")(), "0 on [0] x1000 0s-10s fault", "0 on [1] x1000 10s-12s tune",
		"2 on [1] x500 12s-112s finish", "0 on [1] x500 12s-112s tune",
		"0 on [1] x1000 112s-120s horizon")
}
