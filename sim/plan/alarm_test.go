package plan_test

import (
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/plan"
)

// An alarm asks only for changes, takes a timer back while it is to come, and rings once.
func TestAlarm(t *testing.T) {
	var a plan.Alarm
	type step struct {
		now, at sim.Time // Set at now to at
		asks    []sim.Time
		rung    bool // before it
		had     sim.Time
	}
	for i, s := range []step{
		{0, sim.Never, nil, false, sim.Never},
		{0, 5, []sim.Time{5}, false, sim.Never},
		{2, 5, nil, false, 5},
		{3, 9, []sim.Time{9}, false, 5},
		{4, sim.Never, []sim.Time{sim.Never}, false, 9},
		{5, sim.Never, nil, false, sim.Never},
		{6, 8, []sim.Time{8}, false, sim.Never},
		{8, sim.Never, nil, true, sim.Never}, // it has fired: there is nothing to take back
		{8, 10, []sim.Time{10}, false, sim.Never},
		{12, 13, []sim.Time{13}, true, sim.Never},
	} {
		if rung, had := a.Rung(s.now), a.At(s.now); rung != s.rung || had != s.had {
			t.Errorf("step %d: rung %v, set for %v, expected %v and %v", i, rung, had, s.rung, s.had)
		}
		if a.Rung(s.now) {
			t.Errorf("step %d: it rings twice", i)
		}
		var asks []sim.Time
		for _, d := range a.Set(s.now, s.at, nil) {
			if d.Kind != sim.WakeAt || d.Key != 0 {
				t.Errorf("step %d: %+v, expected a timer of key 0", i, d)
			}
			asks = append(asks, d.At)
		}
		if !slices.Equal(asks, s.asks) {
			t.Errorf("step %d: it asks for %v, expected %v", i, asks, s.asks)
		}
	}
}

// Without Rung, a timer that has fired is none; a copy goes its own way; the key is in the
// decision; a warm one allocates nothing.
func TestAlarmFiredAndCopied(t *testing.T) {
	a := plan.Alarm{Key: 3}
	out := a.Set(0, 5, nil)
	b := a
	if out = b.Set(5, 6, out); len(out) != 2 || out[1].Key != 3 || b.At(5) != 6 {
		t.Errorf("after it has fired the copy asks for %+v", out[1:])
	}
	if a.At(4) != 5 || len(a.Set(5, sim.Never, nil)) != 0 {
		t.Error("the first alarm changed with its copy, or takes a timer back that has fired")
	}
	now := sim.Time(10)
	if n := testing.AllocsPerRun(100, func() {
		now++
		out = a.Set(now, now+1, out[:0])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
