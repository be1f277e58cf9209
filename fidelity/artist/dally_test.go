package artist

import (
	"strings"
	"testing"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

const s = sim.Second

type maker = func(*param.Set, cluster.Rule) (sim.Policy, error)

// TestConformance: both policies keep the kernel's rules on small random workloads.
func TestConformance(t *testing.T) {
	for name, make := range map[string]maker{"artist-dally": NewDally, "artist-tiresias": NewTiresias} {
		t.Run(name, func(t *testing.T) {
			o := simtest.Options{Seeds: 80, Without: simtest.Costs}
			simtest.Policy(t, simtest.Build(t, name, make, "lease=6"), o)
			// With costs a lease must be longer than they are, or no job ever makes progress.
			o.Without = 0
			simtest.Policy(t, simtest.Build(t, name, make, "lease=60"), o)
		})
	}
}

// Chunks and late contests each change a run, and without any habit it is the run of dally.
func TestHabits(t *testing.T) {
	top := hand.Topology(t, 1, 1, 1, 1)
	cfg := sim.Config{Topology: top, Speed: hand.ByLevel{Top: top}, Workload: hand.Numbered(t,
		sim.Job{GPUs: 1, Work: 4000 * s, Iterations: 4000, IterS: 1},
		sim.Job{GPUs: 1, Work: 4000 * s, Iterations: 4000, IterS: 1})}
	want := play(t, cfg, dally.New(dally.Auto), "lease=1500")
	for set, changes := range map[string]bool{"chunk=0,settle=0,renew=win": false, "chunk=700,settle=0,renew=win": true,
		"chunk=0,settle=3,renew=return": true, "chunk=0,settle=0,renew=return": false} {
		got := play(t, cfg, NewDally, "lease=1500,forget=age,wake=timers,"+set)
		if (got != want) != changes {
			t.Errorf("%s: got\n%s\nwithout\n%s\nexpected them to differ: %v", set, got, want, changes)
		}
	}
}

// TestWrongSettings: each fault is named.
func TestWrongSettings(t *testing.T) {
	for text, want := range map[string]string{
		"mode=artist":        "unknown key \"mode\"",
		"evict=later":        "unknown key \"evict\"",
		"chunk=-5":           "chunk is \"-5\", expected a number in 0..1e+12",
		"settle=-1":          "settle is \"-1\", expected a number in 0..1e+09",
		"renew=win,settle=1": "settle is 1 s with renew=win or keep, expected 0",
	} {
		if _, err := NewDally(param.Parse("policy artist-dally", text), cluster.BestFit); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %s", text, err, want)
		}
	}
}

// In the authors' simulator a wait of 8 leases counts long after it has left the window.
func TestArtistForgetsLate(t *testing.T) {
	for spec, want := range map[string]sim.Time{"": 8, "forget=age": 6, "forget=late": 8} {
		timers := simtest.Build(t, "artist-dally", NewDally, spec)().(*contest.Policy).Timers()
		timers.Accepted(8, cluster.LevelMachine, 8*3600*s, 0)
		if rack, _, _ := timers.Timers(8, 1e5*s); rack != want*3600*s {
			t.Errorf("artist-dally:%s: T_rack is %v s, expected %v leases", spec, rack.Seconds(), want)
		}
	}
}

// With timers as events the contests that were put off are still held when they are due: no grant
// begins in the past.
func TestContestsArePutOffWithTimersAsEvents(t *testing.T) {
	top := hand.Topology(t, 1, 1, 1, 1)
	cfg := sim.Config{Topology: top, Speed: hand.ByLevel{Top: top}, Workload: hand.Numbered(t,
		sim.Job{GPUs: 1, Work: 400 * s, Iterations: 400, IterS: 1},
		sim.Job{GPUs: 1, Work: 400 * s, Iterations: 400, IterS: 1})}
	want := "0s job 0 on [0]\n100s preempt job 0\n101s job 1 on [0]\n201s preempt job 1\n202s job 0 on [0]"
	if got := play(t, cfg, NewDally, "chunk=100,lease=100,wake=timers"); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant it to begin with\n%s", got, want)
	}
}

// play gives the decisions of a run.
func play(t *testing.T, cfg sim.Config, make maker, text string) string {
	t.Helper()
	return hand.Starts(t, cfg, simtest.Build(t, "artist-dally", make, text)())
}
