package dally

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// A window of 12 leases of 100 s: waits are out of it 1200 s after they were recorded.
func lateTuner(late bool) *tuner {
	return &tuner{lease: 100 * sim.Second, history: 12, minRack: 1, minNet: 1, maxNet: 12, late: late}
}

// In the authors' simulator nothing is forgotten while nothing new is recorded; tarry's own tuner
// forgets by age.
func TestOldWaitsStayUntilAnotherIsRecorded(t *testing.T) {
	for _, c := range []struct {
		late       bool
		rack, soon float64 // T_rack long after the wait, and after another wait of less than a lease
	}{{false, 1, 1}, {true, 7, 7}} {
		u := lateTuner(c.late)
		u.Accepted(8, cluster.LevelMachine, 700*sim.Second, 0)
		if rack, _, until := u.Timers(8, 1e5*sim.Second); rack != sim.Time(c.rack*1e8) || until != sim.Never {
			t.Errorf("late=%v: T_rack %v s until %v, expected %v leases and never", c.late, rack.Seconds(), until,
				c.rack)
		}
		u.Accepted(8, cluster.LevelMachine, 99*sim.Second, 1e5*sim.Second)
		if rack, _, _ := u.Timers(8, 1e5*sim.Second); rack != sim.Time(c.soon*1e8) {
			t.Errorf("late=%v: T_rack %v s after a short wait, expected %v leases", c.late, rack.Seconds(), c.soon)
		}
	}
}

// The scan passes over the neighbour of each wait that it removes: of four that are too old the
// second and the fourth stay, of three the second.
func TestScanPassesOverNeighbours(t *testing.T) {
	for n, want := range map[int][]float64{1: {9}, 2: {3, 9}, 3: {3, 9}, 4: {3, 5, 9}} {
		u := lateTuner(true)
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
	u := lateTuner(true) // exactly as old as the window is not too old
	u.Accepted(8, cluster.LevelRack, 200*sim.Second, 0)
	u.Accepted(8, cluster.LevelRack, 300*sim.Second, 1200*sim.Second)
	if got := u.of(8).rack.wait; len(got) != 2 {
		t.Errorf("%v are left, expected both", got)
	}
}

func TestArtistForgetsLate(t *testing.T) {
	for spec, want := range map[string]bool{"": false, "mode=artist": true, "mode=artist,forget=age": false,
		"forget=late": true} {
		p, err := New(param.Parse("policy dally", spec), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.(*Policy).timers.(*tuner).late; got != want {
			t.Errorf("dally:%s: late is %v, expected %v", spec, got, want)
		}
	}
}

// With timers as events the contests that were put off are still held when they are due: no grant
// begins in the past.
func TestContestsArePutOffWithTimersAsEvents(t *testing.T) {
	top := topology(t, 1, 1, 1, 1)
	cfg := sim.Config{Topology: top, Speed: byLevel{top}, Workload: workload(t,
		sim.Job{GPUs: 1, Work: 400 * s, Iterations: 400, IterS: 1},
		sim.Job{GPUs: 1, Work: 400 * s, Iterations: 400, IterS: 1})}
	want := "0s job 0 on [0]\n100s preempt job 0\n101s job 1 on [0]\n201s preempt job 1\n202s job 0 on [0]"
	if got := play(t, cfg, New, "mode=artist,chunk=100,lease=100,wake=timers"); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant it to begin with\n%s", got, want)
	}
}

// A long wait for a rack: as published the window caps T_net, and the floor with it; a cap of its
// own goes before the window, and the floor before the cap.
func TestCapOfTNet(t *testing.T) {
	for spec, want := range map[string]float64{"": 12, "history=20": 20, "min_net=15": 12, "max_net=16": 16,
		"max_net=16,min_net=18": 18, "max_net=inf": 40, "max_net=4": 12, "max_net=4,min_net=3": 4} {
		p, err := New(param.Parse("policy dally", strings.TrimPrefix(spec+",lease=100", ",")), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		u := p.(*Policy).timers
		u.Accepted(8, cluster.LevelRack, 4000*sim.Second, 0)
		if _, net, _ := u.Timers(8, sim.Second); net != sim.Time(want*1e8) {
			t.Errorf("dally:%s: T_net is %v s, expected %v leases of 100 s", spec, net.Seconds(), want)
		}
	}
}
