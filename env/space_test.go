package env

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tarry/sim/rng"
)

// spaces is one of each kind, and a nest of all.
func spaces() []Space {
	return []Space{
		NewBox(-1, 2, 2, 3), Box{Low: []float64{0, math.Inf(-1), math.Inf(-1), 3},
			High: []float64{math.Inf(1), 0, math.Inf(1), 3}},
		Discrete{N: 3}, Discrete{N: 2, Start: -5}, MultiDiscrete{N: []int{2, 1, 4}}, MultiBinary{N: 3},
		Dict{{"b", Discrete{N: 4}}, {"a", Tuple{NewBox(0, 1, 2), MultiBinary{N: 2}}},
			{"c", MultiDiscrete{N: []int{3, 2}}}},
		Tuple{Discrete{N: 2}, Dict{{"x", NewBox(-1e308, 1e308, 1)}}},
	}
}

func TestContainsAndExplain(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		s    Space
		x    []float64
		want string // part of the explanation; "" = contained
	}{
		{NewBox(0, 1, 2), []float64{0, 1}, ""},
		{NewBox(0, 1, 2), []float64{0, 1.5}, "number 1 is 1.5, expected one in [0, 1]"},
		{NewBox(0, 1, 2), []float64{nan, 0}, "number 0 is NaN"},
		{NewBox(0, 1, 2), []float64{0}, "1 numbers, expected 2"},
		{NewBox(math.Inf(-1), math.Inf(1), 1), []float64{math.Inf(1)}, ""},
		{NewBox(math.Inf(-1), math.Inf(1), 1), []float64{nan}, "number 0 is NaN"},
		{Discrete{N: 3}, []float64{2}, ""},
		{Discrete{N: 3}, []float64{3}, "3, expected a whole number from 0 to 2"},
		{Discrete{N: 3}, []float64{0.5}, "0.5, expected a whole number"},
		{Discrete{N: 3}, []float64{nan}, "NaN, expected"},
		{Discrete{N: 3}, []float64{-math.Inf(1)}, "-Inf, expected"},
		{Discrete{N: 3}, nil, "0 numbers, expected 1"},
		{Discrete{N: 2, Start: 5}, []float64{6}, ""},
		{Discrete{N: 2, Start: 5}, []float64{0}, "0, expected a whole number from 5 to 6"},
		{MultiDiscrete{N: []int{2, 3}}, []float64{1, 2}, ""},
		{MultiDiscrete{N: []int{2, 3}}, []float64{2, 2}, "number 0 is 2, expected a whole number from 0 to 1"},
		{MultiDiscrete{N: []int{2, 3}}, []float64{1}, "1 numbers, expected 2"},
		{MultiBinary{N: 2}, []float64{1, 0}, ""},
		{MultiBinary{N: 2}, []float64{1, 0.5}, "number 1 is 0.5, expected 0 or 1"},
		{MultiBinary{N: 2}, []float64{1}, "1 numbers, expected 2"},
		{Dict{{"a", Discrete{N: 2}}, {"b", NewBox(0, 1, 1)}}, []float64{1, 0.5}, ""},
		{Dict{{"a", Discrete{N: 2}}, {"b", NewBox(0, 1, 1)}}, []float64{1, 7}, "b: number 0 is 7"},
		{Dict{{"a", Discrete{N: 2}}, {"b", NewBox(0, 1, 1)}}, []float64{1}, "1 numbers, expected 2"},
		{Tuple{Discrete{N: 2}, Discrete{N: 2}}, []float64{0, 2}, "part 1: 2, expected"},
		{Tuple{Discrete{N: 2}}, []float64{0, 0}, "2 numbers, expected 1"},
	} {
		err := Explain(c.s, c.x)
		if c.s.Contains(c.x) != (c.want == "") || (err == nil) != (c.want == "") || err != nil &&
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v in %v: %v, %v, want %q", c.x, c.s, c.s.Contains(c.x), err, c.want)
		}
	}
}

