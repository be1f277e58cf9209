package plan_test

import (
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/plan"
)

// rostering is a stage with a roster that decides at each instant.
type rostering struct {
	*stage
	r plan.Roster
	p *plan.Placer
}

// decide gives the decisions of this instant in words, and applies them.
func (s *rostering) decide() string {
	s.t.Helper()
	s.r.Follow(s.v)
	ds := s.r.Decide(s.v, s.p, nil)
	at := s.v.Now()
	s.do(slices.Clone(ds)...)
	return fmt.Sprintf("%v: %s", at, words(ds))
}

// until decides up to an instant and gives what was decided where anything was.
func (s *rostering) until(end sim.Time) []string {
	s.t.Helper()
	var got []string
	for s.v.Now() <= end {
		if line := s.decide(); line[len(line)-2:] != ": " {
			got = append(got, line)
		}
	}
	return got
}

func rosterOf(s *stage, r plan.Roster) *rostering {
	return &rostering{s, r, plan.NewPlacer(cluster.BestFit)}
}

// tired is a key that falls behind after 2 s of running: three jobs of one GPU pass it on, and then
// all are equal.
func tired(v *sim.View, j sim.JobID) float64 {
	if v.Run(j).Time() >= 2*sim.Second {
		return 1
	}
	return 0
}

// Jobs of equal keys: by number; in the order of the last decision; waiting jobs before running
// ones, so by turns.
func TestTies(t *testing.T) {
	up := []string{"0s: start 0 on [0]", "2s: preempt 0, start 1 on [0]", "4s: preempt 1, start 2 on [0]"}
	for ties, want := range map[plan.Ties][]string{ // from 6 s on all three are tired
		plan.ByArrival:    append(slices.Clone(up), "6s: preempt 2, start 0 on [0]"),
		plan.InPlace:      up, // 2 stands first since 4 s
		plan.RunningFirst: up,
		plan.WaitingFirst: {"0s: start 0 on [0]", "1s: preempt 0, start 1 on [0]", "2s: preempt 1, start 2 on [0]",
			"3s: preempt 2, start 0 on [0]",
			"4s: preempt 0, start 1 on [0]", "5s: preempt 1, start 2 on [0]", "6s: preempt 2, start 0 on [0]",
			"7s: preempt 0, start 1 on [0]"},
	} {
		s := rosterOf(set(t, sim.Config{}, cluster.Uniform(1, 1, 1, 1), sim.Job{GPUs: 1}, sim.Job{GPUs: 1},
			sim.Job{GPUs: 1}), plan.Roster{Key: tired, Ties: ties})
		if got := s.until(7 * sim.Second); !slices.Equal(got, want) {
			t.Errorf("ties %d: got %q", ties, got)
		}
	}
}

// Of equal keys, RunningFirst puts jobs that found no place behind running ones: job 1, too wide
// at first, does not take the GPUs of job 2 when job 0 has ended. InPlace does.
func TestRunningFirst(t *testing.T) {
	for ties, want := range map[plan.Ties]string{plan.InPlace: `["0s: start 0 on [0], start 2 on [1]" "3s: preempt 2, start 1 on [0 1]"] [1 2]`,
		plan.RunningFirst: `["0s: start 0 on [0], start 2 on [1]"] [2 1]`} {
		s := rosterOf(set(t, sim.Config{}, cluster.Uniform(1, 1, 2, 1), sim.Job{GPUs: 1, Work: 3 * sim.Second},
			sim.Job{GPUs: 2}, sim.Job{GPUs: 1}), plan.Roster{Key: byID, Ties: ties})
		got := fmt.Sprintf("%q %v", s.until(4*sim.Second), s.r.Jobs())
		if got != want {
			t.Errorf("ties %d: %s, expected %s", ties, got, want)
		}
	}
}

// backwards ranks later jobs first.
func backwards(_ *sim.View, j sim.JobID) float64 { return -float64(j) }

// A preemption adds its penalty to what the job owes; it works that off when it runs, over several
// runs.
func TestPenaltyIsWorkedOff(t *testing.T) {
	one := func(submit, work sim.Time) sim.Job {
		return sim.Job{GPUs: 2, Work: 2 * work * sim.Second, Submit: submit * sim.Second}
	}
	s := rosterOf(set(t, sim.Config{}, cluster.Uniform(1, 1, 2, 1), one(0, 20), one(2, 2), one(6, 1)),
		plan.Roster{Key: backwards, Penalty: func(*sim.View, *plan.Demand) sim.Time { return 5 * sim.Second }})
	var owes []string
	for s.v.Now() < 9*sim.Second {
		now := s.v.Now()
		s.decide()
		owes = append(owes, fmt.Sprintf("%v: %v of %v held, on %d", now, s.r.Debt(s.v, 0), s.r.Held(s.v, 0),
			s.r.Holds(0)))
	}
	// Debts and GPU-time are read at the next instant, a second later. Preempted at 2 s: 5 s.
	// Started at 4 s, it has worked 2 of them off by 6 s, when it is preempted again: 3 + 5.
	// Started at 7 s.
	want := []string{"0s: 0s of 2s held, on 2", "1s: 0s of 4s held, on 2", "2s: 5s of 4s held, on 0",
		"3s: 5s of 4s held, on 0", "4s: 4s of 6s held, on 2",
		"5s: 3s of 8s held, on 2", "6s: 8s of 8s held, on 0", "7s: 7s of 10s held, on 2", "8s: 6s of 12s held, on 2"}
	if !slices.Equal(owes, want) {
		t.Errorf("got %q\nwant %q", owes, want)
	}
	// Whatever is charged, sums of times stay in range.
	s = rosterOf(set(t, sim.Config{}, cluster.Uniform(1, 1, 2, 1), one(0, 20), one(2, 2)),
		plan.Roster{Key: backwards, Penalty: func(*sim.View, *plan.Demand) sim.Time { return sim.Never / 2 }})
	s.until(2 * sim.Second)
	if d := s.r.Debt(s.v, 0); d != 1<<57 {
		t.Errorf("an endless penalty leaves a debt of %v, expected %v", d, sim.Time(1<<57))
	}
}

