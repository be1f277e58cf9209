package crux

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"tarry/sim/rng"
)

// exactBehind is Behind in rationals, of jobs as compute, transfer and quarters of the compute before
// its release: it follows the starts of low until a phase recurs.
func exactBehind(high, low [3]int64) *big.Rat {
	quarters := func(n int64) *big.Rat { return big.NewRat(n, 4) }
	period, busy := quarters(max(4*high[0], high[0]*high[2]+4*high[1])), quarters(4*high[1])
	compute, need, release := quarters(4*low[0]), quarters(4*low[1]), quarters(low[0]*low[2])
	phase := func(x *big.Rat) *big.Rat {
		whole := new(big.Int).Quo(new(big.Rat).Quo(x, period).Num(), new(big.Rat).Quo(x, period).Denom())
		return new(big.Rat).Sub(x, new(big.Rat).Mul(new(big.Rat).SetInt(whole), period))
	}
	seen := map[string][2]*big.Rat{}
	now := new(big.Rat)
	for n := int64(0); ; n++ {
		at := phase(now).RatString()
		if was, ok := seen[at]; ok {
			d := new(big.Rat).Sub(now, was[0])
			return d.Quo(d, new(big.Rat).Sub(new(big.Rat).SetInt64(n), was[1]))
		}
		seen[at] = [2]*big.Rat{new(big.Rat).Set(now), new(big.Rat).SetInt64(n)}
		end := new(big.Rat).Add(now, release)
		for left := new(big.Rat).Set(need); left.Sign() > 0; {
			x := phase(end)
			if x.Cmp(busy) < 0 {
				end.Add(end, new(big.Rat).Sub(busy, x))
				x = busy
			}
			step := new(big.Rat).Sub(period, x)
			if step.Cmp(left) > 0 {
				step.Set(left)
			}
			end.Add(end, step)
			left.Sub(left, step)
		}
		now = new(big.Rat).Add(now, compute)
		if end.Cmp(now) > 0 {
			now = end
		}
	}
}

// TestBehindIsExact: the mean iteration of the second of two jobs is the mean of an exact play, for
// random ones.
func TestBehindIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		draw := func() [3]int64 { return [3]int64{int64(1 + r.IntN(24)), int64(1 + r.IntN(24)), int64(1 + r.IntN(4))} }
		high, low := draw(), draw()
		of := func(x [3]int64) Pattern {
			return Pattern{ComputeS: float64(x[0]), TransferS: float64(x[1]), ReleaseFrac: float64(x[2]) / 4}
		}
		want, _ := exactBehind(high, low).Float64()
		if got := Behind(of(high), of(low)); !near(got, want) {
			t.Fatalf("%v behind %v takes %v, expected %v", low, high, got, want)
		}
	}
}

// TestBehindAtTheEdges: without transfers no job waits, and behind one that never rests the other
// never ends.
func TestBehindAtTheEdges(t *testing.T) {
	quiet, full := Pattern{ComputeS: 2}, Pattern{TransferS: 3}
	busy := Pattern{ComputeS: 1, TransferS: 2, ReleaseFrac: 0.5}
	for _, c := range []struct {
		high, low Pattern
		want      float64
	}{{quiet, busy, 2.5}, {busy, quiet, 2}, {full, busy, math.Inf(1)}} {
		if got := Behind(c.high, c.low); got != c.want {
			t.Errorf("%v behind %v takes %v, expected %v", c.low, c.high, got, c.want)
		}
	}
	if k, decided := Correction(quiet, busy); decided || k != 1 {
		t.Errorf("k beside a job without transfers is %v (%v), expected 1, not decided", k, decided)
	}
	hides := Pattern{ComputeS: 8, TransferS: 1, ReleaseFrac: 0.1}
	if k, decided := Correction(hides, busy); !decided || !math.IsInf(k, 1) {
		t.Errorf("k beside a job that hides its transfers is %v (%v), expected +Inf", k, decided)
	}
}

// TestLevelsWithoutLoss: with as many levels as jobs that share links, and with two levels for
// disjoint pairs, no two jobs on a link are equal; with one level all are.
func TestLevelsWithoutLoss(t *testing.T) {
	r := rng.Source{Seed: 3}.Stream("levels").Rand
	for range 200 {
		n := 2 + r.IntN(8)
		var c Cutter
		c.Open(n)
		all := 0.0
		for i := range n {
			for j := i + 1; j < n; j++ {
				if r.IntN(3) > 0 {
					c.Join(i, j, float64(n-i))
					all += float64(n - i)
				}
			}
		}
		if _, got := c.Levels(nil, n, 10, r); got != all {
			t.Fatalf("%d jobs on %d levels cut %v, expected all: %v", n, n, got, all)
		}
		levels, got := c.Levels(nil, 1, 10, r)
		for _, l := range levels {
			if l != 0 || got != 0 {
				t.Fatalf("one level: %v, %v", levels, got)
			}
		}
		c.Open(2 * n)
		pairs := 0.0
		for i := range n {
			c.Join(i, 2*n-1-i, float64(2*n-i))
			pairs += float64(2*n - i)
		}
		if _, got := c.Levels(nil, 2, 1, r); got != pairs {
			t.Fatalf("%d disjoint pairs on two levels cut %v, expected %v", n, got, pairs)
		}
	}
}

// bestCut enumerates all levels.
func bestCut(n, count int, weight func(i, j int) float64) float64 {
	best, levels := 0.0, make([]int, n)
	for {
		sum, valid := 0.0, true
		for i := range n {
			for j := i + 1; j < n; j++ {
				if w := weight(i, j); w > 0 {
					valid = valid && levels[i] <= levels[j]
					if levels[i] < levels[j] {
						sum += w
					}
				}
			}
		}
		if valid {
			best = max(best, sum)
		}
		at := 0
		for ; at < n; at++ {
			if levels[at]++; levels[at] < count {
				break
			}
			levels[at] = 0
		}
		if at == n {
			return best
		}
	}
}

// TestCutsAgainstEnumeration: many orders reach the best cut of random graphs, ten nearly so.
func TestCutsAgainstEnumeration(t *testing.T) {
	r := rng.Source{Seed: 4}.Stream("cuts").Rand
	ten, best := 0.0, 0.0
	for range 60 {
		n, count := 3+r.IntN(4), 2+r.IntN(2)
		var c Cutter
		c.Open(n)
		for i := range n {
			for j := i + 1; j < n; j++ {
				if r.IntN(2) == 0 {
					c.Join(i, j, float64(1+3*(n-i)))
				}
			}
		}
		want := bestCut(n, count, func(i, j int) float64 { return c.weight[i*n+j] })
		if _, got := c.Levels(nil, count, 3000, r); got != want {
			t.Fatalf("%d jobs on %d levels: %v, expected %v", n, count, got, want)
		}
		_, few := c.Levels(nil, count, 10, r)
		ten, best = ten+few, best+want
	}
	if ten < 0.97*best {
		t.Errorf("ten orders cut %v of %v", ten, best)
	}
}
