package service

import (
	"math"
	"testing"
)

// The closed form is the sum over small steps, for draining, growing and lasting backlogs.
func TestLedgerIsTheSumOfSmallSteps(t *testing.T) {
	const parts = 200000
	for _, deadline := range []float64{0, 0.05, 0.4, 3} {
		for _, s := range []Span{{To: 10e6, LoadPerS: 5, CapacityPerS: 12, Replicas: 3, Backlog: 20},
			{To: 10e6, LoadPerS: 15, CapacityPerS: 12, Replicas: 3}, {To: 10e6, LoadPerS: 15, Backlog: 3},
			{To: 10e6, LoadPerS: 12, CapacityPerS: 12, Replicas: 3, Backlog: 7},
			{To: 4e6, LoadPerS: 11, CapacityPerS: 12, Replicas: 3, Backlog: 20}, {To: 4e6, CapacityPerS: 12, Replicas: 3}} {
			spec := Spec{Name: "one", RatePerS: 4, DeadlineS: deadline}
			q, good, area, dt := s.Backlog, 0.0, 0.0, s.Seconds()/parts
			for range parts {
				next := max(0, q+(s.LoadPerS-s.CapacityPerS)*dt)
				if mid := (q + next) / 2; deadline == 0 {
					good += s.LoadPerS*dt - (next - q)
				} else if s.CapacityPerS > 0 && mid/s.CapacityPerS+float64(s.Replicas)/s.CapacityPerS <= deadline {
					good += s.LoadPerS * dt
				}
				area += (q + next) / 2 * dt
				q = next
			}
			var l Ledger
			l.Backlog = s.Backlog
			l.Arrived = s.Backlog // what waits came before
			l.Add(&spec, Fluid, &s)
			if math.Abs(l.Good-good) > 1e-3 || math.Abs(l.Backlog-q) > 1e-6 || math.Abs(l.BacklogS-area) > 1e-3 ||
				math.Abs(l.Arrived-l.Served-l.Backlog) > 1e-9 {
				t.Errorf("deadline %v, %+v: %+v, expected %v good, %v waiting, %v request-seconds", deadline, s, l, good, q,
					area)
			}
		}
	}
}

// What is wrong with a service is named.
func TestValidate(t *testing.T) {
	good := Spec{Name: "a", Replicas: 1, RatePerS: 2}
	if err := (&Model{Services: []Spec{good}}).Validate(4); err != nil {
		t.Error(err)
	}
	for _, m := range []Model{{Services: []Spec{good, good}}, {Own: make([]bool, 3)}, {Latency: 2},
		{Services: []Spec{{Name: "a", RatePerS: 2}}}, {Services: []Spec{{Name: "a", Replicas: 1}}},
		{Services: []Spec{{Name: "a", Replicas: 1, RatePerS: 1, Target: 1}}},
		{Services: []Spec{{Name: "a", Replicas: 1, RatePerS: 1, DeadlineS: -1}}}} {
		if m.Validate(4) == nil {
			t.Errorf("%+v is valid, expected an error", m)
		}
	}
}
