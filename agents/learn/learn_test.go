package learn

import (
	"errors"
	"math"
	"strings"
	"testing"

	"tarry/agents/nn"
	"tarry/env"
)

func TestTally(t *testing.T) {
	var all Tally
	var row Row
	if all.Tell(&row); !math.IsNaN(row.Return) || !math.IsNaN(row.Length) || row.Episodes != 0 {
		t.Errorf("without episodes the row is %+v", row)
	}
	for i := range 150 {
		all.Add(float64(i), 2)
	}
	all.Tell(&row)
	if row.Return != 99.5 || row.Length != 2 || row.Episodes != 150 ||
		math.Abs(row.ReturnStd-math.Sqrt((100*100-1)/12.0)) > 1e-9 {
		t.Errorf("after 150 episodes the row is %+v", row)
	}
	if got := Explained([]float64{1, 2, 3}, []float64{1, 2, 3}); got != 1 {
		t.Errorf("a perfect critic explains %g", got)
	}
	if got := Explained([]float64{1, 2, 3}, []float64{5, 5, 5}); got != 0 {
		t.Errorf("a constant critic explains %g", got)
	}
}

// A tally continues from a state; a state without one is refused.
func TestTallyGoesOn(t *testing.T) {
	var a, b Tally
	for i := range 120 {
		a.Add(float64(i), float64(2*i))
	}
	s := &nn.State{}
	if err := errors.Join(a.Section().Save(s), b.Section().Load(s)); err != nil {
		t.Fatal(err)
	}
	b.Count = a.Count
	if a != b {
		t.Error("the tally came back changed")
	}
	if b.Section().Load(&nn.State{}) == nil {
		t.Error("an empty state was accepted")
	}
}

// What is no checkpoint of this format states what it is.
func TestOpen(t *testing.T) {
	type header struct {
		Format string `json:"format"`
		Steps  int    `json:"steps"`
	}
	state := func(text string) []byte {
		s := &nn.State{}
		s.Put("header", []byte(text))
		return s.Encode()
	}
	good := state(`{"format":"a/1","steps":7}`)
	h := &header{}
	if s, err := Open(good, "a/1", h); err != nil || h.Steps != 7 || s == nil {
		t.Errorf("a good checkpoint gives %+v, %v", h, err)
	}
	for _, c := range []struct {
		saved []byte
		want  string
	}{
		{nil, "checkpoint: the file is empty, expected what training saved: a full disk or a copy that broke off " +
			"leaves such a file"},
		{[]byte("x"), "checkpoint: saved state does not start with"},
		{good[:len(good)-1], "checkpoint: saved state is truncated or damaged"},
		{(&nn.State{}).Encode(), `checkpoint: saved state has no section "header"`},
		{state(`{"format":"b/1"}`), `checkpoint is of format "b/1", expected "a/1"`},
		{state(`nonsense`), `checkpoint is of format "", expected "a/1"`},
		{state(`{"format":"a/1","steps":"many"}`), "checkpoint: header: json: cannot unmarshal string"},
	} {
		if _, err := Open(c.saved, "a/1", &header{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("error is %v, want %q", err, c.want)
		}
	}
}

func TestSameConfig(t *testing.T) {
	type config struct {
		A int    `json:"a"`
		B string `json:"b,omitempty"`
		C []int  `json:"c"`
	}
	if err := SameConfig(config{1, "x", []int{2}}, &config{1, "x", []int{2}}); err != nil {
		t.Error(err)
	}
	err := SameConfig(config{1, "x", nil}, config{2, "", []int{3}})
	if want := `resume with another configuration: a was 1, now 2; b was "x", now unset; c was null, now [3]`; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
	if SameConfig(math.NaN(), config{}) == nil || SameConfig(3, config{}) == nil {
		t.Error("what is no configuration was accepted")
	}
}

func TestSameSpec(t *testing.T) {
	spec := func(n int) *env.Spec {
		return &env.Spec{ID: "t/A-v0", Observation: env.NewBox(0, 1, n), Action: env.Discrete{N: 2}}
	}
	if err := SameSpec(spec(3), spec(3)); err != nil {
		t.Error(err)
	}
	if err := SameSpec(spec(3), spec(4)); err == nil || !strings.HasPrefix(err.Error(),
		"the checkpoint is of another environment: {") {
		t.Errorf("another space gives %v", err)
	}
}
