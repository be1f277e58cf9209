package network

import (
	"math"
	"math/rand/v2"
	"testing"
)

// fair gives flows of weight 1 and one level.
func fair(demand []float64, links [][]int32) []Flow {
	flows := make([]Flow, len(links))
	for i := range flows {
		flows[i] = Flow{Links: links[i], Demand: demand[i], Weight: 1}
	}
	return flows
}

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
		new(Sharing).Divide(got, c.capacity, fair(c.demand, c.links))
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
		new(Sharing).Divide(rate, capacity, fair(demand, links))
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

// Weights, levels and loads by hand.
func TestDivideByHand(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		why      string
		capacity []float64
		flows    []Flow
		want     []float64
	}{
		{"weights", []float64{8}, []Flow{{[]int32{0}, nil, inf, 1, 0}, {[]int32{0}, nil, inf, 3, 0}}, []float64{2, 6}},
		{"a demand below its weight", []float64{8}, []Flow{{[]int32{0}, nil, 1, 3, 0}, {[]int32{0}, nil, inf, 1, 0}},
			[]float64{1, 7}},
		{"the higher level first", []float64{8}, []Flow{{[]int32{0}, nil, inf, 9, 0}, {[]int32{0}, nil, 5, 1, 2},
			{[]int32{0}, nil, 2, 1, 3}}, []float64{1, 5, 2}},
		{"nothing left", []float64{8}, []Flow{{[]int32{0}, nil, inf, 1, 0}, {[]int32{0}, nil, inf, 1, 1}},
			[]float64{0, 8}},
		{"no link", []float64{8}, []Flow{{nil, nil, 5, 1, 3}, {[]int32{0}, nil, inf, 1, 0}}, []float64{5, 8}},
		{"half of a rate on each of two links", []float64{1, 1}, []Flow{{[]int32{0, 1}, []float64{.5, .5}, inf, 1, 0},
			{[]int32{0}, nil, inf, 1, 0}}, []float64{2. / 3, 2. / 3}},
	} {
		got := make([]float64, len(c.flows))
		new(Sharing).Divide(got, c.capacity, c.flows)
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%s: %v, expected %v", c.why, got, c.want)
				break
			}
		}
	}
}

// Laws: a common factor of the weights changes nothing, a weight without end is a level of its own,
// the top level has what it has alone, and a flow divided into two of half its weight has the same.
func TestDivideLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		capacity := make([]float64, 1+r.IntN(5))
		for l := range capacity {
			capacity[l] = r.Float64() * 3
		}
		flows := make([]Flow, 1+r.IntN(7))
		for i := range flows {
			f := &flows[i]
			f.Demand, f.Weight, f.Level = 2*r.Float64(), 0.5+r.Float64(), int8(r.IntN(3))
			for l := range capacity {
				if r.IntN(2) == 0 {
					f.Links, f.Loads = append(f.Links, int32(l)), append(f.Loads, 0.25+r.Float64())
				}
			}
		}
		divide := func(flows []Flow) []float64 {
			got := make([]float64, len(flows))
			new(Sharing).Divide(got, capacity, flows)
			return got
		}
		want := divide(flows)
		same := func(why string, got, want []float64) {
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-6 {
					t.Fatalf("%s: %v, expected %v", why, got, want)
				}
			}
		}
		change := func(change func(i int, f *Flow)) []Flow {
			out := append([]Flow(nil), flows...)
			for i := range out {
				change(i, &out[i])
			}
			return out
		}
		same("weights x 3", divide(change(func(_ int, f *Flow) { f.Weight *= 3 })), want)
		level := change(func(i int, f *Flow) { f.Level = int8(min(i, 1)) })
		for i := range level {
			level[i].Level = 1 - level[i].Level
		}
		heavy := change(func(i int, f *Flow) {
			f.Level = 0
			if i == 0 {
				f.Weight = 1e9
			}
		})
		same("a weight of 1e9", divide(heavy), divide(level))
		same("the top level", divide(level)[:1], divide(flows[:1]))
		halves := change(func(_ int, f *Flow) {})
		halves[0].Weight, halves[0].Demand = halves[0].Weight/2, halves[0].Demand/2
		got := divide(append(halves, halves[0]))
		got[0] += got[len(got)-1]
		same("two halves", got[:len(want)], want)
	}
}
