package artist

import (
	"testing"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// A window of 12 leases of 100 s: waits are out of it 1200 s after they were recorded.
func lateTuner(t *testing.T, forget string) plan.TimerSource {
	t.Helper()
	p := simtest.Build(t, "artist-dally", NewDally, "lease=100,history=12,min_rack=1,min_net=1,forget="+forget)()
	return p.(*contest.Policy).Timers()
}

// In the authors' simulator nothing is forgotten while nothing new is recorded; tarry's own tuner
// forgets by age.
func TestOldWaitsStayUntilAnotherIsRecorded(t *testing.T) {
	for _, c := range []struct {
		forget     string
		rack, soon float64 // T_rack long after the wait, and after another wait of less than a lease
	}{{"age", 1, 1}, {"late", 7, 7}} {
		u := lateTuner(t, c.forget)
		u.Accepted(8, cluster.LevelMachine, 700*sim.Second, 0)
		if rack, _, until := u.Timers(8, 1e5*sim.Second); rack != sim.Time(c.rack*1e8) || until != sim.Never {
			t.Errorf("forget=%s: T_rack %v s until %v, expected %v leases and never", c.forget, rack.Seconds(), until,
				c.rack)
		}
		u.Accepted(8, cluster.LevelMachine, 99*sim.Second, 1e5*sim.Second)
		if rack, _, _ := u.Timers(8, 1e5*sim.Second); rack != sim.Time(c.soon*1e8) {
			t.Errorf("forget=%s: T_rack %v s after a short wait, expected %v leases", c.forget, rack.Seconds(), c.soon)
		}
	}
}

// The scan passes over the neighbour of each wait that it removes: of four that are too old the
// second and the fourth stay, of three the second.
func TestScanPassesOverNeighbours(t *testing.T) {
	for n, want := range map[int][]float64{1: {9}, 2: {3, 9}, 3: {3, 9}, 4: {3, 5, 9}} {
		u := lateTuner(t, "late").(*tuner)
		for i := range n {
			u.Accepted(8, cluster.LevelMachine, sim.Time(200+100*i)*sim.Second, 0)
		}
		u.Accepted(8, cluster.LevelMachine, 900*sim.Second, 1201*sim.Second)
		got := u.of(8).machine.wait
		if len(got) != len(want) {
			t.Fatalf("%d old waits: %v are left, expected %v", n, got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%d old waits: %v are left, expected %v", n, got, want)
			}
		}
	}
	u := lateTuner(t, "late").(*tuner) // exactly as old as the window is not too old
	u.Accepted(8, cluster.LevelRack, 200*sim.Second, 0)
	u.Accepted(8, cluster.LevelRack, 300*sim.Second, 1200*sim.Second)
	if got := u.of(8).rack.wait; len(got) != 2 {
		t.Errorf("%v are left, expected both", got)
	}
}

// A copy shares no waits with its source.
func TestCopyOfTunerIsItsOwn(t *testing.T) {
	u := lateTuner(t, "late").(*tuner)
	u.Accepted(8, cluster.LevelMachine, 700*sim.Second, 0)
	c := u.Copied(nil)
	u.Accepted(8, cluster.LevelMachine, 900*sim.Second, 1201*sim.Second)
	if rack, _, _ := c.Timers(8, 1201*sim.Second); rack != 700*sim.Second {
		t.Errorf("T_rack of the copy is %v s, expected 7 leases of 100 s", rack.Seconds())
	}
}