func TestSamplesAreInTheirSpaceAndReachAll(t *testing.T) {
	for i, s := range spaces() {
		r := rng.Source{Seed: uint64(i)}.Stream("sample")
		x := make([]float64, s.Len())
		seen := map[float64]bool{}
		for range 300 {
			if err := s.Sample(x, r, nil); err != nil {
				t.Fatal(err)
			}
			if !s.Contains(x) {
				t.Fatalf("%v drew %v: %v", s, x, Explain(s, x))
			}
			if got := FlatDim(s); got != FlatSpace(s).Len() {
				t.Fatalf("%v: FlatDim %d, FlatSpace of %d", s, got, FlatSpace(s).Len())
			}
			seen[x[0]] = true
		}
		if d, ok := s.(Discrete); ok && len(seen) != d.N {
			t.Errorf("%v drew %d different numbers of %d", d, len(seen), d.N)
		}
	}
}

func TestBoxSamplesByItsBounds(t *testing.T) {
	b := Box{Low: []float64{-1, 2, math.Inf(-1), -math.Inf(1)}, High: []float64{3, math.Inf(1), 2, math.Inf(1)}}
	r := rng.Source{}.Stream("box")
	const n = 40_000
	var sum, square [4]float64
	x := make([]float64, 4)
	for range n {
		if err := b.Sample(x, r, nil); err != nil {
			t.Fatal(err)
		}
		for i, v := range x {
			sum[i] += v
			square[i] += v * v
		}
	}
	// Uniform on [-1, 3]; 2 plus and 2 minus an exponential of mean 1; standard normal.
	mean, variance := []float64{1, 3, 1, 0}, []float64{16. / 12, 1, 1, 1}
	for i := range x {
		m := sum[i] / n
		if v := square[i]/n - m*m; math.Abs(m-mean[i]) > 0.04 || math.Abs(v-variance[i]) > 0.1 {
			t.Errorf("number %d has mean %v and variance %v, want %v and %v", i, m, v, mean[i], variance[i])
		}
	}
}

func TestMasks(t *testing.T) {
	for _, c := range []struct {
		s    Space
		mask []bool
		want [][]float64 // all that may be drawn
	}{
		{Discrete{N: 3, Start: 1}, []bool{true, false, true}, [][]float64{{1}, {3}}},
		{MultiDiscrete{N: []int{2, 2}}, []bool{false, true, true, true}, [][]float64{{1, 0}, {1, 1}}},
		{MultiBinary{N: 2}, []bool{true, false, true, true}, [][]float64{{0, 0}, {0, 1}}},
		{Dict{{"a", Discrete{N: 2}}, {"b", Tuple{NewBox(4, 4, 1), Discrete{N: 2}}}}, []bool{true, true, false, true},
			[][]float64{{0, 4, 1}, {1, 4, 1}}},
	} {
		spec := &Spec{ID: "a/B-v0", Action: c.s}
		r := rng.Source{}.Stream("mask")
		seen := map[string]bool{}
		x := make([]float64, c.s.Len())
		for range 100 {
			if err := c.s.Sample(x, r, c.mask); err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(c.want, func(w []float64) bool { return slices.Equal(w, x) }) {
				t.Fatalf("%v under %v drew %v, want one of %v", c.s, c.mask, x, c.want)
			}
			if err := CheckAction(spec, c.mask, x); err != nil {
				t.Fatal(err)
			}
			seen[string(rune(x[0]))+string(rune(x[len(x)-1]))] = true
		}
		if len(seen) != len(c.want) {
			t.Errorf("%v under %v drew %d different values, want %d", c.s, c.mask, len(seen), len(c.want))
		}
		for range 200 { // what an unmasked draw gives is legal exactly when it is one of those
			if err := c.s.Sample(x, r, nil); err != nil {
				t.Fatal(err)
			}
			legal := slices.ContainsFunc(c.want, func(w []float64) bool { return slices.Equal(w, x) })
			if err := CheckAction(spec, c.mask, x); (err == nil) != legal || err != nil &&
				!errors.Is(err, ErrInvalidAction) {
				t.Fatalf("%v under %v: %v is checked as %v, want legal %v", c.s, c.mask, x, err, legal)
			}
		}
		if err := c.s.Sample(x, r, make([]bool, len(c.mask))); !errors.Is(err, ErrNoLegalAction) {
			t.Errorf("%v under an empty mask: %v, want ErrNoLegalAction", c.s, err)
		}
		if err := c.s.Sample(x, r, make([]bool, len(c.mask)+1)); err == nil {
			t.Errorf("%v took a mask of the wrong length", c.s)
		}
		if err := CheckAction(spec, make([]bool, len(c.mask)+1), x); err == nil {
			t.Errorf("%v: CheckAction took a mask of the wrong length", c.s)
		}
	}
	if err := NewBox(0, 1, 1).Sample(make([]float64, 1), rng.Source{}.Stream(""), []bool{}); err != nil {
		t.Errorf("a Box under a mask of no entries: %v", err)
	}
}