// Each interval between decisions costs a running job its time, by a preemption and a start at
// once, or, where a preemption would leave a checkpoint to be written, later.
func TestInterrupt(t *testing.T) {
	lost := func(d sim.Time) plan.Roster {
		return plan.Roster{Key: byID, Interrupt: func(*sim.View, sim.JobID) sim.Time { return d }}
	}
	free := set(t, sim.Config{}, cluster.Uniform(1, 1, 1, 1), sim.Job{GPUs: 1})
	s := rosterOf(free, lost(sim.Second/4))
	got := s.until(2 * sim.Second)
	if want := []string{"0s: start 0 on [0]", "1s: preempt 0, start 0 on [0] after 0.25s",
		"2s: preempt 0, start 0 on [0] after 0.25s"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// no more than the interval
	s = rosterOf(set(t, sim.Config{}, cluster.Uniform(1, 1, 1, 1), sim.Job{GPUs: 1}), lost(3*sim.Second))
	got = s.until(2 * sim.Second)
	if want := []string{"0s: start 0 on [0]", "1s: preempt 0, start 0 on [0] after 1s",
		"2s: preempt 0, start 0 on [0] after 1s"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	dear := sim.Config{Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 1}}}
	s = rosterOf(set(t, dear, cluster.Uniform(1, 1, 1, 1), sim.Job{GPUs: 1}), lost(sim.Second/4))
	got = s.until(3 * sim.Second)
	if want := []string{"0s: start 0 on [0]"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if d := s.r.Debt(s.v, 0); d != 0 { // a quarter of a second is worked off within each second
		t.Errorf("the debt is %v", d)
	}
}

// Repack takes all jobs off and places them in order: running jobs close up, and the urgent one
// gets the machine it wants. Where checkpoints take time it decides as without.
func TestRepack(t *testing.T) {
	jobs := func() []sim.Job {
		return []sim.Job{{GPUs: 1, Work: sim.Second}, {GPUs: 1}, {GPUs: 2}, {GPUs: 3, Submit: 2 * sim.Second}}
	}
	s := rosterOf(set(t, sim.Config{}, cluster.Uniform(1, 2, 2, 1), jobs()...),
		plan.Roster{Key: backwards, Repack: true})
	got := s.until(2 * sim.Second)
	want := []string{"0s: start 2 on [0 1], start 1 on [2], start 0 on [3]",
		"1s: preempt 2, preempt 1, start 2 on [0 1], start 1 on [2]",
		"2s: preempt 2, preempt 1, start 3 on [0 1 2], start 1 on [3]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	dear := sim.Config{Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 1}}}
	s = rosterOf(set(t, dear, cluster.Uniform(1, 2, 2, 1), jobs()...), plan.Roster{Key: backwards, Repack: true})
	got = s.until(3 * sim.Second)
	// by count job 1 keeps its GPU; the checkpoint ends at 3 s
	want = []string{want[0], "2s: preempt 2", "3s: start 3 on [0 1 3]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A job that a fault stops waits again, and one that has ended leaves the list.
func TestRosterFollowsFaults(t *testing.T) {
	cfg := sim.Config{Outages: outage.Schedule{{At: 2 * sim.Second, Machine: 0, GPU: 0},
		{At: 4 * sim.Second, Machine: 0, GPU: 0, Up: true}}.Source()}
	s := rosterOf(set(t, cfg, cluster.Uniform(1, 1, 2, 1), sim.Job{GPUs: 1}, sim.Job{GPUs: 1, Work: 3 * sim.Second}),
		plan.Roster{Key: byID, Ties: plan.WaitingFirst})
	got := s.until(sim.Second)
	if s.r.Holds(0) != 1 || s.r.Holds(1) != 1 {
		t.Errorf("jobs hold %d and %d, expected 1 and 1", s.r.Holds(0), s.r.Holds(1))
	}
	got = append(got, s.until(4*sim.Second)...)
	// WaitingFirst: job 0 comes first when it waits, and takes the GPU of job 1 at 2 s, and so on
	// in turns, until job 1 has run 3 s.
	want := []string{"0s: start 0 on [0], start 1 on [1]", "2s: preempt 1, start 0 on [1]",
		"3s: preempt 0, start 1 on [1]", "4s: start 0 on [0]"}
	if !slices.Equal(got, want) || !slices.Equal(s.r.Jobs(), []sim.JobID{1, 0}) &&
		!slices.Equal(s.r.Jobs(), []sim.JobID{0}) {
		t.Errorf("got %q\nwant %q, list %v", got, want, s.r.Jobs())
	}
	s.until(5 * sim.Second)
	if !slices.Equal(s.r.Jobs(), []sim.JobID{0}) || s.r.Holds(1) != 0 {
		t.Errorf("the list is %v, and job 1 that has ended holds %d", s.r.Jobs(), s.r.Holds(1))
	}
}
