package tiresiassim

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/tiresias"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, make func(*param.Set, cluster.Rule) (sim.Policy, error), text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "tiresias-sim", make, text)
}

// expect runs jobs, which are in order of submission, on racks x machines x gpus and compares.
func expect(t *testing.T, p sim.Policy, shape [3]int, outages outage.Schedule, jobs []sim.Job, want ...string) {
	t.Helper()
	simtest.ByHand{Shape: shape, Outages: outages, Jobs: jobs}.Expect(t, p, want...)
}

// With settings that need explicit lists.
func TestConformanceOfLists(t *testing.T) {
	simtest.Conform(t, "tiresias-sim", New, simtest.Options{}.Settings(
		"",
		"queues=2/5/9,demote=exact,promote=1.5",
		"queues=2/5",
		"queues=4,inside=submitted,every_s=3,service=held,penalty=1/2,place=consolidate",
		"queues=40,inside=submitted,ties=waiting-first,every_s=30,penalty=1/2",
		"queues=2/5,inside=started,promote=2,penalty=0.5",
		"queues=4,inside=started,every_s=5,promote=1",
		"queues=40,inside=joined,every_s=6,service=held,place=emptiest",
		"queues=4/9,inside=joined,demote=exact,promote=1,place=emptiest",
		"queues=4/9,inside=started,demote=exact,place=lowest,penalty=1/2",
	))
	simtest.Conform(t, "tiresias-sim", New, simtest.Options{Without: simtest.Costs}.Settings(
		"queues=4/9,demote=whole,service=held,interrupt=0.2,promote=2",
	))
}

// With lists and the published order, Tiresias is what it is without, where every selected job has a
// place: by lists a selected job that has none keeps the GPUs of others unused.
func TestListsChangeNothing(t *testing.T) {
	for seed := range uint64(200) {
		cfg := hand.Tiny(t, rand.New(rand.NewPCG(seed, 3)))
		for _, promote := range []string{"", ",promote=1.5"} {
			a, err := sim.Run(context.Background(), cfg, policy(t, tiresias.New, "queues=4/9.5,place=skew"+promote)())
			if err != nil {
				t.Fatal(err)
			}
			b, err := sim.Run(context.Background(), cfg, policy(t, New,
				"inside=started,demote=exact,place=skew,queues=4/9.5"+promote)())
			if err != nil {
				t.Fatal(err)
			}
			for id := range cfg.Workload.Jobs {
				x, y := a.Record(sim.JobID(id)), b.Record(sim.JobID(id))
				x.Level, y.Level, x.ByLevel, y.ByLevel = 0, 0, [5]int32{}, [5]int32{} // lists place after all give way
				if x != y {
					t.Fatalf("seed %d%s, job %d:\n%+v\nwith lists\n%+v", seed, promote, id, x, y)
				}
			}
		}
	}
}

// Job 1 falls at 4 s and job 0, which started first, at 6 s: from 7 s on job 0 has to wait.
func TestJoined(t *testing.T) {
	for _, every := range []string{",demote=exact", ",every_s=1,service=held"} {
		expect(t, policy(t, New, "queues=6,inside=joined,place=emptiest"+every)(), [3]int{1, 1, 3}, nil,
			[]sim.Job{hand.Job(0, 1, 20), hand.Job(1, 2, 10), hand.Job(7, 1, 2)},
			"0 on [0] 0s-7s preempt", "2 on [0] 7s-9s finish", "1 on [1 2] 1s-11s finish", "0 on [0] 9s-22s finish")
	}
}

