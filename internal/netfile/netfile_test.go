package netfile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

// forms are networks of every sort.
func forms() map[string]Form {
	list := &Set{Global: 2, Slots: 3, Features: 2, Extra: 1, Each: 1}
	several := &Set{Global: 0, Slots: 3, Features: 2, Extra: 0, Each: 2}
	return map[string]Form{
		"mlp": {Obs: 3, Sizes: []int{2}, First: []int{-1}, Activation: Tanh, Hidden: []int{4, 5}, Clip: 10},
		"components": {Obs: 3, Sizes: []int{2, 3}, First: []int{0, 7}, Masked: true, Activation: Relu,
			Hidden: []int{4}},
		"linear": {Obs: 3, Sizes: []int{2}, First: []int{0}, Activation: Relu},
		"set":    {Obs: 8, Sizes: []int{4}, First: []int{0}, Masked: true, Activation: Tanh, Hidden: []int{5}, Set: list},
		"several": {Obs: 6, Sizes: []int{2, 2, 2}, First: []int{0, 0, 0}, Masked: true, Activation: Relu,
			Hidden: []int{3}, Set: several},
		"present": {Obs: 6, Sizes: []int{7}, First: []int{0}, Masked: true, Activation: Tanh, Hidden: []int{3},
			Set: &Set{Slots: 3, Features: 2, Extra: 1, Each: 2, Present: 1}},
		"values": {Obs: 3, Sizes: []int{4}, First: []int{0}, Masked: true, Values: true, Activation: Relu, Hidden: []int{4}},
		"duel":   {Obs: 3, Sizes: []int{4}, First: []int{0}, Masked: true, Values: true, Duel: true, Activation: Relu},
		"duel of sets": {Obs: 8, Sizes: []int{4}, First: []int{0}, Masked: true, Values: true, Duel: true,
			Activation: Tanh, Hidden: []int{5}, Set: list},
	}
}

