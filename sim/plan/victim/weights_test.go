package victim

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// Weights are read back as they were written, and a fault names its line.
func TestText(t *testing.T) {
	w := RuleWeights(2, 0.3)
	for i := range w {
		w[i] += float64(i) / 7
	}
	var b bytes.Buffer
	if err := w.Export(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if got, err := ParseWeights("f", strings.NewReader(text)); err != nil || !slices.Equal(got, w) {
		t.Errorf("read %v, %v, expected %v", got, err, w)
	}
	for _, c := range []struct{ old, new, want string }{
		{"tarry-victims 1", "tarry-weights 1", `f:1: the file begins with "tarry-weights 1", expected "tarry-victims 1"`},
		{"score_left =", "score_leff =", `f:8: "score_leff" is unknown, expected some of score_lost, `},
		{"score_left =", "score_lost =", "f:8: score_lost is given on line 3 already, expected once"},
		{"\nmargin = ", "\nmargin = -", `f:13: margin is "-3.4`},
		{"wait_until = ", "wait_until = 2", `f:24: wait_until is "22`},
		{"\ngate_demand", "\n#gate_demand", "f:24: the weight gate_demand is missing, expected every weight"},
	} {
		_, err := ParseWeights("f", strings.NewReader(strings.Replace(text, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, expected %s", c.new, c.old, err, c.want)
		}
	}
	if err := w[1:].Export(&b); err == nil {
		t.Error("a vector that is too short is written")
	}
}

// A group that is not named is the other's.
func TestOnly(t *testing.T) {
	w, other := make(Weights, len(WeightNames())), make(Weights, len(WeightNames()))
	for i := range w {
		w[i], other[i] = 1, 2
	}
	for text, want := range map[string]string{"score+gate+wait": "", "wait+score": "margin gate_unsaved gate_at_risk " +
		"gate_until gate_left gate_spread gate_preempted gate_demand",
		"gate+score": "wait wait_unsaved wait_at_risk wait_until"} {
		parts, err := ReadParts(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, x := range w.Only(parts, other) {
			if x == 2 {
				got = append(got, WeightNames()[i])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q are the other's, expected %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"gate+weight": `"weight", expected some of score, gate, wait`,
		"gate+gate": "gate is named twice", "": `"", expected some of`} {
		if _, err := ReadParts(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %s", text, err, want)
		}
	}
	if !slices.Equal(Parts(), []string{"score", "gate", "wait"}) {
		t.Error(Parts())
	}
}
