package crux

import (
	"encoding/json"
	"math"
	"math/big"
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

// frac is a number as the files have it: "3/2".
type frac string

func (f frac) float(t *testing.T) float64 {
	t.Helper()
	r, ok := new(big.Rat).SetString(string(f))
	if !ok {
		t.Fatalf("%q is no number", f)
	}
	x, _ := r.Float64()
	return x
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

type pairJob struct {
	GPUs            float64
	Compute, Volume frac
	Release         frac `json:"release_at"`
}

func (j pairJob) pattern(t *testing.T) Pattern {
	t.Helper()
	return Pattern{ComputeS: j.Compute.float(t), TransferS: j.Volume.float(t), ReleaseFrac: j.Release.float(t)}
}

type pairOrder struct {
	Mean []frac `json:"mean_iteration"`
	Part []frac `json:"link_part"`
}

type pairCase struct {
	Name             string
	Reference, Other pairJob
	Intensity        []frac
	K                *frac     `json:"correction_of_other"`
	RefFirst         pairOrder `json:"ref_first"`
	OtherFirst       pairOrder `json:"other_first"`
	RefUse           frac      `json:"ref_first_use"`
	OtherUse         frac      `json:"other_first_use"`
	Better           string
}

// TestReferencePairs: both orders of two jobs on a link, the correction factor, and that k x I
// chooses the order with the better use of GPUs. The first two cases are the paper's: 37.5 and 41.7
// %.
func TestReferencePairs(t *testing.T) {
	decidedPairs := 0
	for _, c := range read[pairCase](t, "pairs.json") {
		ref, other := c.Reference.pattern(t), c.Other.pattern(t)
		use := func(r, o float64) float64 {
			return (c.Reference.GPUs*ref.ComputeS/r + c.Other.GPUs*other.ComputeS/o) / (c.Reference.GPUs + c.Other.GPUs)
		}
		for _, order := range []struct {
			want pairOrder
			r, o float64
			use  frac
		}{{c.RefFirst, ref.Alone(), Behind(ref, other), c.RefUse},
			{c.OtherFirst, Behind(other, ref), other.Alone(), c.OtherUse}} {
			if !near(order.r, order.want.Mean[0].float(t)) || !near(order.o, order.want.Mean[1].float(t)) ||
				!near(ref.part(order.r), order.want.Part[0].float(t)) ||
				!near(other.part(order.o), order.want.Part[1].float(t)) || !near(use(order.r, order.o), order.use.float(t)) {
				t.Errorf("%s: iterations %v and %v, use %v, expected %+v, %v", c.Name, order.r, order.o,
					use(order.r, order.o), order.want, order.use)
			}
		}
		intensity := [2]float64{}
		for i, j := range []pairJob{c.Reference, c.Other} {
			p := j.pattern(t)
			if intensity[i] = Intensity(j.GPUs, p); !near(intensity[i], c.Intensity[i].float(t)) {
				t.Errorf("%s: intensity %v, expected %v", c.Name, intensity[i], c.Intensity[i])
			}
		}
		k, decided := Correction(ref, other)
		if decided != (c.K != nil) || decided && !near(k, c.K.float(t)) {
			t.Errorf("%s: k is %v (%v), expected %v", c.Name, k, decided, c.K)
		}
		if c.Better == "equal" || !decided {
			continue
		}
		decidedPairs++
		if got := k*intensity[1] > intensity[0]; got != (c.Better == "other_first") {
			t.Errorf("%s: priorities %v and %v, expected that %s", c.Name, intensity[0], k*intensity[1], c.Better)
		}
	}
	if decidedPairs == 0 {
		t.Error("no pair is decided")
	}
}
