package tiresias

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
)

// Values by hand, per second: P(S-a <= d | S > a) / E[min(S-a, d) | S > a].
func TestIndexByHand(t *testing.T) {
	two := []sim.Time{4 * sim.Second, 10 * sim.Second}
	three := []sim.Time{2 * sim.Second, 6 * sim.Second, 6 * sim.Second}
	for _, c := range []struct {
		sample []sim.Time
		a, d   sim.Time
		want   float64
	}{
		{two, 0, 5, 1.0 / 9},   // (1/2) / ((4+5)/2)
		{two, 0, 10, 1.0 / 7},  // 1 / ((4+10)/2)
		{two, 4, 5, 0},         // 6 more are needed
		{two, 4, 6, 1.0 / 6},   // 1 / 6
		{two, 5, 100, 1.0 / 5}, // 1 / 5
		{two, 10, 5, 0},        // beyond the sample
		{three, 0, 3, 1.0 / 8}, // (1/3) / ((2+3+3)/3)
		{three, 2, 4, 1.0 / 4},
		{three, 1, 1, 1.0 / 3}, // (1/3) / 1
		{nil, 0, 5, 0},
	} {
		x := NewIndex(c.sample)
		if got := x.At(c.a*sim.Second, c.d*sim.Second) * 1e6; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("sample %v: G(%ds, %ds) = %v, want %v", c.sample, c.a, c.d, got, c.want)
		}
	}
	x := NewIndex(two)
	if got := x.At(0, sim.Never) * 1e6; math.Abs(got-1.0/7) > 1e-12 {
		t.Errorf("an endless quantum gives %v, want 1/7", got)
	}
}

// From any mark a search ends where one from the start does.
func TestMarksChangeNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		sample := make([]sim.Time, r.IntN(40))
		for i := range sample {
			sample[i] = sim.Time(r.IntN(60))
		}
		slices.Sort(sample)
		var guess int32
		for range 60 {
			at := sim.Time(r.IntN(70) - 5)
			want, _ := slices.BinarySearch(sample, at+1)
			if got := above(sample, at, &guess); got != want || int(guess) != want {
				t.Fatalf("%d of %v are at most %d, expected %d; noted %d", got, sample, at, want, guess)
			}
		}
	}
}

// The bound of the index is the least of it over an interval of service.
func TestLeastOfAnInterval(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 7))
		sample := make([]sim.Time, 1+r.IntN(40))
		for i := range sample {
			sample[i] = sim.Time(1 + r.IntN(60))
		}
		slices.Sort(sample)
		x, d := NewIndex(sample), sim.Time(1+r.IntN(30))
		if r.IntN(4) == 0 {
			d = sim.Never
		}
		x.watch([]sim.Time{5, d, d})
		for range 20 {
			a := sim.Time(r.IntN(70))
			b, want := a+sim.Time(r.IntN(40)), math.Inf(1)
			for s := a; s <= b; s++ {
				want = math.Min(want, x.At(s, d))
			}
			if got := x.least(a, b, d); got > want || got < want*(1-1e-9) {
				t.Fatalf("seed %d: the index from %d to %d with quantum %d is at least %v, expected %v", seed, a, b, d, got,
					want)
			}
		}
		if x.least(1, 2, 77) != 0 {
			t.Fatal("a quantum that is not watched has a bound")
		}
	}
}
