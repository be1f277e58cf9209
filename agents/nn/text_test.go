package nn

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/internal/netfile"
	"tarry/internal/softmax"
)

// A file's network answers with the bits of the network that it describes.
func TestText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shape := SetShape{Global: 2, Slots: 5, Features: 3, Extra: 1}
	for name, c := range map[string]struct {
		net  Net
		head Head
	}{
		"tanh":   {NewMLP("a", []int{17, 9, 33, 6}, Tanh, 1, r), Head{}},
		"relu":   {NewMLP("a", []int{17, 40, 6}, Relu, 1, r), Head{Values: true}},
		"linear": {NewMLP("a", []int{17, 6}, Tanh, 1, r), Head{}},
		"set":    {NewSetNet("a", shape, 11, false, 1, r), Head{}},
		"present": {NewSetNet("a", SetShape{Global: 5, Slots: 4, Features: 3, Extra: 2, Present: true}, 11, false, 1,
			r).Bend(Relu), Head{}},
		"duel": {NewDuel("a", NewMLP("a/value", []int{17, 5, 1}, Relu, 1, r),
			NewMLP("a/advantage", []int{17, 5, 6}, Relu, 1, r)), Head{Values: true}},
		"duel of sets": {NewDuel("a", NewSetNet("a/value", shape, 4, true, 1, r),
			NewSetNet("a/advantage", shape, 4, false, 1, r)), Head{Values: true}},
	} {
		h := c.head
		h.Sizes, h.First, h.Masked = []int{6}, []int{0}, true
		for _, p := range c.net.Params() {
			for i := range p.W {
				p.W[i] += 0.2 * r.NormFloat64()
			}
		}
		text, err := Text(&h, "a", c.net)
		if err != nil {
			t.Fatal(name, err)
		}
		n, err := netfile.Read(name, bytes.NewReader(text))
		if err != nil {
			t.Fatal(name, err)
		}
		got, want := make([]float64, 6), make([]float64, 6)
		for range 50 {
			obs, mask := make([]float64, 17), make([]bool, 6)
			for i := range obs {
				obs[i] = r.NormFloat64() * float64(r.IntN(3))
			}
			for i := range mask {
				mask[i] = r.IntN(3) > 0
			}
			mask[r.IntN(6)] = true
			c.net.Forward(want, obs, mask)
			n.Forward(got, obs, mask)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %v, expected %v", name, got, want)
			}
		}
	}
	shape.Marked = true
	if _, err := Text(&Head{Sizes: []int{6}}, "a", NewSetNet("a", shape, 4, false, 1, r)); err == nil {
		t.Error("a network of orders is described")
	}
	if MaskedLogit != softmax.Masked {
		t.Error("two logits of forbidden choices")
	}
}
