package stages

import (
	"math"
	"math/rand/v2"
	"testing"
)

func draw(r *rand.Rand, n int) []Times {
	jobs := make([]Times, n)
	for i := range jobs {
		for s := range jobs[i] {
			if r.IntN(4) > 0 {
				jobs[i][s] = float64(r.IntN(900)) / 1000
			}
		}
	}
	return jobs
}

// orders gives all orders of 0..n-1, by inserting each number everywhere.
func orders(n int) [][]int {
	all := [][]int{{}}
	for k := range n {
		var next [][]int
		for _, o := range all {
			for at := 0; at <= len(o); at++ {
				one := append(append(append([]int{}, o[:at]...), k), o[at:]...)
				next = append(next, one)
			}
		}
		all = next
	}
	return all
}

// The best and the worst order are found among all orders, tried one by one.
func TestRoundAgainstAllOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		jobs := draw(r, 2+r.IntN(3))
		best, worst, closed := math.Inf(1), math.Inf(-1), math.Inf(1)
		for _, o := range orders(len(jobs)) {
			list := make([]Times, len(jobs))
			for i, k := range o {
				list[i] = jobs[k]
			}
			best, worst, closed = min(best, Slots(list)), max(worst, Slots(list)), min(closed, Cyclic(list))
		}
		if len(jobs) == 2 {
			a, b := jobs[0], jobs[1]
			turns := max(a[0], b[1]+b[2]) + max(b[0], a[1]+a[2])
			best, worst = min(best, turns), max(worst, turns)
		}
		if got := Round(jobs, Best); got != best {
			t.Fatalf("%v: best %v, of all orders %v", jobs, got, best)
		}
		if got := Round(jobs, Worst); got != worst {
			t.Fatalf("%v: worst %v, of all orders %v", jobs, got, worst)
		}
		if got := CyclicRound(jobs, Best); got != closed {
			t.Fatalf("%v: closed form %v, of all orders %v", jobs, got, closed)
		}
	}
}

// Who comes first in the list changes nothing, and times that are all twice as long give twice the
// time.
func TestLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		jobs := draw(r, 1+r.IntN(4))
		other, twice := make([]Times, len(jobs)), make([]Times, len(jobs))
		for i, k := range r.Perm(len(jobs)) {
			other[i] = jobs[k]
		}
		for i, j := range jobs {
			twice[i] = Times{2 * j[0], 2 * j[1], 2 * j[2]}
		}
		for _, o := range []Order{Best, Worst} {
			g := GroupS(jobs, 1, o)
			if x := GroupS(other, 1, o); x != g {
				t.Fatalf("%v takes %v, %v takes %v", jobs, g, other, x)
			}
			if x := GroupS(twice, 2, o); x != 2*g {
				t.Fatalf("%v takes %v, twice as long stages %v", jobs, g, x)
			}
			if a, b := CyclicRound(other, o), CyclicRound(jobs, o); math.Abs(a-b) > 1e-12 {
				t.Fatalf("closed form: %v and %v", a, b)
			}
		}
		if Round(jobs, Best) > Round(jobs, Worst) {
			t.Fatalf("%v: best %v, worst %v", jobs, Round(jobs, Best), Round(jobs, Worst))
		}
	}
}

// By the closed form no resource is busy for longer than a round, and a round is no longer than one
// job after the other.
func TestCyclicBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		jobs := draw(r, 1+r.IntN(4))
		sum, most := 0.0, 0.0
		for s := range (Times{}) {
			busy := 0.0
			for _, j := range jobs {
				busy += j[s]
			}
			most = max(most, busy)
		}
		for _, j := range jobs {
			sum += j.Sum()
		}
		if c := CyclicRound(jobs, Best); c < most-1e-12 || c > sum+1e-12 {
			t.Fatalf("%v: a round of %v, expected %v..%v", jobs, c, most, sum)
		}
	}
}

// By hand. Closed form: a loads 2, computes 1; b loads 1, computes 2. a first: slot 0 has a's
// loading, and b (in slot 0 at stage -1 = exchange) nothing: 2. Slot 1 a's computing beside b's
// loading: 1. Slot 2 b's computing: 2. Together 5; b first: 1, then max(2, 2), then 1: 4.
func TestByHand(t *testing.T) {
	a, b := Times{2, 1, 0}, Times{1, 2, 0}
	if got := Cyclic([]Times{a, b}); got != 5 {
		t.Errorf("a before b: %v, expected 5", got)
	}
	if got := CyclicRound([]Times{a, b}, Best); got != 4 {
		t.Errorf("best: %v, expected 4", got)
	}
	if got := CyclicRound([]Times{a, b}, Worst); got != 5 {
		t.Errorf("worst: %v, expected 5", got)
	}
	// The two take turns: max(2, 2) + max(1, 1) = 3.
	if got := Round([]Times{a, b}, Best); got != 3 {
		t.Errorf("recurrence: %v, expected 3", got)
	}
	if got, want := Used([]Times{a, b}, 3), 0.5; got != want {
		t.Errorf("used %v, expected %v", got, want)
	}
	if got := GroupS([]Times{a}, 7, Best); got != 7 {
		t.Errorf("alone %v, expected 7", got)
	}
	if got, want := GroupS([]Times{a, b}, 7, Best), 3*1.33/1.015; math.Abs(got-want) > 1e-15 {
		t.Errorf("two %v, expected %v", got, want)
	}
}

func BenchmarkGroup(b *testing.B) {
	jobs := draw(rand.New(rand.NewPCG(7, 8)), 4)
	for b.Loop() {
		Round(jobs, Best)
	}
}
