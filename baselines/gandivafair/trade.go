package gandivafair

import (
	"cmp"
	"math"
	"slices"
)

// deal is one trade: the seller gives fast GPUs to the buyer and gets price slow ones for each.
type deal struct {
	seller, buyer, slow, fast int
	gpus, price               float64
}

// market is who has how much of each generation and how fast each user's jobs are on it.
type market struct {
	// share is the GPUs of a generation that belong to a user: share[user][type] >= 0.
	share [][]float64
	// speed is the rate of a user's jobs on one GPU of a type, in units of the user's own: only
	// ratios count. A type that a user cannot use, or must not trade, has 0.
	speed [][]float64
	deals []deal
	types []int
	sum   []float64
}

// trade lets the users exchange GPUs of each pair of generations until no user gains: while some
// user holds fast GPUs whose speed-up is below another's that holds slow ones, the user with
// the least speed-up sells to the one with the largest. The price, slow GPUs for a fast one, is the
// largest speed-up among the other buyers: the second price, so that a buyer who overstates its
// speed-up does not change its price. The seller's speed-up <= price <= the buyer's, so neither
// gets slower. Pairs are taken from the slowest generation up, each with the fastest first.
func (m *market) trade() []deal {
	m.deals = m.deals[:0]
	m.rank()
	for i := len(m.types) - 1; i > 0; i-- {
		for j := 0; j < i; j++ {
			for m.one(m.types[i], m.types[j]) {
			}
		}
	}
	return m.deals
}

// rank orders the types, the fastest first: by the sum over users of the speed relative to that
// user's best.
func (m *market) rank() {
	m.types, m.sum = m.types[:0], m.sum[:0]
	if len(m.speed) == 0 {
		return
	}
	for k := range m.speed[0] {
		m.types, m.sum = append(m.types, k), append(m.sum, 0)
	}
	for _, s := range m.speed {
		if best := slices.Max(s); best > 0 {
			for k, x := range s {
				m.sum[k] += x / best
			}
		}
	}
	slices.SortStableFunc(m.types, func(a, b int) int { return cmp.Compare(m.sum[b], m.sum[a]) })
}

// speedup is how many times faster a user is on fast GPUs than on slow ones; 0 when the user trades
// neither.
func (m *market) speedup(u, slow, fast int) float64 {
	a, b := m.speed[u][slow], m.speed[u][fast]
	if !(a > 0) || !(b > 0) || math.IsInf(a, 1) || math.IsInf(b, 1) {
		return 0
	}
	return b / a
}

// dust is a part of a share that is not worth a trade.
const dust = 1e-12

// one makes the next trade of a pair of generations, and reports whether there is one.
func (m *market) one(slow, fast int) bool {
	seller, buyer := -1, -1
	var least, most, second float64
	for u := range m.share {
		s := m.speedup(u, slow, fast)
		if s == 0 {
			continue
		}
		if m.share[u][fast] > dust && (seller < 0 || s < least) {
			seller, least = u, s
		}
		if m.share[u][slow] <= dust {
			continue
		}
		if buyer < 0 || s > most {
			buyer, most, second = u, s, most
		} else {
			second = max(second, s)
		}
	}
	if seller < 0 || buyer < 0 || !(least < most) {
		return false
	}
	price := max(second, least) // without another buyer the seller sets it
	a, b := m.share[seller], m.share[buyer]
	q := min(a[fast], b[slow]/price)
	pay := float64(q * price)
	if q < a[fast] { // the buyer has given all
		pay = b[slow]
	}
	a[fast], a[slow] = a[fast]-q, a[slow]+pay
	b[fast], b[slow] = b[fast]+q, max(0, b[slow]-pay)
	m.deals = append(m.deals, deal{seller, buyer, slow, fast, q, price})
	return true
}

// entitle gives each user its demand-capped part of n GPUs by tickets: no user gets more than it
// demands, and what one leaves is divided among the others by their tickets. Where all demand is
// met the parts are the demands.
func entitle(part, tickets, demand []float64, n float64) {
	clear(part)
	open := 0.0
	for u, t := range tickets {
		if demand[u] > 0 {
			open += t
		}
	}
	for open > 0 && n > 0 {
		capped := false
		for u, t := range tickets {
			if part[u] == 0 && demand[u] > 0 && demand[u] <= float64(n*t)/open {
				part[u], capped = demand[u], true
				n, open = n-demand[u], open-t
			}
		}
		if capped {
			continue
		}
		for u, t := range tickets {
			if part[u] == 0 && demand[u] > 0 {
				part[u] = float64(n*t) / open
			}
		}
		return
	}
}
