package dally

import (
	"strings"
	"testing"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// A long wait for a rack: as published the window caps T_net, and the floor with it; a cap of its
// own goes before the window, and the floor before the cap.
func TestCapOfTNet(t *testing.T) {
	for spec, want := range map[string]float64{"": 12, "history=20": 20, "min_net=15": 12, "max_net=16": 16,
		"max_net=16,min_net=18": 18, "max_net=inf": 40, "max_net=4": 12, "max_net=4,min_net=3": 4} {
		p, err := New(Auto)(param.Parse("policy dally", strings.TrimPrefix(spec+",lease=100", ",")), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		u := p.(*contest.Policy).Timers()
		u.Accepted(8, cluster.LevelRack, 4000*sim.Second, 0)
		if _, net, _ := u.Timers(8, sim.Second); net != sim.Time(want*1e8) {
			t.Errorf("dally:%s: T_net is %v s, expected %v leases of 100 s", spec, net.Seconds(), want)
		}
	}
}

// The auto-tuner's numbers by hand: waits of 8 and 12 leases give mean 10 and deviation 2, so 14.
func TestTuner(t *testing.T) {
	L := 100 * sim.Second
	tu := &tuner{lease: L, Bounds: Bounds{history: 50, minRack: 6, minNet: 12, maxNet: 50}}
	check := func(now sim.Time, rack, net float64, until sim.Time) {
		t.Helper()
		r, n, u := tu.Timers(4, now)
		if r != sim.Time(rack*float64(L)) || n != sim.Time(net*float64(L)) || u != until {
			t.Errorf("at %v: timers %v %v until %v, want %v %v leases until %v", now, r, n, u, rack, net, until)
		}
	}
	check(0, 6, 12, sim.Never) // nothing seen: the estimate is 1, the lower bounds hold
	tu.Accepted(4, cluster.LevelMachine, 8*L, 1000*sim.Second)
	tu.Accepted(4, cluster.LevelSlot, 12*L, 2000*sim.Second)
	tu.Accepted(4, cluster.LevelMachine, L-1, 2000*sim.Second)  // shorter than a lease: not stored
	tu.Accepted(2, cluster.LevelMachine, 30*L, 2000*sim.Second) // another demand
	check(2000*sim.Second, 14, 12, 1000*sim.Second+50*L+1)
	tu.Accepted(4, cluster.LevelRack, 20*L, 2500*sim.Second)
	check(2500*sim.Second, 14, 20, 1000*sim.Second+50*L+1)
	check(1000*sim.Second+50*L, 14, 20, 1000*sim.Second+50*L+1) // the wait of 8 is just not forgotten
	check(1000*sim.Second+50*L+1, 12, 20, 2000*sim.Second+50*L+1)
	tu.Accepted(4, cluster.LevelMachine, 90*L, 6500*sim.Second)
	r, n, _ := tu.Timers(4, 6500*sim.Second)
	if r != 40*L || n != 20*L {
		t.Errorf("caps: %v %v, want 0.8 H = 40 and 20 leases", r, n)
	}
	tu.Accepted(4, cluster.LevelRack, 90*L, 6500*sim.Second)
	if _, n, _ := tu.Timers(4, 6500*sim.Second); n != 50*L {
		t.Errorf("cap of the network timer: %v, want H = 50 leases", n)
	}
	tu = &tuner{lease: L, Bounds: Bounds{history: 12, minRack: 6, minNet: 12, maxNet: 12}}
	tu.Accepted(4, cluster.LevelRack, 90*L, 6500*sim.Second) // T_net can only be 12, until this is forgotten
	check(6500*sim.Second, 6, 12, 6500*sim.Second+12*L+1)
}
