package nn

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/internal/netfile"
)

// A file's network answers with the bits of the network that it describes.
func TestDescribe(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shape := SetShape{Global: 2, Slots: 5, Features: 3, Extra: 1}
	for name, c := range map[string]struct {
		net  Net
		form netfile.Form
	}{
		"tanh":   {NewMLP("a", []int{17, 9, 33, 6}, Tanh, 1, r), netfile.Form{}},
		"relu":   {NewMLP("a", []int{17, 40, 6}, Relu, 1, r), netfile.Form{Values: true}},
		"linear": {NewMLP("a", []int{17, 6}, Tanh, 1, r), netfile.Form{}},
		"set":    {NewSetNet("a", shape, 11, false, 1, r), netfile.Form{}},
		"duel": {NewDuel("a", NewMLP("a/value", []int{17, 5, 1}, Relu, 1, r),
			NewMLP("a/advantage", []int{17, 5, 6}, Relu, 1, r)), netfile.Form{Values: true}},
		"duel of sets": {NewDuel("a", NewSetNet("a/value", shape, 4, true, 1, r),
			NewSetNet("a/advantage", shape, 4, false, 1, r)), netfile.Form{Values: true}},
	} {
		f := c.form
		f.Obs, f.Sizes, f.First, f.Masked = 17, []int{6}, []int{0}, true
		for _, p := range c.net.Params() {
			for i := range p.W {
				p.W[i] += 0.2 * r.NormFloat64()
			}
		}
		all, err := Describe(&f, "a", c.net)
		if err != nil {
			t.Fatal(name, err)
		}
		n, err := netfile.New(f, all)
		if err != nil {
			t.Fatal(name, err)
		}
		got, want := make([]float64, 6), make([]float64, 6)
		for range 50 {
			obs, mask := make([]float64, 17), make([]bool, 6)
			for i := range obs {
				obs[i] = r.NormFloat64()
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
	f := netfile.Form{}
	if _, err := Describe(&f, "a", NewSetNet("a", SetShape{Slots: 2, Features: 3, Marked: true}, 4, false, 1, r)); err == nil {
		t.Error("a network of orders is described")
	}
}
