package bandit

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tarry/agents/search"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// arms is a choice between k arms.
func arms(k int) search.Space {
	p := search.Param{Name: "arm", Kind: search.Choice}
	for i := range k {
		p.Choices = append(p.Choices, fmt.Sprint(i))
	}
	return search.Space{p}
}

// pulls plays Bernoulli arms and counts the pulls of each.
func pulls(t *testing.T, make func(search.Config, *param.Set) (search.Method, error), cost []float64, n int,
	seed uint64) []int {
	t.Helper()
	c := search.Config{Space: arms(len(cost)), Budget: n, Windows: 1, Source: rng.Source{Seed: seed}}
	m, err := make(c, param.Parse("", ""))
	if err != nil {
		t.Fatal(err)
	}
	o, err := search.New("bandit", c, m)
	if err != nil {
		t.Fatal(err)
	}
	draws := rng.Source{Seed: seed}.Stream("costs")
	count := counts(len(cost))
	for asks := o.Ask(); len(asks) > 0; asks = o.Ask() {
		var told [][]float64
		for _, a := range asks {
			i := int(c.Space[0].Value(a.X[0]))
			if a.From != count[i] || a.To != a.From+1 {
				t.Fatalf("pull %d of arm %d is on windows %d to %d", count[i], i, a.From, a.To)
			}
			count[i]++
			v := 0.0
			if draws.Float64() < cost[i] {
				v = 1
			}
			told = append(told, []float64{v})
		}
		if err := o.Tell(told); err != nil {
			t.Fatal(err)
		}
	}
	return count
}

func counts(n int) []int { return make([]int, n) }

// The mean regret of UCB1 stays below theorem 1 of Auer et al.: 8 sum ln n / gap + (1 + pi^2/3) sum
// gap; and the best arm is pulled most. Thompson sampling's stays below it too.
func TestRegret(t *testing.T) {
	cost := []float64{0.5, 0.1, 0.45, 0.6, 0.8}
	const n, seeds = 1000, 6
	bound := 0.0
	for _, c := range cost {
		if gap := c - slices.Min(cost); gap > 0 {
			bound += 8*math.Log(n)/gap + (1+math.Pi*math.Pi/3)*gap
		}
	}
	uniform := 0.0
	for _, c := range cost {
		uniform += (c - slices.Min(cost)) * n / float64(len(cost))
	}
	for name, make := range map[string]func(search.Config, *param.Set) (search.Method, error){"ucb1": NewUCB1,
		"thompson": NewThompson} {
		regret := 0.0
		for seed := range uint64(seeds) {
			count := pulls(t, make, cost, n, seed)
			for i, k := range count {
				regret += float64(k) * (cost[i] - slices.Min(cost)) / seeds
			}
			if count[1] != slices.Max(count) {
				t.Errorf("%s, seed %d: pulls %v, expected most of arm 1", name, seed, count)
			}
		}
		t.Logf("%s: regret %.1f, bound %.1f, pulling evenly %.1f", name, regret, bound, uniform)
		if regret > bound || regret > uniform/2 {
			t.Errorf("%s: regret %v, expected at most %v and half of %v", name, regret, bound, uniform)
		}
	}
}

// The sums equal the definitions.
func TestTally(t *testing.T) {
	m := &method{arms: [][]float64{{0}, {1}}}
	var known []search.Observation
	for i, v := range []float64{3, 1, 5, 2, 10} {
		known = append(known, search.Observation{Ask: search.Ask{X: m.arms[i%2]}, Mean: v})
	}
	all, spread := m.tally(known)
	if want := []arm{{3, 26, 6}, {2, 0.5, 1.5}}; !slices.Equal(all, want) || spread != 9 {
		t.Errorf("arms %+v, spread %v, expected %+v and 9", all, spread, want)
	}
	// 1.5 - 9 sqrt(2 ln 5 / 2) < 6 - 9 sqrt(2 ln 5 / 3)
	if got := ucb1(all, spread, 5); got != 1 {
		t.Errorf("ucb1 chooses %d, expected 1", got)
	}
}
