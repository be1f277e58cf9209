package variants

import (
	"strings"
	"testing"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// artist-dally is dally with mode=artist, and lists no mode.
func TestArtistDally(t *testing.T) {
	top := topology(t, 1, 1, 1, 1)
	cfg := sim.Config{Topology: top, Speed: byLevel{top}, Workload: workload(t,
		sim.Job{GPUs: 1, Work: 4000 * s, Iterations: 4000, IterS: 1},
		sim.Job{GPUs: 1, Work: 4000 * s, Iterations: 4000, IterS: 1})}
	if set := "lease=1500"; play(t, cfg, NewArtist, set) == play(t, cfg, makeAuto, set) {
		t.Error("the habits change nothing")
	}
	for _, set := range []string{"lease=1500", "lease=1500,chunk=700",
		"lease=1500,early=never,settle=3", "lease=900,forget=age"} {
		got, want := play(t, cfg, NewArtist, set), play(t, cfg, makeAuto, "mode=artist,"+set)
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", set, got, want)
		}
	}
	if _, err := NewArtist(param.Parse("policy artist-dally", "mode=artist"), cluster.BestFit); err == nil {
		t.Error("artist-dally takes mode")
	}
}

// In the authors' simulator a wait of 8 leases counts long after it has left the window.
func TestArtistForgetsLate(t *testing.T) {
	for spec, want := range map[string]sim.Time{"": 6, "mode=artist": 8, "mode=artist,forget=age": 6, "forget=late": 8} {
		timers := build(t, makeAuto, spec)().(*contest.Policy).Timers()
		timers.Accepted(8, cluster.LevelMachine, 8*3600*s, 0)
		if rack, _, _ := timers.Timers(8, 1e5*s); rack != want*3600*s {
			t.Errorf("dally:%s: T_rack is %v s, expected %v leases", spec, rack.Seconds(), want)
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
	if got := play(t, cfg, makeAuto, "mode=artist,chunk=100,lease=100,wake=timers"); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant it to begin with\n%s", got, want)
	}
}
