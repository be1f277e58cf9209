package circle_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/baselines/cassini/circle"
	"tarry/sim/network/phased"
)

// play gives the mean iterations of jobs that ask for a whole link once in an iteration, with slots
// or without, begun at shifts in angles-ths of a tick.
func play(t *testing.T, jobs []circle.Job, shifts []int64, angles int, paced bool) []float64 {
	t.Helper()
	group := make([]phased.Job, len(jobs))
	for i, j := range jobs {
		a := j.Arcs[0]
		group[i] = phased.Job{ComputeS: float64(a.Start), VolumeS: float64(a.Length), Release: 1,
			OffsetS: float64(shifts[i]) / float64(angles), Links: []phased.Crossing{{Link: 0}}}
		if paced {
			group[i].PaceS = float64(j.Period)
		}
	}
	out := make([]phased.Result, len(jobs))
	if end := (&phased.Group{Exact: true, Events: 100_000}).Settle(group, []float64{1}, out); !end.Settled {
		t.Fatalf("%+v does not settle", group)
	}
	var got []float64
	for i := range out {
		got = append(got, out[i].IterationS)
	}
	return got
}

// The law of pacing: jobs that are held to slots have the iterations that they have alone if and
// only if the score over all times is 1.
func TestPacedRunIsSoloWhereScoreIsOne(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	ones, others := 0, 0
	for range 400 {
		n := 2 + r.IntN(3)
		jobs, shifts := make([]circle.Job, n), make([]int64, n)
		for i := range jobs {
			period := []int64{12, 24, 24, 48}[r.IntN(4)]
			arc := 1 + r.Int64N(period/3)
			jobs[i] = circle.Job{Period: period, Arcs: []circle.Arc{{Start: period - arc, Length: arc, Demand: 1}}}
			shifts[i] = r.Int64N(period) * 72
		}
		var c circle.Circle
		c.Open(1, 72, jobs, 1<<40)
		if r.IntN(2) == 0 {
			c.Best(shifts)
		}
		one, solo := c.Average(shifts) == 1, true
		for i, x := range play(t, jobs, shifts, 72, true) {
			solo = solo && math.Abs(x-float64(jobs[i].Period)) < 1e-9
		}
		if solo != one {
			t.Fatalf("%+v at %v: score %v, as alone: %v", jobs, shifts, c.Average(shifts), solo)
		}
		if one {
			ones++
		} else {
			others++
		}
	}
	if ones < 40 || others < 40 {
		t.Errorf("%d of score 1, %d of less", ones, others)
	}
}

// Two jobs of equal iterations, compute c and transfer v: together c + 2v, shifted by the search c + v.
func TestTwoEqualJobs(t *testing.T) {
	for _, c := range []struct{ compute, transfer int64 }{{30, 10}, {20, 20}, {36, 36}} {
		arc := circle.Arc{Start: c.compute, Length: c.transfer, Demand: 1}
		job := circle.Job{Period: c.compute + c.transfer, Arcs: []circle.Arc{arc}}
		jobs, shifts := []circle.Job{job, job}, []int64{0, 0}
		var on circle.Circle
		on.Open(1, 72, jobs, 1<<40)
		together := play(t, jobs, shifts, 72, false)
		on.Best(shifts)
		shifted := play(t, jobs, shifts, 72, false)
		for i := range jobs {
			if together[i] != float64(c.compute+2*c.transfer) || math.Abs(shifted[i]-float64(c.compute+c.transfer)) > 1e-9 {
				t.Errorf("compute %d, transfer %d: together %v, shifted %v", c.compute, c.transfer, together, shifted)
			}
		}
	}
}
