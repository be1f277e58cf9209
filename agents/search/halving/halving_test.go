package halving

import (
	"slices"
	"testing"

	"tarry/agents/search"
	"tarry/agents/search/searchtest"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// A round is 27 points on one window, 9 on the next two, 3 on the next six; those kept were among
// the best.
func TestRound(t *testing.T) {
	f := searchtest.Bowl()
	c := search.Config{Space: f.Space, Budget: 15, Windows: 9, Source: rng.Source{Seed: 4}}
	m, err := New(c, param.Parse("", ""))
	if err != nil {
		t.Fatal(err)
	}
	o, err := search.New("halving", c, m)
	if err != nil {
		t.Fatal(err)
	}
	var shape [][3]int
	for asks := o.Ask(); len(asks) > 0; asks = o.Ask() {
		shape = append(shape, [3]int{len(asks), asks[0].From, asks[0].To})
		var told [][]float64
		for _, a := range asks {
			told = append(told, f.Cost(a))
		}
		if err := o.Tell(told); err != nil {
			t.Fatal(err)
		}
	}
	if want := [][3]int{{27, 0, 1}, {9, 1, 3}, {3, 3, 9}, {27, 0, 1}, {9, 1, 3}, {3, 3, 9}}; len(shape) < 4 ||
		!slices.Equal(shape[:3], want[:3]) || shape[3] != want[3] {
		t.Errorf("rungs %v, expected %v", shape, want)
	}
	var first []float64
	for _, k := range o.Known()[:27] {
		first = append(first, k.Mean)
	}
	slices.Sort(first)
	for _, k := range o.Known()[27:36] {
		if k.Mean > first[8] {
			t.Errorf("a point of cost %v is kept, the ninth best has %v", k.Mean, first[8])
		}
	}
}