// drawn is a network with weights from a seed.
func drawn(t testing.TB, f Form, seed uint64) *Net {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	all := f.Matrices()
	for i := range all {
		for range all[i].Rows * all[i].Cols {
			w := r.NormFloat64()
			if all[i].Name == "scale" {
				w = 0.1 + w*w
			}
			all[i].W = append(all[i].W, w)
		}
	}
	n, err := New(f, all)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// question is an observation with a mask that allows a choice in every component.
func question(f *Form, r *rand.Rand) (obs []float64, mask []bool) {
	for range f.Obs {
		obs = append(obs, 3*r.NormFloat64()*float64(r.IntN(2)))
	}
	if f.Masked {
		for _, n := range f.Sizes {
			from := len(mask)
			for range n {
				mask = append(mask, r.IntN(2) == 0)
			}
			mask[from+r.IntN(n)] = true
		}
	}
	return obs, mask
}

// What is written reads back to the last bit, and answers alike.
func TestRoundTrip(t *testing.T) {
	for name, f := range forms() {
		n := drawn(t, f, 7)
		var text bytes.Buffer
		if err := n.Write(&text); err != nil {
			t.Fatal(err)
		}
		m, err := Read(name, bytes.NewReader(text.Bytes()))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var again bytes.Buffer
		if err := m.Write(&again); err != nil || !bytes.Equal(text.Bytes(), again.Bytes()) {
			t.Errorf("%s: what is read back is other text, error %v", name, err)
		}
		r := rand.New(rand.NewPCG(3, 4))
		a, b := make([]float64, n.Out()), make([]float64, n.Out())
		x, y := make([]float64, len(f.Sizes)), make([]float64, len(f.Sizes))
		seen := map[string]bool{}
		for range 300 {
			obs, mask := question(&f, r)
			n.Forward(a, obs, mask)
			m.Forward(b, obs, mask)
			n.Act(x, obs, mask)
			m.Fork().Act(y, obs, mask)
			if !slices.Equal(a, b) || !slices.Equal(x, y) {
				t.Fatalf("%s: %v and %v to one question, actions %v and %v", name, a, b, x, y)
			}
			at := 0
			for c, size := range f.Sizes {
				k := int(x[c]) - f.First[c]
				if k < 0 || k >= size || mask != nil && !mask[at+k] {
					t.Fatalf("%s: action %v of mask %v", name, x, mask)
				}
				at += size
			}
			seen[fmt.Sprint(x)] = true
		}
		if len(seen) < 2 {
			t.Errorf("%s: all actions are the same", name)
		}
	}
}

// Acting allocates nothing.
func TestAllocates(t *testing.T) {
	for name, f := range forms() {
		n := drawn(t, f, 5)
		obs, mask := question(&f, rand.New(rand.NewPCG(1, 1)))
		action := make([]float64, len(f.Sizes))
		if got := testing.AllocsPerRun(20, func() { n.Act(action, obs, mask) }); got != 0 {
			t.Errorf("%s: an action allocates %v times", name, got)
		}
	}
}

// Forks answer several goroutines at once as a network answers one.
func TestForksAnswerAtOnce(t *testing.T) {
	for name, f := range forms() {
		n := drawn(t, f, 5)
		var wait sync.WaitGroup
		for who := range uint64(4) {
			wait.Go(func() {
				r := rand.New(rand.NewPCG(who, 6))
				n, alone := n.Fork(), drawn(t, f, 5)
				got, want := make([]float64, n.Out()), make([]float64, n.Out())
				x, y := make([]float64, len(f.Sizes)), make([]float64, len(f.Sizes))
				for range 500 {
					obs, mask := question(&f, r)
					n.Forward(got, obs, mask)
					alone.Forward(want, obs, mask)
					n.Act(x, obs, mask)
					alone.Act(y, obs, mask)
					if !slices.Equal(got, want) || !slices.Equal(x, y) {
						t.Errorf("%s: answers %v beside others, %v alone; actions %v and %v", name, got, want, x, y)
						return
					}
				}
			})
		}
		wait.Wait()
	}
}

// A network of two numbers, computed by hand: relu(1x2 - 2y2 + 1) = 0, relu(3+4-1) = 6 and so on.
func TestByHand(t *testing.T) {
	const text = `tarry network 1
# two numbers
observation 2
choices 3
first 1
masked true
answers logits
clip 2
network mlp relu 2
matrix scale 2 2
1 2
0 1
matrix 0/weight 2 2
1 3
-2 2
matrix 0/bias 1 2
1 -1
matrix 1/weight 2 3
1 0 0
0.5 -1 1
matrix 1/bias 1 3
0 1 0`
	n, err := Read("hand", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	// scaled: (3-1)/2 = 1 and 5 bounded by 2; hidden: 1-4+1 = -2 to 0, and 3+4-1 = 6
	out, action := make([]float64, 3), make([]float64, 1)
	n.Forward(out, []float64{3, 5}, []bool{true, true, true})
	if !slices.Equal(out, []float64{3, -5, 6}) {
		t.Errorf("answers %v, expected 3, -5 and 6", out)
	}
	if n.Act(action, []float64{3, 5}, []bool{true, true, false}); action[0] != 1 {
		t.Errorf("action %v, expected choice 0, which is called 1", action)
	}
	if n.In() != 2 || n.Out() != 3 || !n.Masked() {
		t.Errorf("%d numbers, %d answers, masked %v", n.In(), n.Out(), n.Masked())
	}
}

// The order of candidates does not change what is answered for each.
func TestSetPermutes(t *testing.T) {
	f := forms()["set"]
	n, r := drawn(t, f, 9), rand.New(rand.NewPCG(2, 2))
	a, b := make([]float64, 4), make([]float64, 4)
	obs, _ := question(&f, r)
	turned := append(slices.Clone(obs[:2]), append(slices.Clone(obs[4:]), obs[2:4]...)...)
	n.Forward(a, obs, []bool{true, true, false, true})
	n.Forward(b, turned, []bool{true, false, true, true})
	for i, want := range []float64{a[0], a[2], a[3], a[1]} {
		if d := b[i] - want; d > 1e-12 || d < -1e-12 {
			t.Errorf("answers %v became %v", a, b)
		}
	}
}

func TestRounded(t *testing.T) {
	n := drawn(t, forms()["set"], 3)
	m, err := n.Rounded(3)
	if err != nil {
		t.Fatal(err)
	}
	var long, short bytes.Buffer
	if n.Write(&long) != nil || m.Write(&short) != nil || short.Len() > long.Len()/2 {
		t.Errorf("%d and %d bytes", long.Len(), short.Len())
	}
	for i := range n.matrices {
		for k, w := range n.matrices[i].W {
			if d := m.matrices[i].W[k]/w - 1; d > 5.1e-3 || d < -5.1e-3 {
				t.Errorf("%v became %v", w, m.matrices[i].W[k])
			}
		}
	}
}