// Job 2 takes one of the two GPUs of job 0, and job 1 takes the other. When job 2 ends, the paper
// gives them back to job 0, which started first; with pending-last job 0 has to wait, because job 1
// runs.
func TestPendingLast(t *testing.T) {
	jobs := func() []sim.Job {
		return []sim.Job{hand.Job(0, 2, 20), hand.Job(1, 1, 30), hand.Job(14, 1, 2)}
	}
	first := []string{"0 on [0 1] 0s-4s preempt", "1 on [0] 4s-12s preempt", "0 on [0 1] 12s-14s preempt",
		"2 on [0] 14s-16s finish"}
	expect(t, policy(t, tiresias.New, "queues=8")(), [3]int{1, 1, 2}, nil, jobs(),
		append(slices.Clone(first), "1 on [1] 14s-16s preempt", "0 on [0 1] 16s-30s finish",
			"1 on [0] 30s-50s finish")...)
	expect(t, policy(t, New, "queues=8,demote=exact")(), [3]int{1, 1, 2}, nil, jobs(),
		append(slices.Clone(first), "1 on [1] 14s-36s finish", "0 on [0 1] 36s-50s finish")...)
	// Job 2 was submitted after both.
	expect(t, policy(t, New, "queues=8,demote=exact,inside=submitted,ties=waiting-first")(), [3]int{1, 1, 2}, nil,
		jobs(),
		append(slices.Clone(first), "1 on [1] 14s-16s preempt", "0 on [0 1] 16s-30s finish",
			"1 on [0] 30s-50s finish")...)
}

// The arrival at 2 s makes the next look (10 - 2)/2 s later, where the bound was reached at 5 s.
func TestLateDemotion(t *testing.T) {
	jobs := func() []sim.Job { return []sim.Job{hand.Job(0, 2, 20), hand.Job(2, 2, 4)} }
	expect(t, policy(t, tiresias.New, "queues=10")(), [3]int{1, 1, 2}, nil, jobs(),
		"0 on [0 1] 0s-5s preempt", "1 on [0 1] 5s-9s finish", "0 on [0 1] 9s-24s finish")
	expect(t, policy(t, New, "queues=10,inside=started")(), [3]int{1, 1, 2}, nil, jobs(),
		"0 on [0 1] 0s-6s preempt", "1 on [0 1] 6s-10s finish", "0 on [0 1] 10s-24s finish")
}

// Decisions at multiples of 4 s: job 0 is demoted at 8 s, not at 5 s. The preemption adds 3 s, of
// which job 0 has worked off none when it is preempted; it holds GPUs for 20 + 3 s in all.
func TestGridAndPenalty(t *testing.T) {
	expect(t, policy(t, New, "queues=10,inside=started,every_s=4,penalty=3,service=held")(), [3]int{1, 1, 2}, nil,
		[]sim.Job{hand.Job(1, 2, 20), hand.Job(2, 2, 3)},
		"0 on [0 1] 4s-12s preempt", "1 on [0 1] 12s-15s finish", "0 on [0 1] 16s-31s finish")
}

func TestSettingsThatDisagree(t *testing.T) {
	for text, want := range map[string]string{
		"service=held,demote=exact": "policy tiresias-sim: service=held belongs to every_s > 0 or demote=late or " +
			"whole, and every_s is 0",
		"every_s=60,demote=late": "policy tiresias-sim: demote=late belongs to every_s=0: with every_s all is " +
			"looked at every 60s",
		"ties=waiting-first": "policy tiresias-sim: ties=waiting-first belongs to inside=submitted, and " +
			"inside is pending-last",
		"every_s=0.0001": "policy tiresias-sim: every_s is 0.0001s, expected 0 (at every event) or " +
			"0.001 s or more",
		"inside=pending":                  `policy tiresias-sim: inside is "pending", expected pending-last, started, submitted, joined`,
		"inside=submitted,penalty=40/x":   `policy tiresias-sim: penalty is "40/x", expected numbers separated by '/', each a number in 0..1e+09`,
		"inside=pending-last,every_s=-60": `policy tiresias-sim: every_s is "-60", expected a number in 0..1e+09`,
	} {
		if _, err := New(param.Parse("policy tiresias-sim", text), cluster.BestFit); err == nil || err.Error() != want {
			t.Errorf("%s: error %v\nwant %s", text, err, want)
		}
	}
}
