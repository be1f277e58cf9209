package gandivafair

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// Trades worked out by hand. Types are slow (0) and fast (1).
func TestTradeByHand(t *testing.T) {
	for _, c := range []struct {
		name         string
		share, speed [][]float64
		want         [][]float64
		deals        string
	}{
		// Two users: the seller is the only other one, so the price is its own speed-up, 1.25. All
		// 2 fast GPUs would cost 2.5 slow ones; the buyer has 2 and gets 2/1.25 = 1.6 for them.
		{"two users", [][]float64{{2, 2}, {2, 2}}, [][]float64{{1, 1.25}, {1, 5}}, [][]float64{{4, 0.4}, {0, 3.6}},
			"[{0 1 0 1 1.6 1.25}]"},
		// Three users, speed-ups 1, 2 and 4. The third buys from the first at the second price 2:
		// 0.5 fast for its 1 slow. It has no slow ones left. Now the second buys the other 0.5 of
		// the first; no other buyer has slow GPUs but the first itself: price 1.
		{"three users", [][]float64{{1, 1}, {1, 1}, {1, 1}}, [][]float64{{1, 1}, {1, 2}, {1, 4}},
			[][]float64{{2.5, 0}, {0.5, 1.5}, {0, 1.5}}, "[{0 2 0 1 0.5 2} {0 1 0 1 0.5 1}]"},
		{"one speed-up", [][]float64{{1, 1}, {3, 2}}, [][]float64{{1, 3}, {2, 6}}, [][]float64{{1, 1}, {3, 2}}, "[]"},
		{"one user", [][]float64{{1, 1}}, [][]float64{{1, 3}}, [][]float64{{1, 1}}, "[]"},
		{"the buyer has no slow GPUs", [][]float64{{2, 2}, {0, 2}}, [][]float64{{1, 2}, {1, 5}},
			[][]float64{{2, 2}, {0, 2}}, "[]"},
		{"one cannot use slow GPUs", [][]float64{{2, 2}, {2, 2}}, [][]float64{{1, 2}, {0, 5}},
			[][]float64{{2, 2}, {2, 2}}, "[]"},
	} {
		m := market{share: c.share, speed: c.speed}
		if got := fmt.Sprint(m.trade()); got != c.deals {
			t.Errorf("%s: deals %s, want %s", c.name, got, c.deals)
		}
		for u := range c.want {
			for k := range c.want[u] {
				if !near(c.share[u][k], c.want[u][k]) {
					t.Errorf("%s: shares %v, want %v", c.name, c.share, c.want)
				}
			}
		}
	}
}

// economy draws users with shares by tickets, some of whom cannot use a type.
func economy(r *rand.Rand) *market {
	m := &market{}
	users, types := 1+r.IntN(8), 2+r.IntN(3)
	gpus := make([]float64, types)
	for k := range gpus {
		gpus[k] = float64(1 + r.IntN(40))
	}
	total, tickets := 0.0, make([]float64, users)
	for u := range tickets {
		tickets[u] = float64(1 + r.IntN(4))
		total += tickets[u]
	}
	for u := range users {
		share, speed, x := make([]float64, types), make([]float64, types), 1.0
		for k := range types {
			share[k] = gpus[k] * tickets[u] / total
			if speed[k] = x; r.IntN(12) == 0 {
				speed[k] = 0
			}
			x *= []float64{1, 1.2, 2, 1 + 4*r.Float64()}[r.IntN(4)]
		}
		m.share, m.speed = append(m.share, share), append(m.speed, speed)
	}
	return m
}

func throughput(share, speed []float64) (sum float64) {
	for k := range share {
		sum += share[k] * speed[k]
	}
	return sum
}

