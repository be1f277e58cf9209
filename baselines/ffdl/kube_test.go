package ffdl

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/param"
)

// scorerOf gives the scorer of some settings.
func scorerOf(t *testing.T, text string) *scorer {
	t.Helper()
	return &policy(t, text)().(*Policy).cfg.scorer
}

// The example of the page "Resource Bin Packing" of Kubernetes' documentation: a pod of 2 foo (here
// GPUs), 256 MB and 2 cores, weights 5, 1 and 3, the shape 0:0+100:10. On node 1 foo is used to 75
// %, memory to 50, CPU to 37; on node 2 to 50, 75 and 100. In the page's scores of 0 to 10 node 1
// has (7 x 5 + 5 x 1 + 3 x 3) / 9 = 5 and node 2 (5 x 5 + 7 x 1 + 10 x 3) / 9 = 7; in the program's
// of 0 to 100 it is (75 x 5 + 50 + 37 x 3) / 9 = 59.6 and (50 x 5 + 75 + 100 x 3) / 9 = 69.4,
// rounded.
func TestDocumentedExample(t *testing.T) {
	c := scorerOf(t, "place=ratio,weights=gpu:5+cpu:3+mem:1")
	for _, n := range []struct {
		load
		want int64
		tens [3]int64 // the page's scores of foo, CPU, memory
	}{
		{load{req: [3]int64{2 + 1, 2 + 1, 256 + 256}, has: [3]int64{4, 8, 1024}}, 60, [3]int64{7, 3, 5}},
		{load{req: [3]int64{2 + 2, 2 + 6, 256 + 512}, has: [3]int64{8, 8, 1024}}, 69, [3]int64{5, 10, 7}},
	} {
		if got := c.score(n.load); got != n.want {
			t.Errorf("%v: %d, want %d", n.load, got, n.want)
		}
		for i, want := range n.tens {
			if got := c.bend(n.req[i]*100/n.has[i]) / 10; got != want {
				t.Errorf("%s: %d of 10, want %d", resources[i], got, want)
			}
		}
	}
}

// Scores by hand: 3 of 4 GPUs, 2 of 8 cores, 512 of 1 024 MiB are 75, 25 and 50 %. MostAllocated
// has their mean 50, LeastAllocated the mean of 25, 75 and 50; by weights 2, 1 and 1 these are 56
// and 43. The deviation is sqrt((25^2 + 25^2) / 3) = 20.4 %: the balance is 79; of GPUs and CPU
// alone it is 25 %.
func TestScoresByHand(t *testing.T) {
	x := load{req: [3]int64{3, 2, 512}, has: [3]int64{4, 8, 1024}}
	for text, want := range map[string]int64{
		"": 50, "place=spread": 50, "weights=gpu:2": 56, "place=spread,weights=gpu:2": 43, "fit=0,balance=1": 79,
		"fit=0,balance=1,weights=mem:0": 75,
		"fit=3,balance=2":               3*50 + 2*79, "weights=gpu:1+cpu:0+mem:0": 75,
		"place=ratio,shape=0:10+100:0":      50,
		"place=ratio,shape=20:0+50:0+60:10": 100, // of GPUs alone: the others have no score and no part
		"place=ratio,shape=80:0":            0,
	} {
		if got := scorerOf(t, text).score(x); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	// What is not stated has no part: 75 % alone has no deviation.
	if got := scorerOf(t, "balance=1").score(load{req: [3]int64{3, 9, 9}, has: [3]int64{4, 0, 0}}); got != 75+100 {
		t.Errorf("one resource: %d, want 175", got)
	}
}

// On drawn loads scores equal the formulas in exact arithmetic.
func TestScoresAgainstFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 41))
	for range 20000 {
		var x load
		c := scorer{fit: r.Int64N(3), balance: 1 + r.Int64N(2),
			weights: [3]int64{1 + r.Int64N(3), r.Int64N(3), r.Int64N(3)}}
		kind := r.IntN(3)
		c.spread, c.ratio = kind == 1, kind == 2
		for at := r.Int64N(50); at <= 100; at += 1 + r.Int64N(60) {
			c.shape = append(c.shape, point{at, 10 * r.Int64N(11)})
		}
		for i, most := range []int64{16, 96000, 1 << 20} {
			if r.IntN(5) > 0 || i == 0 {
				x.has[i] = 1 + r.Int64N(most)
				x.req[i] = r.Int64N(x.has[i] + 1)
			}
		}
		if got, want := c.score(x), c.fit*fitExact(&c, &x)+c.balance*balanceExact(&c, &x); got != want {
			t.Fatalf("%+v of %+v: %d, want %d", c, x, got, want)
		}
	}
}

// fitExact is NodeResourcesFit in fractions.
func fitExact(c *scorer, x *load) int64 {
	sum, weights := new(big.Rat), int64(0)
	floor := func(q *big.Rat) int64 { return new(big.Int).Div(q.Num(), q.Denom()).Int64() }
	for i := range x.has {
		if x.has[i] == 0 {
			continue
		}
		part := x.req[i]
		if c.spread {
			part = x.has[i] - x.req[i]
		}
		s := floor(big.NewRat(100*part, x.has[i]))
		if c.ratio {
			if s = onLine(c.shape, s); s <= 0 {
				continue
			}
		}
		sum.Add(sum, big.NewRat(s*c.weights[i], 1))
		weights += c.weights[i]
	}
	if weights == 0 {
		return 0
	}
	sum.Quo(sum, big.NewRat(weights, 1))
	if c.ratio { // to the nearest, a half up
		sum.Add(sum, big.NewRat(1, 2))
	}
	return floor(sum)
}

// onLine is a shape as its definition states: the segment that a utilisation is in, its slope
// towards zero.
func onLine(shape []point, at int64) int64 {
	first, last := shape[0], shape[len(shape)-1]
	if at <= first.at {
		return first.score
	}
	if at >= last.at {
		return last.score
	}
	i := 1
	for shape[i].at < at {
		i++
	}
	a, b := shape[i-1], shape[i]
	return a.score + new(big.Int).Quo(big.NewInt((b.score-a.score)*(at-a.at)), big.NewInt(b.at-a.at)).Int64()
}

// balanceExact is NodeResourcesBalancedAllocation by the variance as the mean of squares less the
// square of the mean, in fractions until the root.
func balanceExact(c *scorer, x *load) int64 {
	sum, squares, n := new(big.Rat), new(big.Rat), int64(0)
	for i := range x.has {
		if x.has[i] > 0 && c.weights[i] > 0 {
			q := big.NewRat(x.req[i], x.has[i])
			sum.Add(sum, q)
			squares.Add(squares, q.Mul(q, q))
			n++
		}
	}
	if n < 2 {
		return 100
	}
	mean := sum.Quo(sum, big.NewRat(n, 1))
	v, _ := squares.Sub(squares.Quo(squares, big.NewRat(n, 1)), mean.Mul(mean, mean)).Float64()
	return int64(math.Floor((1-math.Sqrt(v))*100 + 1e-12))
}

func TestScoreFaults(t *testing.T) {
	for text, want := range map[string]string{
		"weights=gpu:0+cpu:0+mem:0": "at least one", "weights=tpu:1": "gpu:N", "weights=gpu:101": "0..100",
		"shape=0:11": "0..10", "shape=50:1+50:2": "rise", "fit=0": "fit and balance",
	} {
		if _, err := New(param.Parse("policy ffdl", text), cluster.BestFit); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
