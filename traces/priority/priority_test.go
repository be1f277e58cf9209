package priority

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
)

// Parts are the law's, within four standard deviations; the others keep what they have; a
// job keeps its class when another class is added behind it.
func TestLaw(t *testing.T) {
	const n = 20000
	js := make([]sim.Job, n)
	for i := range js {
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: 1, Work: 1, Priority: 7}
	}
	w, err := sim.NewWorkload("w", js)
	if err != nil {
		t.Fatal(err)
	}
	of := func(text string) *sim.Workload {
		l, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		out, err := l.Apply(w, rng.Source{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	two, one := of("-1=0.3,5=0.1"), of("-1=0.3")
	count := map[int32]int{}
	for i := range two.Jobs {
		p := two.Jobs[i].Priority
		if count[p]++; (p == -1) != (one.Jobs[i].Priority == -1) {
			t.Fatalf("job %d has priority %d, with one class %d", i, p, one.Jobs[i].Priority)
		}
	}
	for p, part := range map[int32]float64{-1: .3, 5: .1, 7: .6} {
		if d := 4 * math.Sqrt(n*part*(1-part)); math.Abs(float64(count[p])-n*part) > d {
			t.Errorf("%d of %d jobs have priority %d, expected a part of %v", count[p], n, p, part)
		}
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{"", "none", " "} {
		if l, err := Parse(text); l != nil || err != nil {
			t.Errorf("%q is a law, or wrong: %v", text, err)
		}
	}
	for text, want := range map[string]string{"high": "no whole number", "1=x": "no whole number",
		"1=0.6,2=0.6": "add up to at most 1", "1=0.1,1=0.1": "each class once",
		"1=-0.1": "0..1", "1=NaN": "0..1", "1.5=0.1": "no whole number", "99999999999=0.1": "no whole number",
		"1=0.5,": "no whole number"} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected one with %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("-1=0.3,5=0.1")
	f.Fuzz(func(t *testing.T, text string) {
		if l, err := Parse(text); err == nil && l != nil && len(l.classes) == 0 {
			t.Errorf("%q is a law without classes", text)
		}
	})
}
