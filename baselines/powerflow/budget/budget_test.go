package budget

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn is some jobs with whole numbers in small ranges, so that ties are frequent.
func drawn(r *rand.Rand) (jobs []Job, gpus int32) {
	for range 1 + r.IntN(5) {
		j := Job{Clocks: 1 + r.IntN(4), Work: float64(1 + r.IntN(3))}
		for n := int32(1 + r.IntN(2)); len(j.GPUs) < 1+r.IntN(4); n *= 2 {
			j.GPUs = append(j.GPUs, n)
		}
		for i := range len(j.GPUs) * j.Clocks {
			j.Seconds = append(j.Seconds, float64(1+r.IntN(10)+30/(1+i/j.Clocks+i%j.Clocks)))
			j.Joules = append(j.Joules, float64(r.IntN(12)))
		}
		jobs = append(jobs, j)
	}
	return jobs, int32(1 + r.IntN(20))
}

func start(jobs []Job) (out []Choice) {
	for i := range jobs {
		out = append(out, jobs[i].Least())
	}
	return out
}

func sums(jobs []Job, choices []Choice) (gpus int32, seconds, joules float64) {
	for i, c := range choices {
		n, s, e := jobs[i].At(c)
		gpus, seconds, joules = gpus+n, seconds+jobs[i].Work*s, joules+jobs[i].Work*e
	}
	return gpus, seconds, joules
}

// twin makes the moves by looking at all of them each time, in fractions.
func twin(jobs []Job, choices []Choice, gpus int32, joules float64) (moves []string) {
	for {
		best, at, value, spares, to := -1, 0, new(big.Rat), false, Choice{}
		for i := range jobs {
			for k := range 2 {
				c := choices[i]
				if k == 0 {
					c.Number++
				} else {
					c.Clock++
				}
				if c.Number == len(jobs[i].GPUs) || c.Clock == jobs[i].Clocks {
					continue
				}
				n, s, e := jobs[i].At(choices[i])
				m, u, f := jobs[i].At(c)
				held, _, used := sums(jobs, choices)
				if u >= s || m > n && held-n+m > gpus || f > e && used+jobs[i].Work*(f-e) > joules {
					continue
				}
				v := new(big.Rat).SetFrac64(int64(s-u), int64(s))
				switch {
				case f > e && e == 0:
					v.SetInt64(0)
				case f > e:
					v.Mul(v, big.NewRat(int64(e), int64(f-e)))
				}
				if best < 0 || (f <= e) && !spares || (f <= e) == spares && v.Cmp(value) > 0 {
					best, at, value, spares, to = i, k, v, f <= e, c
				}
			}
		}
		if best < 0 {
			return moves
		}
		choices[best] = to
		moves = append(moves, fmt.Sprint(best, at == 1))
	}
}

// The moves are the twin's, each budget from nothing to everything, also where the beginning is
// already beyond it.
func TestMovesAgainstTwin(t *testing.T) {
	made := 0
	var g Greedy
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		jobs, gpus := drawn(r)
		budget := float64(r.IntN(120))
		if r.IntN(8) == 0 {
			budget = math.Inf(1)
		}
		got, want := start(jobs), start(jobs)
		var moves []string
		total := g.Spread(jobs, got, gpus, budget, func(job int, clock bool) {
			moves = append(moves, fmt.Sprint(job, clock))
		})
		twins := twin(jobs, want, gpus, budget)
		if !slices.Equal(got, want) || !slices.Equal(moves, twins) {
			t.Fatalf("seed %d: choices %v by %v, the twin's %v by %v", seed, got, moves, want, twins)
		}
		if _, _, e := sums(jobs, got); e != total {
			t.Fatalf("seed %d: energy %v, expected %v", seed, total, e)
		}
		made += len(moves)
	}
	if made < 8000 {
		t.Errorf("%d moves made, expected more", made)
	}
}

// Energy stays within the budget where the beginning does, GPUs within what there are; without a
// budget every clock that helps ends at the highest; below the least energy no move needs more.
func TestLaws(t *testing.T) {
	var g Greedy
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		jobs, gpus := drawn(r)
		least := start(jobs)
		held, _, base := sums(jobs, least)
		for _, budget := range []float64{0, base - 1, base, base + 7, math.Inf(1)} {
			c := slices.Clone(least)
			g.Spread(jobs, c, gpus, budget, nil)
			n, _, e := sums(jobs, c)
			if n > max(gpus, held) || e > max(budget, base) {
				t.Fatalf("seed %d: %d GPUs of %d, %v J of %v", seed, n, gpus, e, budget)
			}
			if budget < base && e > base {
				t.Fatalf("seed %d: below the least energy %v J, expected at most %v", seed, e, base)
			}
			for i, x := range c {
				if to, ok := jobs[i].next(x, true); ok && math.IsInf(budget, 1) {
					_, s, _ := jobs[i].At(x)
					if _, u, _ := jobs[i].At(to); u < s {
						t.Fatalf("seed %d: job %d could have a higher clock", seed, i)
					}
				}
			}
		}
	}
}

// Three jobs by hand: the second's clock saves energy and is first, then the first job's GPUs, whose
// gain for each joule is the greatest; the third's move is beyond the budget and is passed over.
func TestMovesByHand(t *testing.T) {
	jobs := []Job{
		{GPUs: []int32{1, 2}, Clocks: 1, Work: 1, Seconds: []float64{100, 50}, Joules: []float64{100, 110}},
		{GPUs: []int32{1}, Clocks: 2, Work: 1, Seconds: []float64{80, 60}, Joules: []float64{50, 50}},
		{GPUs: []int32{1}, Clocks: 2, Work: 1, Seconds: []float64{10, 5}, Joules: []float64{60, 90}},
	}
	c := start(jobs)
	var moves []string
	var g Greedy
	total := g.Spread(jobs, c, 4, 230, func(job int, clock bool) { moves = append(moves, fmt.Sprint(job, clock)) })
	if want := []string{"1 true", "0 false"}; !slices.Equal(moves, want) || total != 220 {
		t.Errorf("moves %v and %v J, expected %v and 220", moves, total, want)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	jobs, gpus := drawn(rand.New(rand.NewPCG(7, 3)))
	least := start(jobs)
	c := slices.Clone(least)
	var g Greedy
	if n := testing.AllocsPerRun(10, func() {
		copy(c, least)
		g.Spread(jobs, c, gpus, 1e9, nil)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
