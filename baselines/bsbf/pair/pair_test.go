package pair

import (
	"math"
	"math/rand/v2"
	"testing"
)

// play is the mean completion time of two jobs where a starts at an instant: event by event, with
// no formula.
func play(a, b Job, start float64) float64 {
	now, leftA, leftB := 0.0, a.Solo, b.Solo
	endA, endB := 0.0, 0.0
	for leftA > 0 || leftB > 0 {
		rateA, rateB := 0.0, 0.0
		next := math.Inf(1)
		if now < start && leftB > 0 {
			next = start
		}
		aRuns := leftA > 0 && (now >= start || leftB <= 0)
		switch {
		case aRuns && leftB > 0:
			rateA, rateB = 1/a.Slow, 1/b.Slow
		case aRuns:
			rateA = 1
		default:
			rateB = 1
		}
		if rateA > 0 {
			next = min(next, now+leftA/rateA)
		}
		if rateB > 0 {
			next = min(next, now+leftB/rateB)
		}
		if leftA > 0 {
			if leftA -= rateA * (next - now); leftA < 1e-9*a.Solo {
				leftA, endA = 0, next
			}
		}
		if leftB > 0 {
			if leftB -= rateB * (next - now); leftB < 1e-9*b.Solo {
				leftB, endB = 0, next
			}
		}
		now = next
	}
	return (endA + endB) / 2
}

func pays(a, b Job) bool { return Together(a, b) < Apart(a, b) }

func draw(r *rand.Rand) Job {
	return Job{Solo: math.Exp(8*r.Float64() - 2), Slow: 1 + 3*r.Float64()*r.Float64()}
}

// Both formulas are the true mean completion times, and no start in between is better than the
// better end: 20 000 random pairs.
func TestAgainstEvents(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 11))
	shared := 0
	for i := range 20_000 {
		a, b := draw(r), draw(r)
		now, wait := play(a, b, 0), play(a, b, b.Solo)
		c, s := Together(a, b), Apart(a, b)
		if math.Abs(c-now) > 1e-7*now || math.Abs(s-wait) > 1e-7*wait {
			t.Fatalf("pair %d %v %v: together %v, events say %v; apart %v, events say %v", i, a, b, c, now, s, wait)
		}
		for range 8 {
			at := b.Solo * r.Float64()
			if between := play(a, b, at); between < min(c, s)*(1-1e-7) {
				t.Fatalf("pair %d %v %v: a start at %v gives %v, the ends %v and %v", i, a, b, at, between, c, s)
			}
		}
		if pays(a, b) {
			shared++
		}
	}
	if shared < 5000 || shared > 15_000 {
		t.Errorf("%d of 20 000 pairs share: the draw tries one answer only", shared)
	}
}

// The cases of the formulas by hand.
func TestByHand(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		what        string
		a, b        Job
		c, s        float64
		pays        bool
		description string
	}{
		{"free sharing, the new one longer", Job{10, 1}, Job{4, 1}, 7, 9, true, "(4 + 10) / 2"},
		{"free sharing, the new one shorter", Job{4, 1}, Job{10, 1}, 7, 12, true, "(4 + 10) / 2"},
		{"slices, equal", Job{10, 2}, Job{10, 2}, 20, 15, false, "both end at 20"},
		{"slices, a much shorter one slips in", Job{2, 2}, Job{10, 2}, 8, 11, true, "4 and 12"},
		{"slices, half as long: no difference", Job{5, 2}, Job{10, 2}, 12.5, 12.5, false, "10 and 15, or 10 and 15"},
		{"the resident stalls", Job{4, 1}, Job{10, inf}, 9, 12, true, "4 and 14"},
		{"the new one stalls", Job{4, inf}, Job{10, 1}, 12, 12, false, "10 and 14: as if it waited"},
		{"the resident is slowed alone", Job{10, 1}, Job{4, 2}, 9, 9, false, "8 and 10, or 4 and 14"},
	} {
		t.Run(c.what, func(t *testing.T) {
			if rank := Together(c.a, c.b); rank != c.c || Apart(c.a, c.b) != c.s || pays(c.a, c.b) != c.pays {
				t.Errorf("together %v, apart %v, expected %v, %v, %v: %s", rank, Apart(c.a, c.b), c.c, c.s, c.pays,
					c.description)
			}
		})
	}
}

// What gains for a job gains for every shorter one, and what gains nothing now gains nothing later,
// when the resident has less left: so no test is repeated before something ends.
func TestMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 12))
	for i := range 20_000 {
		a, b := draw(r), draw(r)
		if pays(a, b) {
			if a.Solo *= 0.999 * r.Float64(); !pays(a, b) {
				t.Fatalf("pair %d %v %v: pays for the longer job alone", i, a, b)
			}
			continue
		}
		if b.Solo *= 0.999 * r.Float64(); pays(a, b) {
			t.Fatalf("pair %d %v %v: pays later", i, a, b)
		}
	}
}
