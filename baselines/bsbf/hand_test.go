package bsbf

import (
	"math"
	"slices"
	"testing"

	"tarry/sim"
)

// Two jobs on one GPU, of which each keeps 0.8 beside the other: xi is 1.25 and it gains. Both run
// to 12.5 s, when the shorter one has done its 10 s.
func TestSharesWhereItPays(t *testing.T) {
	cfg := setting(t, always(0.8), [3]int{1, 1, 1}, job(0, 1, 20, "a"), job(0, 1, 10, "b"))
	// The shorter one is first and alone; in the next pass of the same instant the longer one joins
	// it: mean (12.5 + 22.5) / 2 against (10 + 30) / 2.
	expect(t, cfg, maker(t, New, "")(), "1 on [0] x500 0s-12.5s finish", "0 on [0] x500 0s-12.5s tune",
		"0 on [0] x1000 12.5s-22.5s finish")
	// At 0.5 it does not, for a longer job.
	cfg = setting(t, always(0.5), [3]int{1, 1, 1}, job(0, 1, 20, "a"), job(0, 1, 10, "b"))
	expect(t, cfg, maker(t, New, "")(), "1 on [0] x1000 0s-10s finish", "0 on [0] x1000 10s-30s finish")
	// sjf-ffs has no test: both run to 20 s.
	cfg = setting(t, always(0.5), [3]int{1, 1, 1}, job(0, 1, 20, "a"), job(0, 1, 10, "b"))
	expect(t, cfg, maker(t, NewFFS, "")(), "1 on [0] x500 0s-20s finish", "0 on [0] x500 0s-20s tune",
		"0 on [0] x1000 20s-30s finish")
}

// Even in slices of half a GPU a job that is less than half as long as what the resident has left
// slips in; at exactly half it is all the same, and it waits.
func TestShortJobsSlipIn(t *testing.T) {
	cfg := setting(t, always(0.5), [3]int{1, 1, 1}, job(0, 1, 20, "a"), job(4, 1, 6, "b"))
	expect(t, cfg, maker(t, New, "")(), "0 on [0] x1000 0s-4s tune", "1 on [0] x500 4s-16s finish",
		"0 on [0] x500 4s-16s tune", "0 on [0] x1000 16s-26s finish")
	cfg = setting(t, always(0.5), [3]int{1, 1, 1}, job(0, 1, 20, "a"), job(4, 1, 8, "b"))
	expect(t, cfg, maker(t, New, "")(), "0 on [0] x1000 0s-20s finish", "1 on [0] x1000 20s-28s finish")
}

// Idle GPUs that are enough are taken alone, though sharing costs nothing.
func TestIdleFirst(t *testing.T) {
	cfg := setting(t, always(1), [3]int{1, 1, 4}, job(0, 2, 10, "a"), job(1, 2, 10, "a"))
	expect(t, cfg, maker(t, New, "")(), "0 on [0 1] x1000 0s-10s finish", "1 on [2 3] x1000 1s-11s finish")
}

// Two of four GPUs are idle: job 1 takes these and two of job 0's, and runs at the slower of the
// two places.
func TestIdleOnesAreUsedToo(t *testing.T) {
	cfg := setting(t, always(0.8), [3]int{1, 1, 4}, job(0, 2, 8, "a"), job(0, 4, 16, "a"))
	expect(t, cfg, maker(t, New, "")(), "0 on [0 1] x500 0s-10s finish", "1 on [0 1 2 3] x500 0s-10s tune",
		"1 on [0 1 2 3] x1000 10s-18s finish")
}

