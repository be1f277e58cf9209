package pairs

import (
	"math/rand/v2"
	"testing"
)

// most tries every matching.
func most(m Table, row, taken int) float64 {
	if row == m.Rows {
		return 0
	}
	best := most(m, row+1, taken)
	for j := range m.Cols {
		if taken>>j&1 == 0 {
			best = max(best, m.At[row*m.Cols+j]+most(m, row+1, taken|1<<j))
		}
	}
	return best
}

// Best is the largest of all matchings, and no other way gives more.
func TestBestAgainstAll(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	for range 300 {
		m := Table{Rows: 1 + r.IntN(5), Cols: 1 + r.IntN(5)}
		order := make([]int, m.Rows*m.Cols)
		for i := range order {
			m.At = append(m.At, max(0, r.Float64()-0.3))
			order[i] = i
		}
		best, err := Best(m)
		if err != nil {
			t.Fatal(err)
		}
		want := most(m, 0, 0)
		if got := Sum(m, best); got < want-1e-12 || got > want+1e-12 {
			t.Fatalf("best of %v is %v, expected %v", m, got, want)
		}
		for _, other := range [][]int{Greedy(m), InOrder(m, order)} {
			if Sum(m, other) > want+1e-12 {
				t.Fatalf("%v of %v has more than the best, %v", other, m, want)
			}
		}
	}
}

// A share is what requests leave; memory, health and shares of 0 bar a pair.
func TestWeight(t *testing.T) {
	o := Online{Activity: 0.671, UsedMiB: 10000, HasMiB: 16384}
	f := Offline{Need: 0.627, Sensitivity: 0.072, MiB: 2000}
	if p, w := Share(o.Activity), Weight(&f, &o, Share(o.Activity)); p != 0.3 || w < 0.455353110 || w > 0.455353111 {
		t.Errorf("share %v, weight %v, expected 0.3 and 0.45535311", p, w)
	}
	full, sick := f, o
	full.MiB, sick.Unhealthy = 6385, true
	if Weight(&full, &o, 0.3) != 0 || Weight(&f, &sick, 0.3) != 0 || Weight(&f, &o, Share(0.95)) != 0 {
		t.Error("a pair that cannot be has a weight")
	}
}
