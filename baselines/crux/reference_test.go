package crux

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim/rng"
)

// read decodes each file of one name in the folders of reference results named crux.
func read[T any](t *testing.T, name string) (cases []T) {
	t.Helper()
	for _, file := range sharedata.References(t, "crux/"+name) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var more []T
		if err := json.Unmarshal(text, &more); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		cases = append(cases, more...)
	}
	return cases
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

type cutCase struct {
	Name      string
	Intensity []float64
	Levels    int
	Edges     []struct {
		From   int `json:"from_"`
		To     int
		Weight float64
	}
	Best     float64 `json:"best_cut"`
	ByOrder  float64 `json:"cut_of_the_order_by_priority"`
	Worst    float64 `json:"worst_order"`
	OneLevel []int32 `json:"one_best_level"`
}

// TestReferenceCompression: the cut of the order by priority, and the best of many orders, are those
// of an enumeration.
func TestReferenceCompression(t *testing.T) {
	worse := 0
	for _, c := range read[cutCase](t, "compression.json") {
		var cutter Cutter
		n := len(c.Intensity)
		cutter.Open(n)
		for _, e := range c.Edges {
			cutter.Join(e.From, e.To, e.Weight)
		}
		// one order, of all jobs at once
		for i := range n {
			cutter.group = append(cutter.group, int32(i))
		}
		if got := cutter.search(c.Levels, 1, nil); !near(got, c.ByOrder) {
			t.Errorf("%s: the order by priority cuts %v, expected %v", c.Name, got, c.ByOrder)
		}
		draws := rng.Source{Seed: 1}.Stream("cut").Rand
		for range 200 {
			cutter.draw(draws)
			if got := cutter.cut(c.Levels); got < c.Worst-1e-9 || got > c.Best+1e-9 {
				t.Errorf("%s: a random order cuts %v, expected %v to %v", c.Name, got, c.Worst, c.Best)
			}
		}
		levels, got := cutter.Levels(nil, c.Levels, 2000, draws)
		if !near(got, c.Best) {
			t.Errorf("%s: the best order cuts %v, expected %v", c.Name, got, c.Best)
		}
		sum := 0.0
		for _, e := range c.Edges {
			if levels[e.From] > levels[e.To] || levels[e.To] >= int32(c.Levels) {
				t.Errorf("%s: levels %v of %d, with an edge from %d to %d", c.Name, levels, c.Levels, e.From, e.To)
			}
			if levels[e.From] < levels[e.To] {
				sum += e.Weight
			}
		}
		if !near(sum, got) {
			t.Errorf("%s: levels %v cut %v, expected %v", c.Name, levels, sum, got)
		}
		if _, ten := cutter.Levels(nil, c.Levels, 10, draws); ten < c.Best-1e-9 {
			worse++
		}
	}
	if worse > 1 {
		t.Errorf("10 orders miss the best cut in %d cases", worse)
	}
}
