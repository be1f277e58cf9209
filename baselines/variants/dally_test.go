package variants

import (
	"math"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

const s = sim.Second

// Two racks of two machines of two GPUs. Long jobs leave one GPU free on each of two machines;
// a job of two finds no machine, and its timers open at 2 and 5 leases of 10 s.
func TestTimersOpenWhenTheyEnd(t *testing.T) {
	top := hand.Topology(t, 2, 2, 2, 1)
	cfg := sim.Config{Topology: top, Speed: hand.ByLevel{Top: top}}
	cfg.Workload = hand.Numbered(t,
		sim.Job{GPUs: 1, Work: 1000 * s}, sim.Job{GPUs: 1, Work: 1 * s}, // machine 0
		sim.Job{GPUs: 1, Work: 1000 * s}, sim.Job{GPUs: 1, Work: 1 * s}, // machine 1
		sim.Job{GPUs: 2, Work: 2 * 500 * s}, sim.Job{GPUs: 2, Work: 2 * 500 * s}, // machines 2 and 3
		sim.Job{GPUs: 2, Work: 8 * s, Submit: 2 * s})
	got := play(t, cfg, makeAuto, "lease=10,t_rack=2,t_net=5,preempt=false")
	if want := "22s job 6 on [1 3]"; !strings.Contains(got, want) {
		t.Errorf("%s\nwant %q: the rack timer opens 20 s after the arrival at 2 s, with no other event", got, want)
	}
	// Without room in one rack the job waits for the network timer.
	cfg.Workload = hand.Numbered(t,
		sim.Job{GPUs: 1, Work: 1000 * s}, sim.Job{GPUs: 1, Work: 1 * s},
		sim.Job{GPUs: 2, Work: 2 * 500 * s},
		sim.Job{GPUs: 1, Work: 1000 * s}, sim.Job{GPUs: 1, Work: 1 * s},
		sim.Job{GPUs: 2, Work: 2 * 500 * s},
		sim.Job{GPUs: 2, Work: 8 * s, Submit: 2 * s})
	got = play(t, cfg, makeAuto, "lease=10,t_rack=2,t_net=5,preempt=false")
	if want := "52s job 6 on [1 5]"; !strings.Contains(got, want) {
		t.Errorf("%s\nwant %q", got, want)
	}
	got = play(t, cfg, makeAuto, "lease=10,t_rack=2,t_net=5,preempt=false,wake=events")
	if strings.Contains(got, "22s job 6") || strings.Contains(got, "52s job 6") {
		t.Errorf("%s\nwith wake=events nothing may start at the end of a timer", got)
	}
}

// A job that the network slows goes before one that it does not, and new jobs first of all.
func TestNetworkSensitiveOrder(t *testing.T) {
	top := hand.Topology(t, 1, 2, 2, 1)
	p := dally.NewPolicy(dally.Default(), nil)
	cfg := sim.Config{Topology: top, Speed: hand.ByLevel{Top: top}, Workload: hand.Numbered(t,
		sim.Job{GPUs: 1, Work: 100 * s}, sim.Job{GPUs: 3, Work: 300 * s}, sim.Job{GPUs: 1, Work: 100 * s})}
	e, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	e.Permit(p.Knows())
	e.Next()
	if err := e.Apply([]sim.Decision{{Kind: sim.Start, Job: 0, GPUs: []cluster.GPU{0}, Lease: 40 * s},
		{Kind: sim.Start, Job: 1, GPUs: []cluster.GPU{1, 2, 3}, Lease: 40 * s}}); err != nil {
		t.Fatal(err)
	}
	v, _, _ := e.Next()
	// One GPU computes all the time: N = 1. Three over two machines run at half speed: N = 1/2.
	for j, want := range []float64{1, 0.5, 0} {
		if got := p.Order(v, sim.JobID(j)) / dally.Resolution; math.Abs(got-want) > 1e-9 {
			t.Errorf("job %d: N = %v, want %v", j, got, want)
		}
	}
}

func TestLeases(t *testing.T) {
	top := hand.Topology(t, 1, 1, 2, 1)
	cfg := sim.Config{Topology: top, Speed: hand.ByLevel{Top: top}, Workload: hand.Numbered(t, sim.Job{GPUs: 2,
		Work: 2 * 36 * s},
		sim.Job{GPUs: 2, Work: 2 * 9 * s, Submit: 15 * s})}
	// Speed 0.9: 40 s alone. Its lease is renewed at 10 s; at 20 s the new job goes first.
	want := "0s job 0 on [0 1]\n10s renew job 0\n20s preempt job 0\n20s job 1 on [0 1]\n30s job 0 on [0 1]\n40s " +
		"renew job 0"
	if got := play(t, cfg, makeAuto, "lease=10"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = "0s job 0 on [0 1]\n40s job 1 on [0 1]"
	if got := play(t, cfg, makeAuto, "lease=10,preempt=false"); got != want {
		t.Errorf("without preemption got\n%s\nwant\n%s", got, want)
	}
	// With a checkpoint of 2 s the GPUs change hands at 22 s; a renewal still costs nothing.
	cfg.Costs.Checkpoint.FixedS = 2
	want = "0s job 0 on [0 1]\n10s renew job 0\n20s preempt job 0\n22s job 1 on [0 1]\n32s job 0 on [0 1]\n42s " +
		"renew job 0"
	if got := play(t, cfg, makeAuto, "lease=10"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A holder of a worse place than its timers would accept loses it, unless it may keep it.
func TestKeep(t *testing.T) {
	top := hand.Topology(t, 1, 2, 2, 1)
	cfg := sim.Config{Topology: top, Speed: hand.ByLevel{Top: top}, Workload: hand.Numbered(t,
		sim.Job{GPUs: 1, Work: 100 * s}, sim.Job{GPUs: 1, Work: 1 * s}, sim.Job{GPUs: 1, Work: 100 * s},
		sim.Job{GPUs: 1, Work: 1 * s},
		sim.Job{GPUs: 2, Work: 20 * s, Submit: 2 * s})}
	text := "lease=10,t_rack=0.5,t_net=9,order=las"
	if got := play(t, cfg, makeAuto, text); !strings.Contains(got, "7s job 4 on [1 3]") ||
		!strings.Contains(got, "17s preempt job 4") {
		t.Errorf("the place over two machines should be taken at 7 s and lost at 17 s:\n%s", got)
	}
	if got := play(t, cfg, makeAuto, text+",renew=keep"); !strings.Contains(got, "17s renew job 4") {
		t.Errorf("with renew=keep the place should be kept at 17 s:\n%s", got)
	}
}

func TestWrongSettings(t *testing.T) {
	for text, want := range map[string]string{
		"lease=0":       "lease is \"0\", expected a number in 0.001..1e+09",
		"t_rack=-1":     "t_rack is \"-1\", expected a number >= 0 (inf allowed)",
		"t_net=soon":    "t_net is \"soon\", expected a number >= 0 (inf allowed)",
		"history=0":     "history is \"0\", expected a number in 1..1e+09",
		"order=nw":      "order is \"nw\", expected network, fifo, las, srpt, srsf",
		"renew=maybe":   "renew is \"maybe\", expected ",
		"preempt=1":     "preempt is \"1\", expected true or false",
		"t_rak=6":       "unknown key \"t_rak\", expected one of ",
		"wake=polling":  "wake is \"polling\", expected ",
		"evict=late":    "evict is \"late\", expected none, later; did you mean \"later\"?",
		"min_run=-1":    "min_run is \"-1\", expected a number in 0..10000",
		"every=inf":     "every is \"inf\", expected ",
		"timers=manuel": "did you mean \"manual\"?",
	} {
		if _, err := makeAuto(param.Parse("policy dally", text), cluster.BestFit); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %s", text, err, want)
		}
	}
}

// play gives the decisions of a run.
func play(t *testing.T, cfg sim.Config, make maker, text string) string {
	t.Helper()
	return hand.Starts(t, cfg, simtest.Build(t, "dally", make, text)())
}