func TestEquality(t *testing.T) {
	all := spaces()
	for i, a := range all {
		for j, b := range spaces() {
			if got := EqualSpaces(a, b); got != (i == j) {
				t.Errorf("%v equal to %v: %v", a, b, got)
			}
		}
	}
	for _, c := range []struct {
		a, b Space
		want bool
	}{
		{NewBox(0, 1, 4), Box{Low: make([]float64, 4), High: []float64{1, 1, 1, 1}}, true},
		{NewBox(0, 1, 4), NewBox(0, 1, 2, 2), false},
		{Dict{{"a", Discrete{N: 1}}}, Dict{{"b", Discrete{N: 1}}}, false},
		{Tuple{Discrete{N: 1}}, Tuple{Discrete{N: 1}, Discrete{N: 1}}, false},
		{Discrete{N: 2}, MultiBinary{N: 2}, false},
		{nil, nil, false},
	} {
		if got := EqualSpaces(c.a, c.b); got != c.want {
			t.Errorf("%v equal to %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestFlattenAndBack(t *testing.T) {
	s := Dict{{"job", Discrete{N: 3, Start: 1}}, {"rest", Tuple{NewBox(-1, 1, 2), MultiDiscrete{N: []int{2, 2}},
		MultiBinary{N: 1}}}}
	x := []float64{2, -0.5, 0.25, 1, 0, 1}
	want := []float64{0, 1, 0, -0.5, 0.25, 0, 1, 1, 0, 1}
	got := make([]float64, FlatDim(s))
	for i := range got {
		got[i] = 9 // what was there before must not show
	}
	Flatten(got, s, x)
	if !slices.Equal(got, want) {
		t.Errorf("flattened to %v, want %v", got, want)
	}
	for i, s := range spaces() {
		r := rng.Source{Seed: uint64(i)}.Stream("flatten")
		x, back, flat := make([]float64, s.Len()), make([]float64, s.Len()), make([]float64, FlatDim(s))
		for range 50 {
			if err := s.Sample(x, r, nil); err != nil {
				t.Fatal(err)
			}
			Flatten(flat, s, x)
			if !FlatSpace(s).Contains(flat) {
				t.Fatalf("%v of %v is not in the flat space", flat, s)
			}
			if err := Unflatten(back, s, flat); err != nil || !slices.Equal(back, x) {
				t.Fatalf("%v of %v came back as %v, error %v", x, s, back, err)
			}
		}
		if err := Unflatten(back, s, append(flat, 0)); err == nil {
			t.Errorf("%v: too long an input was taken", s)
		}
	}
}

func TestCheckSpaceTellsAllFaults(t *testing.T) {
	for _, c := range []struct {
		s    Space
		want []string
	}{
		{nil, []string{"there is no space"}},
		{Box{}, []string{"0 low and 0 high bounds"}},
		{Box{Low: []float64{0}, High: []float64{1, 2}}, []string{"1 low and 2 high bounds"}},
		{Box{Low: []float64{0, 2, math.NaN(), math.Inf(1)}, High: []float64{1, 1, 1, math.Inf(1)}, Shape: []int{3}},
			[]string{"shape [3] has 3 elements, expected 4", "element 1 are [2, 1]", "element 2 are [NaN, 1]",
				"element 3 are [+Inf, +Inf]"}},
		{Discrete{}, []string{"n is 0, expected > 0"}},
		{MultiDiscrete{}, []string{"no components"}},
		{MultiDiscrete{N: []int{0, -1}}, []string{"n[0] is 0", "n[1] is -1"}},
		{MultiBinary{N: -1}, []string{"n is -1"}},
		{Dict{}, []string{"no parts"}},
		{Dict{{"a", Discrete{}}, {"a", nil}, {"", Discrete{N: 1}}},
			[]string{"a: Discrete: n is 0", `named "a"`, "a: there is no space", `named ""`}},
		{Tuple{Tuple{}}, []string{"part 0: env.Tuple: no parts"}},
	} {
		err := CheckSpace(c.s)
		for _, w := range c.want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%v: error %v, want one with %q", c.s, err, w)
			}
		}
	}
	for _, s := range spaces() {
		if err := CheckSpace(s); err != nil {
			t.Errorf("%v: %v", s, err)
		}
	}
}

func TestSpecThroughJSON(t *testing.T) {
	for _, s := range spaces() {
		spec := Spec{ID: "tarry/X-v3", Options: "gpus=8", Observation: s, Action: s, Masked: true,
			Metrics:  []string{"a", "b"},
			MaxSteps: 7, RewardThreshold: -1.5, Wrappers: []string{"TimeLimit:steps=7"}}
		data, err := json.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		var back Spec
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if !reflect.DeepEqual(spec, back) {
			t.Errorf("%s came back as %+v", data, back)
		}
		again, err := json.Marshal(&back)
		if err != nil || string(again) != string(data) {
			t.Errorf("%s was written again as %s, error %v", data, again, err)
		}
	}
}

func TestBadSpecs(t *testing.T) {
	const box = `{"type":"Box","low":[0],"high":[1]}`
	for _, c := range []struct{ text, want string }{
		{`{"id":"a/B-v0","observation":` + box + `,"action":{"type":"Box","low":[2],"high":[1]}}`,
			"action: Box: bounds of element 0 are [2, 1]"},
		{`{"id":"a/B","observation":` + box + `,"action":` + box + `}`, "no version"},
		{`{"id":"a/B-v0","observation":{"type":"Sphere"},"action":` + box + `}`, `type is "Sphere"`},
		{`{"id":"a/B-v0","observation":` + box + `}`, `action: type is ""`},
		{`{"id":"a/B-v0","observation":` + box + `,"action":` + box + `,"colour":1}`, "colour"},
		{`{"id":"a/B-v0","observation":{"type":"Dict","parts":[{"name":"p","type":"Tuple"}]},"action":` + box + `}`,
			"p: env.Tuple: no parts"},
		{`{"id":"a/B-v0","observation":{"type":"Box","low":["inf"],"high":[1]},"action":` + box + `}`, "env spec"},
		{`[]`, "env spec"},
	} {
		var s Spec
		if err := json.Unmarshal([]byte(c.text), &s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.text, err, c.want)
		}
	}
	for _, s := range []Spec{{}, {Observation: NewBox(0, math.NaN(), 1), Action: Discrete{N: 1}},
		{Observation: Discrete{N: 1}}} {
		if _, err := json.Marshal(s); err == nil {
			t.Errorf("%+v was written", s)
		}
	}
}

func FuzzSpec(f *testing.F) {
	for _, s := range spaces() {
		data, err := json.Marshal(Spec{ID: "a/B-v0", Observation: s, Action: s})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s, back Spec
		if json.Unmarshal(data, &s) != nil {
			return
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatalf("%+v was read, but not written: %v", s, err)
		}
		if err := json.Unmarshal(again, &back); err != nil || !EqualSpaces(s.Observation, back.Observation) ||
			!EqualSpaces(s.Action, back.Action) {
			t.Fatalf("%s came back as %+v, error %v", again, back, err)
		}
	})
}
