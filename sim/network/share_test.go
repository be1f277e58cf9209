package network

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMaxMinByHand(t *testing.T) {
	for _, c := range []struct {
		why      string
		capacity []float64
		demand   []float64
		links    [][]int32
		want     []float64
	}{
		{"nobody", nil, nil, nil, nil},
		{"alone", []float64{1}, []float64{1}, [][]int32{{0}}, []float64{1}},
		{"two share one link", []float64{1}, []float64{1, 1}, [][]int32{{0}, {0}}, []float64{.5, .5}},
		{"a small demand leaves the rest", []float64{1}, []float64{.2, 1}, [][]int32{{0}, {0}}, []float64{.2, .8}},
		{"the textbook's line: the long flow gets half, the lone one the rest", []float64{1, 2}, []float64{9, 9, 9},
			[][]int32{{0, 1}, {0}, {1}}, []float64{.5, .5, 1.5}},
		{"three links", []float64{1, 1, 1}, []float64{1, 1, 1, 1}, [][]int32{{0, 1}, {0}, {0, 2}, {2}},
			[]float64{1. / 3, 1. / 3, 1. / 3, 2. / 3}},
		{"no link, no limit but the demand", []float64{1}, []float64{7}, [][]int32{nil}, []float64{7}},
		{"a dead link", []float64{0}, []float64{1, 1}, [][]int32{{0}, {0}}, []float64{0, 0}},
	} {
		got := make([]float64, len(c.links))
		new(Sharing).MaxMin(got, c.capacity, c.demand, c.links)
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", c.why, got, c.want)
				break
			}
		}
	}
}

// The definition itself, on random networks: no link is overfull, and each flow has its demand
// or a full link on which no flow has more.
func TestMaxMinIsMaxMin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		capacity := make([]float64, 1+r.IntN(6))
		for i := range capacity {
			capacity[i] = r.Float64() * 3
		}
		links := make([][]int32, r.IntN(8))
		demand := make([]float64, len(links))
		for i := range links {
			demand[i] = r.Float64() * 2
			for l := range capacity {
				if r.IntN(2) == 0 {
					links[i] = append(links[i], int32(l))
				}
			}
		}
		rate := make([]float64, len(links))
		new(Sharing).MaxMin(rate, capacity, demand, links)
		used := make([]float64, len(capacity))
		most := make([]float64, len(capacity))
		for i, ls := range links {
			for _, l := range ls {
				used[l] += rate[i]
				most[l] = max(most[l], rate[i])
			}
		}
		for l := range capacity {
			if used[l] > capacity[l]+1e-9 {
				t.Fatalf("link %d carries %v of %v", l, used[l], capacity[l])
			}
		}
		for i, ls := range links {
			ok := math.Abs(rate[i]-demand[i]) < 1e-9
			for _, l := range ls {
				ok = ok || used[l] > capacity[l]-1e-9 && rate[i] > most[l]-1e-9
			}
			if !ok {
				t.Fatalf("flow %d at %v of %v could be raised", i, rate[i], demand[i])
			}
		}
	}
}