// Job 2 may join either resident, and the pair with the smaller C goes: 27 s left of b and no job
// is slowed, C = (27 + 9) / 2 = 18, against 28 s left of a and a quarter lost, C = 28/2 + (1 -
// 0.75/2) 12 = 21.5.
func TestBestRankFirst(t *testing.T) {
	crowd := func(b float64) sim.Config {
		return setting(t, beside("a"), [3]int{1, 1, 2}, job(0, 1, 30, "a"), job(1, 1, b, "b"), job(2, 1, 9, "c"))
	}
	expect(t, crowd(28), maker(t, New, "")(), "1 on [1] x1000 1s-2s tune", "2 on [1] x500 2s-11s finish",
		"1 on [1] x500 2s-11s tune", "1 on [1] x1000 11s-29s finish", "0 on [0] x1000 0s-30s finish")
	// sjf-ffs takes the lowest GPU: job 2 runs at 0.75, 12 s, and job 0 loses 3 s.
	expect(t, crowd(28), maker(t, NewFFS, "")(), "0 on [0] x1000 0s-2s tune", "2 on [0] x500 2s-14s finish",
		"0 on [0] x500 2s-14s tune", "1 on [1] x1000 1s-29s finish", "0 on [0] x1000 14s-33s finish")
	// C counts what the resident has left as well, so that it favours residents that end soon: with
	// 39 s left of b, C = 24, and job 2 goes where both lose.
	expect(t, crowd(40), maker(t, New, "")(), "0 on [0] x1000 0s-2s tune", "2 on [0] x500 2s-14s finish",
		"0 on [0] x500 2s-14s tune", "0 on [0] x1000 14s-33s finish", "1 on [1] x1000 1s-41s finish")
}

// At most two jobs are on a GPU: the third waits though sharing is free, until the shortest has
// ended.
func TestTwoAtMost(t *testing.T) {
	cfg := setting(t, always(1), [3]int{1, 1, 1}, job(0, 1, 10, "a"), job(0, 1, 20, "a"), job(0, 1, 30, "a"))
	expect(t, cfg, maker(t, New, "")(), "0 on [0] x500 0s-10s finish", "1 on [0] x500 0s-20s finish",
		"2 on [0] x500 10s-20s tune", "2 on [0] x1000 20s-40s finish")
}

// A job of which no part is left beside another shares with no job.
func TestStallsAreRefused(t *testing.T) {
	cfg := setting(t, always(0), [3]int{1, 1, 1}, job(0, 1, 1000, "a"), job(1, 1, 1, "a"))
	expect(t, cfg, maker(t, New, "")(), "0 on [0] x1000 0s-1000s finish", "1 on [0] x1000 1000s-1001s finish")
	if s := new(slow); math.IsInf(*entry(&s.known, 1, 2), 1) || len(s.known) != 2 {
		t.Error("an entry that was never asked is not zero")
	}
}

// Two machines of two GPUs, two residents a that are not slowed and two b that lose a
// quarter. With place=consolidate a job of two takes both GPUs of one machine, though one is of b;
// with place=jobs the two of a, wherever they are.
func TestOneMachineFirst(t *testing.T) {
	for _, c := range []struct{ place, models, want string }{
		{"consolidate", "abab", "4 on [0 1] x500 4s-17.333334s finish"},
		// idle GPUs go to the machine with the fewest jobs: 0, 2, 1, 3
		{"jobs", "aabb", "4 on [0 2] x500 4s-14s finish"},
	} {
		var jobs []sim.Job
		for i, m := range c.models {
			jobs = append(jobs, job(float64(i), 1, 50, string(m)))
		}
		cfg := setting(t, beside("b"), [3]int{1, 2, 2}, append(jobs, job(4, 2, 10, "c"))...)
		if lines := run(t, cfg, maker(t, New, "place="+c.place)()); !slices.Contains(lines, c.want) {
			t.Errorf("%s: %q, expected %q in it", c.place, lines, c.want)
		}
	}
}

// wary is a speed model that has pairs on the same GPUs alone: others stand still.
type wary struct{ company }

func (w wary) Speed(q *sim.Query) (sim.Speed, error) {
	for _, p := range q.Peers {
		if !slices.Equal(p.GPUs, q.GPUs) {
			return sim.Speed{ComputeFrac: 1}, nil
		}
	}
	return w.company.Speed(q)
}

// Job 1 would have two of job 0's three GPUs, where both would stand still: it waits, and job 2,
// which has all three, does not.
func TestNobodyStandsStill(t *testing.T) {
	for _, build := range []func() sim.Policy{maker(t, New, ""), maker(t, NewFFS, "")} {
		cfg := setting(t, wary{always(1)}, [3]int{1, 1, 3}, job(0, 3, 10, "a"), job(1, 2, 5, "a"), job(2, 3, 20, "a"))
		expect(t, cfg, build(), "0 on [0 1 2] x1000 0s-2s tune", "0 on [0 1 2] x500 2s-10s finish",
			"2 on [0 1 2] x500 2s-10s tune", "2 on [0 1 2] x1000 10s-22s finish", "1 on [0 1] x1000 22s-27s finish")
	}
}
