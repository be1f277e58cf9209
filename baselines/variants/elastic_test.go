package variants

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// between is a job that may run on lo to hi GPUs and works so many seconds on what it asks for.
func between(lo, gpus, hi int32, runS, submitS sim.Time) sim.Job {
	return sim.Job{MinGPUs: lo, GPUs: gpus, MaxGPUs: hi, Work: sim.Time(gpus) * runS * s, Submit: submitS * s}
}

// Rules by hand: two machines of four GPUs in one rack that nothing slows, leases of 100 s.
func TestElasticByHand(t *testing.T) {
	rigid := func(gpus int32, runS, submitS sim.Time) sim.Job { return between(gpus, gpus, gpus, runS, submitS) }
	busy := []sim.Job{rigid(2, 1000, 0), rigid(3, 1000, 0)} // they leave two GPUs of machine 0 and one of machine 1
	const they = "0s job 0 on [0 1]\n0s job 1 on [4 5 6]"
	both, one := []sim.Job{between(1, 4, 4, 1000, 0), between(2, 3, 3, 1000, 0)},
		[]sim.Job{between(1, 4, 4, 1000, 0), between(1, 4, 4, 1000, 0)}
	const bothRun, oneRun = "0s job 0 on [0 1 2 3]\n0s job 1 on [4 5 6]", "0s job 0 on [0 1 2 3]\n0s job 1 on [4 5 6 7]"
	for _, c := range []struct {
		name, text string
		make       maker
		jobs       []sim.Job
		want       string
	}{
		{"without a rule it waits", "", makeAuto, append(busy, between(1, 4, 4, 10, 5)), they},
		{"it starts on as many as are near, and the timer does not matter", "shrink=most", makeAuto,
			append(busy, between(1, 4, 4, 10, 5)),
			they + "\n5s job 2 on [2 3]"},
		{"or on its minimum", "shrink=least", makeAuto, append(busy, between(1, 4, 4, 10, 5)),
			they + "\n5s job 2 on [7]"},
		{"but not on fewer", "shrink=most", makeAuto, append(busy, between(3, 4, 4, 10, 5)), they},
		{"without timers it spreads", "shrink=most", makeNoWait, append(busy, between(1, 3, 3, 10, 5)), they +
			"\n5s job 2 on [2 3 7]"},
		{"or starts smaller before that", "shrink=most,before=spread", makeNoWait, append(busy, between(1, 3, 3, 10,
			5)),
			they + "\n5s job 2 on [2 3]"},
		{"in whole workers", "shrink=most", makeAuto, []sim.Job{rigid(1, 1000, 0), rigid(4, 1000, 0),
			workers(2, between(2, 4, 4, 10, 5))},
			"0s job 0 on [0]\n0s job 1 on [4 5 6 7]\n5s job 2 on [1 2]"},
		{"it grows to all it may when nobody takes them", "grow=idle,grow_to=max,rest=0", makeAuto,
			[]sim.Job{between(1, 2, 3, 60, 0), between(1, 2, 2, 1000, 30)}, "0s job 0 on [0 1 2]\n30s job 1 on [4 5]"},
		{"when others end it grows, after its rest", "grow=idle,grow_to=max,rest=0.1", makeAuto,
			[]sim.Job{rigid(2, 5, 0), between(2, 2, 4, 1000, 0), rigid(2, 15, 0), rigid(2, 20, 0)},
			"0s job 0 on [0 1]\n0s job 1 on [2 3]\n0s job 2 on [4 5]\n0s job 3 on [6 7]\n15s resize job 1 to [0 1 2 3]"},
		{"over its machine where it may", "grow=idle,grow_to=max,grow_over=any,rest=0", makeAuto,
			[]sim.Job{between(1, 2, 8, 60, 0), between(1, 2, 2, 1000, 3)},
			"0s job 0 on [0 1 2 3 4 5 6 7]\n15s job 1 on [0 1]"},
		{"and gives that back", "grow=idle,grow_to=max,grow_over=any,yield=grown,rest=0", makeAuto,
			[]sim.Job{between(1, 2, 8, 60, 0), between(1, 3, 3, 1000, 3)},
			"0s job 0 on [0 1 2 3 4 5 6 7]\n3s resize job 0 to [4 5 6 7]\n3s job 1 on [0 1 2]"},
		{"a spread start goes first when growth is for idle GPUs", "grow=idle,grow_to=max,rest=0", makeNoWait,
			[]sim.Job{between(2, 2, 3, 1000, 0), rigid(2, 10, 0), rigid(3, 1000, 0), rigid(3, 1000, 0)},
			"0s job 0 on [0 1]\n0s job 1 on [2 3]\n0s job 2 on [4 5 6]\n10s job 3 on [2 3 7]"},
		{"and else does not start", "grow=before-spread,grow_to=max,rest=0", makeNoWait,
			[]sim.Job{between(2, 2, 3, 1000, 0), rigid(2, 10, 0), rigid(3, 1000, 0), rigid(3, 1000, 0)},
			"0s job 0 on [0 1]\n0s job 1 on [2 3]\n0s job 2 on [4 5 6]\n10s resize job 0 to [0 1 2]"},
		{"one that waits is admitted where one has to give least", "yield=largest,rest=0", makeAuto,
			append(both, rigid(2, 10, 5)),
			bothRun + "\n5s resize job 1 to [4 5]\n5s job 2 on [6 7]"},
		{"on its minimum", "yield=largest,shrink=least,rest=0", makeAuto, append(both, between(2, 4, 4, 10, 5)),
			bothRun + "\n5s resize job 1 to [4 5]\n5s job 2 on [6 7]"},
		{"nobody gives below the minimum", "yield=largest,rest=0", makeAuto,
			[]sim.Job{between(3, 4, 4, 1000, 0), between(3, 4, 4, 1000, 0), rigid(2, 10, 5)}, oneRun},
		{"nor before its rest is over", "yield=largest,rest=0.1", makeAuto, append(one, rigid(2, 10, 5), rigid(1, 10,
			12)),
			oneRun + "\n12s resize job 0 to [0 1]\n12s resize job 1 to [4 5 6]\n12s job 2 on [2 3]\n12s job 3 on [7]"},
		{"what has grown beyond what it asks for yields", "yield=grown,grow=idle,grow_to=max,rest=0", makeAuto,
			[]sim.Job{between(1, 2, 4, 1000, 0), between(1, 4, 4, 1000, 0), rigid(2, 10, 5)},
			oneRun + "\n5s resize job 0 to [0 1]\n5s job 2 on [2 3]\n15s resize job 0 to [0 1 2 3]"},
		{"one that is smaller than it asks for does not", "yield=grown,shrink=most,rest=0", makeAuto,
			[]sim.Job{rigid(1, 1000, 0), rigid(4, 1000, 0), between(1, 4, 4, 1000, 1), rigid(2, 10, 5)},
			"0s job 0 on [0]\n0s job 1 on [4 5 6 7]\n1s job 2 on [1 2 3]"},
		{"and nothing else", "yield=grown,rest=0", makeAuto, append(one, rigid(2, 10, 5)), oneRun},
	} {
		cfg := sim.Config{Topology: hand.Topology(t, 1, 2, 4, 1), Speed: simtest.Counting{},
			Workload: hand.Numbered(t, c.jobs...), Until: 50 * s}
		if got := play(t, cfg, c.make, join("lease=100", c.text)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func workers(of int32, j sim.Job) sim.Job {
	j.WorkerGPUs = of
	return j
}

// At the ends of leases, here of 10 s, everyone contests for what it asks for.
func TestElasticLeases(t *testing.T) {
	rigid := func(gpus int32, runS, submitS sim.Time) sim.Job { return between(gpus, gpus, gpus, runS, submitS) }
	for _, c := range []struct {
		name, text string
		jobs       []sim.Job
		want       string
	}{
		{"a smaller one returns to its size in its machine", "shrink=most",
			[]sim.Job{rigid(2, 12, 0), rigid(4, 18, 0), between(1, 4, 4, 1000, 5)},
			"0s job 0 on [0 1]\n0s job 1 on [4 5 6 7]\n5s job 2 on [2 3]\n10s renew job 0\n10s renew job 1\n15s " +
				"resize job 2 to [0 1 2 3]"},
		{"or in another, at the price of a resize", "shrink=most",
			[]sim.Job{rigid(2, 18, 0), rigid(4, 12, 0), between(1, 4, 4, 1000, 5)},
			"0s job 0 on [0 1]\n0s job 1 on [4 5 6 7]\n5s job 2 on [2 3]\n10s renew job 0\n10s renew job 1\n15s " +
				"resize job 2 to [4 5 6 7]"},
		{"it does not move for fewer than it asks for", "shrink=most",
			[]sim.Job{rigid(2, 18, 0), rigid(3, 12, 0), rigid(1, 18, 0), between(1, 4, 4, 1000, 5)},
			"0s job 0 on [0 1]\n0s job 1 on [4 5 6]\n0s job 2 on [7]\n5s job 3 on [2 3]\n10s renew job 0\n10s renew " +
				"job 1\n10s renew job 2\n15s renew job 3"},
		{"a larger one keeps what nobody takes", "grow=idle,grow_to=max", []sim.Job{between(2, 2, 4, 1000, 0)},
			"0s job 0 on [0 1 2 3]\n10s renew job 0"},
		{"and gives what somebody takes", "grow=idle,grow_to=max",
			[]sim.Job{between(2, 2, 4, 1000, 0), rigid(4, 18, 0), rigid(1, 1000, 5)},
			"0s job 0 on [0 1 2 3]\n0s job 1 on [4 5 6 7]\n10s resize job 0 to [1 2 3]\n10s job 2 on [0]\n10s " +
				"renew job 1"},
	} {
		cfg := sim.Config{Topology: hand.Topology(t, 1, 2, 4, 1), Speed: simtest.Counting{},
			Workload: hand.Numbered(t, c.jobs...), Until: 16 * s}
		if got := play(t, cfg, makeAuto, "lease=10,"+c.text); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Rigid jobs are scheduled as without the rules, whatever the rules.
func TestElasticRulesLeaveRigidJobs(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 16))
		top := hand.Topology(t, 2, 2, 4, 2)
		cfg := sim.Config{Workload: drawn(t, r, 14, 10), Topology: top, Speed: hand.ByLevel{Top: top}, Check: true}
		make := []maker{makeAuto, makeNoWait, makeManual}[r.IntN(3)]
		costs := []float64{0, 2}[r.IntN(2)]
		cfg.Costs.Checkpoint.FixedS, cfg.Costs.Restore.FixedS = costs, costs
		want := play(t, cfg, make, "lease=20")
		if got := play(t, cfg, make, "lease=20,shrink=most,yield=loss,before=spread,grow=before-spread,"+
			"grow_to=max,rest=0"); got != want {
			t.Fatalf("seed %d: with rules\n%s\nwithout\n%s", seed, got, want)
		}
	}
}

func join(a, b string) string {
	if b == "" {
		return a
	}
	return a + "," + b
}

// Drawn elastic workloads, on which every job ends within its range and none is ever given GPUs of
// another, whatever the rules, costs and leases.
func TestElasticWorkloads(t *testing.T) {
	pick := func(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 61))
		top := hand.Topology(t, 1+r.IntN(3), 1+r.IntN(3), 4+4*r.IntN(2), 1+r.IntN(2))
		jobs := make([]sim.Job, 5+r.IntN(60))
		for i := range jobs {
			g := 1 + r.Int32N(12)
			jobs[i] = between(1+r.Int32N(g), g, g+r.Int32N(12), 1+sim.Time(r.IntN(60)), sim.Time(r.IntN(100)))
			if r.IntN(4) == 0 {
				jobs[i] = between(g, g, g, 1+sim.Time(r.IntN(60)), sim.Time(r.IntN(100)))
			} else if jobs[i].GPUs%2 == 0 && r.IntN(4) == 0 {
				jobs[i].WorkerGPUs = 2
			}
		}
		cfg := sim.Config{Workload: hand.Numbered(t, jobs...), Topology: top, Speed: hand.ByLevel{Top: top}}
		cfg.Costs.Checkpoint.FixedS, cfg.Costs.Rescale.FixedS = float64(r.IntN(2)), float64(r.IntN(3))
		text := "lease=" + pick(r, "8", "20") + ",shrink=" + pick(r, "never", "most", "least") +
			",yield=" + pick(r, "never", "grown", "largest", "loss") +
			",before=" + pick(r, "wait", "spread") +
			",grow=" + pick(r, "never", "idle", "before-spread") + ",grow_to=" + pick(r, "asked",
			"max") + ",grow_over=" +
			pick(r, "machine", "any") + ",rest=" + pick(r, "0", "0.3") +
			",renew=" + pick(r, "win", "keep") + ",preempt=" + pick(r, "true", "false")
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Log(text)
			play(t, cfg, []maker{makeAuto, makeNoWait, makeManual}[r.IntN(3)], text) // with all checks
		})
	}
}