// In any economy: prices between the speed-ups of the two, no user's throughput falls, no GPU is
// made or lost, and in the end no user could gain by another trade.
func TestTradesHurtNobody(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 7))
		m := economy(r)
		users, types := len(m.share), len(m.share[0])
		before, gpus := make([]float64, users), make([]float64, types)
		for u := range users {
			before[u] = throughput(m.share[u], m.speed[u])
			for k, x := range m.share[u] {
				gpus[k] += x
			}
		}
		deals := slices.Clone(m.trade())
		if len(deals) > users*types*types {
			t.Fatalf("seed %d: %d deals of %d users", seed, len(deals), users)
		}
		for _, d := range deals {
			if s, b := m.speedup(d.seller, d.slow, d.fast), m.speedup(d.buyer, d.slow, d.fast); !(s <= d.price &&
				d.price <= b && s < b) || !(d.gpus > 0) {
				t.Fatalf("seed %d: deal %+v between speed-ups %v and %v", seed, d, s, b)
			}
		}
		for u := range users {
			if after := throughput(m.share[u], m.speed[u]); after < before[u]-1e-9*before[u] {
				t.Fatalf("seed %d: user %d is worse off: %v after %v", seed, u, after, before[u])
			}
			for k, x := range m.share[u] {
				if gpus[k] -= x; x < 0 {
					t.Fatalf("seed %d: user %d owns %v of type %d", seed, u, x, k)
				}
			}
		}
		for k, x := range gpus {
			if math.Abs(x) > 1e-9 {
				t.Fatalf("seed %d: %v GPUs of type %d lost", seed, x, k)
			}
		}
		if again := m.trade(); types == 2 && len(again) > 0 {
			t.Fatalf("seed %d: trade stopped before %+v", seed, again[0])
		}
	}
}

// Only ratios of speeds count, and more tickets for all change nothing.
func TestTradeScales(t *testing.T) {
	for seed := range uint64(200) {
		a, b := economy(rand.New(rand.NewPCG(seed, 7))), economy(rand.New(rand.NewPCG(seed, 7)))
		for u := range b.speed {
			for k := range b.speed[u] {
				b.speed[u][k] *= float64(uint(1) << (u % 5))
			}
		}
		if x, y := fmt.Sprint(a.trade(), a.share), fmt.Sprint(b.trade(), b.share); x != y {
			t.Fatalf("seed %d: %s, with other units %s", seed, x, y)
		}
	}
}

// What a buyer states of its speed-up does not change its price.
func TestSecondPrice(t *testing.T) {
	for _, says := range []float64{3.5, 4, 40} {
		m := market{share: [][]float64{{1, 1}, {1, 1}, {1, 1}}, speed: [][]float64{{1, 1}, {1, 3}, {1, says}}}
		if d := m.trade(); d[0].buyer != 2 || d[0].price != 3 {
			t.Errorf("a buyer who says %v gets %+v, expected to pay 3", says, d[0])
		}
	}
}

// The paper's example: 8 GPUs, three users, the third with one job of 2 GPUs: 8/3 is more than it
// can use.
func TestEntitle(t *testing.T) {
	for _, c := range []struct {
		n                     float64
		tickets, demand, want []float64
	}{
		{8, []float64{1, 1, 1}, []float64{8, 8, 2}, []float64{3, 3, 2}},
		{8, []float64{1, 1, 1}, []float64{8, 8, 8}, []float64{8. / 3, 8. / 3, 8. / 3}},
		{8, []float64{2, 1, 1}, []float64{9, 9, 1}, []float64{14. / 3, 7. / 3, 1}},
		{8, []float64{1, 1}, []float64{3, 1}, []float64{3, 1}},
		{9, []float64{1, 1, 1}, []float64{0, 3.5, 20}, []float64{0, 3.5, 5.5}},
		{12, []float64{1, 1, 1}, []float64{1, 5, 20}, []float64{1, 5, 6}}, // 11/2 > 5 only after the first is capped
	} {
		got := make([]float64, len(c.want))
		entitle(got, c.tickets, c.demand, c.n)
		for u := range got {
			if !near(got[u], c.want[u]) {
				t.Errorf("%v of %v by %v: %v, want %v", c.n, c.demand, c.tickets, got, c.want)
				break
			}
		}
	}
}
