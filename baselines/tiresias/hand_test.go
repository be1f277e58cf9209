package tiresias

import (
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// expect runs jobs, which are in order of submission, on racks x machines x gpus and compares.
func expect(t *testing.T, p sim.Policy, shape [3]int, outages outage.Schedule, jobs []sim.Job, want ...string) {
	t.Helper()
	simtest.ByHand{Shape: shape, Outages: outages, History: history(), Jobs: jobs}.Expect(t, p, want...)
}

func history() []sim.Time { return []sim.Time{2 * sim.Second, 20 * sim.Second} }

// A gang of 2 reaches 10 GPU-seconds after 5 s of running, not 10 and not (10-t)/2.
func TestDemotionOfAGang(t *testing.T) {
	expect(t, policy(t, New, "queues=10")(), [3]int{1, 1, 2}, nil, []sim.Job{hand.Job(0, 2, 20), hand.Job(1, 2,
		4)},
		"0 on [0 1] 0s-5s preempt", "1 on [0 1] 5s-9s finish", "0 on [0 1] 9s-24s finish")
}

// Inside a queue the first started goes first: a newcomer with less service does not preempt.
func TestFirstStartedKeepsItsPlace(t *testing.T) {
	expect(t, policy(t, New, "queues=100")(), [3]int{1, 1, 1}, nil, []sim.Job{hand.Job(0, 1, 20), hand.Job(1, 1,
		1)},
		"0 on [0] 0s-20s finish", "1 on [0] 20s-21s finish")
}

// Every bound is an event at its instant, and the watch is set again after a preemption.
func TestBoundsAreEvents(t *testing.T) {
	expect(t, policy(t, New, "queues=3/6")(), [3]int{1, 1, 3}, nil, []sim.Job{hand.Job(0, 3, 5), hand.Job(0.5,
		3, 5)},
		"0 on [0 1 2] 0s-1s preempt", "1 on [0 1 2] 1s-2s preempt", // both in queue 1 now; 0 started first
		"0 on [0 1 2] 2s-3s preempt", "1 on [0 1 2] 3s-4s preempt",
		"0 on [0 1 2] 4s-7s finish", "1 on [0 1 2] 7s-10s finish")
}

// Job 0 ran 2 s and waits from 2 s on: with PROMOTEKNOB 2 it is due at 2+2*2 = 6 s. There it is the
// first started of queue 0 and preempts; its service counts from zero, so it falls again at 8 s.
func TestPromotion(t *testing.T) {
	jobs := func() []sim.Job {
		return []sim.Job{hand.Job(0, 1, 10), hand.Job(1, 1, 1.5), hand.Job(3, 1, 1.9), hand.Job(4, 1,
			1.9), hand.Job(5, 1, 1.9)}
	}
	expect(t, policy(t, New, "queues=2,promote=2")(), [3]int{1, 1, 1}, nil, jobs(),
		"0 on [0] 0s-2s preempt", "1 on [0] 2s-3.5s finish", "2 on [0] 3.5s-5.4s finish", "3 on [0] 5.4s-6s preempt",
		"0 on [0] 6s-8s preempt", "3 on [0] 8s-9.3s finish", "4 on [0] 9.3s-11.2s finish",
		"0 on [0] 11.2s-17.2s finish")
	expect(t, policy(t, New, "queues=2,promote=inf")(), [3]int{1, 1, 1}, nil, jobs(),
		"0 on [0] 0s-2s preempt", "1 on [0] 2s-3.5s finish", "2 on [0] 3.5s-5.4s finish", "3 on [0] 5.4s-7.3s finish",
		"4 on [0] 7.3s-9.2s finish", "0 on [0] 9.2s-17.2s finish")
}

// With the history {2, 20} a fresh job has the index 1/11, one that has run 3 s has 1/17.
func TestGittinsPrefersTheFresh(t *testing.T) {
	jobs := func() []sim.Job { return []sim.Job{hand.Job(0, 1, 20), hand.Job(3, 1, 2)} }
	expect(t, policy(t, NewGittins, "queues=30,promote=0")(), [3]int{1, 1, 1}, nil, jobs(),
		"0 on [0] 0s-3s preempt", "1 on [0] 3s-5s finish", "0 on [0] 5s-22s finish")
	// Beyond the last bound it is FIFO.
	expect(t, policy(t, NewGittins, "queues=0.001,promote=0")(), [3]int{1, 1, 1}, nil,
		[]sim.Job{hand.Job(0, 1, 20), hand.Job(0.0005, 1, 2)},
		"0 on [0] 0s-0.001s preempt", "1 on [0] 0.001s-0.002s preempt", "0 on [0] 0.002s-20.001s finish",
		"1 on [0] 20.001s-22s finish")
}

// With the history {2, 20} the newcomer's index is 1/11 over 20 s and (1/2)/((2+3)/2) = 1/5 over 3
// s; a job that has run 3 s has 1/17 and 0. In the last queue, which is reached at once, only
// last=index lets it go first.
func TestGittinsQuantumAndLast(t *testing.T) {
	jobs := func() []sim.Job { return []sim.Job{hand.Job(0, 1, 20), hand.Job(3, 1, 2)} }
	for text, want := range map[string][]string{
		"queues=0.001,promote=0,last=index,quantum=3": {"0 on [0] 0s-3s preempt", "1 on [0] 3s-5s finish",
			"0 on [0] 5s-22s finish"},
		"queues=0.001,promote=0,last=index": {"0 on [0] 0s-3s preempt", "1 on [0] 3s-5s finish",
			"0 on [0] 5s-22s finish"},
		"queues=0.001,promote=0,quantum=3": {"0 on [0] 0s-3s preempt", "1 on [0] 3s-3.001s preempt",
			"0 on [0] 3.001s-20.001s finish", "1 on [0] 20.001s-22s finish"},
	} {
		expect(t, policy(t, NewGittins, text)(), [3]int{1, 1, 1}, nil, jobs(), want...)
	}
}

// A skewed model stays on one machine, an even one uses up the leftover first.
func TestPlacementBySkew(t *testing.T) {
	for _, c := range []struct{ model, text, want string }{
		{"VGG-16", "place=skew", "1 on [4 5] 0s-5s finish"},
		{"resnet50", "place=skew", "1 on [3 4] 0s-5s finish"},
		{"resnet50", "place=skew,packlimit=0.1", "1 on [4 5] 0s-5s finish"},
		{"VGG-16", "place=skew,packlimit=inf", "1 on [3 4] 0s-5s finish"},
		{"unheard of", "place=skew-waits", "1 on [4 5] 0s-5s finish"},
		{"unheard of", "place=skew-waits,skew_unknown=0.2", "1 on [3 4] 0s-5s finish"},
		{"resnet50", "", "1 on [4 5] 0s-5s finish"},
	} {
		second := hand.Job(0, 2, 5)
		second.Model = c.model
		expect(t, policy(t, New, c.text)(), [3]int{1, 2, 4}, nil, []sim.Job{hand.Job(0, 3, 9), second}, c.want,
			"0 on [0 1 2] 0s-9s finish")
	}
}

func TestSettingsThatDisagree(t *testing.T) {
	for text, want := range map[string]string{
		"packlimit=fit": "policy tiresias: packlimit=fit belongs to place=skew or skew-waits, and " +
			"place is consolidate",
		"place=skew,fit_s=60":         "policy tiresias: fit_s belongs to packlimit=fit, and packlimit is 0.3",
		"place=skew,packlimit=fitted": `policy tiresias: packlimit is "fitted", expected a number >= 0 (inf allowed) or fit`,
	} {
		if _, err := New(param.Parse("policy tiresias", text), cluster.BestFit); err == nil || err.Error() != want {
			t.Errorf("%s: error %v\nwant %s", text, err, want)
		}
	}
}

// One GPU is free on each machine when a job of two comes: with consolidation, the default, it
// waits for job 0's machine, as does one whose model is above PACKLIMIT with skew-waits; with the
// Gittins index, by which it goes before jobs that have run, it has job 1's at once. Others start at
// once on both machines.
func TestWhoWaitsForAMachine(t *testing.T) {
	waits, spreads := []string{"0 on [0 1 2] 0s-9s finish", "2 on [0 1] 9s-14s finish"},
		[]string{"2 on [3 7] 1s-6s finish", "0 on [0 1 2] 0s-9s finish"}
	for _, c := range []struct {
		text, model string
		want        []string
	}{
		{"", "VGG-16", waits}, {"", "resnet50", waits}, {"place=lowest", "resnet50", waits},
		{"place=skew-waits", "VGG-16", waits}, {"place=skew-waits", "resnet50", spreads},
		{"place=skew", "VGG-16", spreads}, {"place=skew", "resnet50", spreads}, {"place=emptiest", "VGG-16", spreads},
	} {
		last := hand.Job(1, 2, 5)
		last.Model = c.model
		jobs := []sim.Job{hand.Job(0, 3, 9), hand.Job(0, 3, 20), last}
		las := append(slices.Clone(c.want), "1 on [4 5 6] 0s-20s finish")
		gittins := las
		if &c.want[0] == &waits[0] {
			gittins = []string{"1 on [4 5 6] 0s-1s preempt", "2 on [4 5] 1s-6s finish", "0 on [0 1 2] 0s-9s finish",
				"1 on [4 5 6] 6s-25s finish"}
		}
		expect(t, policy(t, New, c.text)(), [3]int{1, 2, 4}, nil, jobs, las...)
		expect(t, policy(t, NewGittins, c.text)(), [3]int{1, 2, 4}, nil, slices.Clone(jobs), gittins...)
	}
}
