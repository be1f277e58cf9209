package netfile

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// good is a network whose lines the faults below change.
const good = `tarry network 1
observation 1
choices 2
first 0
masked false
answers logits
clip 0
network mlp tanh
matrix 0/weight 1 2
1 2
matrix 0/bias 1 2
0 0
`

// A fault names the file, the line, the value and what was expected.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ old, now, want string }{
		{"network 1", "network 2", `f:1: the file begins with "tarry network 2", expected "tarry network 1"`},
		{"observation 1", "observation 0", `f:2: observation is "0", expected a whole number from 1 to 65536`},
		{"choices 2", "choices 2 x", `f:3: choices is "x", expected a whole number from 1 to 2048`},
		{"choices 2", "choice 2", `f:3: the line is "choice 2", expected "choices" and the number of choices of each`},
		{"first 0", "first 0 0", "f:8: first has 2 numbers, expected one for each of 1 components"},
		{"masked false", "masked no", `f:5: masked is "no", expected true or false`},
		{"logits", "rank", `f:6: answers is "rank", expected logits or values or duel or scores`},
		{"logits", "scores", "f:8: answers are scores, expected a set with extra=0, each=1 and present=1, one component"},
		{"clip 0", "clip -1", `f:7: clip is "-1", expected a number from 0 to`},
		{"mlp tanh", "mlp sin", `f:8: activation is "sin", expected tanh or relu`},
		{"mlp tanh", "gnn tanh", `f:8: network is "gnn tanh", expected mlp or set`},
		{"mlp tanh", "mlp", `f:8: network is "mlp", expected mlp or set, an activation and widths`},
		{"mlp tanh", "set tanh 4", `f:8: network is "set tanh 4", expected set, an activation, a width and global=N`},
		{"mlp tanh", "set tanh 4 global=0 slots=2 features=1 extra=0 every=1 present=0", `f:8: "every=1", expected each=N`},
		{"mlp tanh", "set tanh 4 global=0 slots=2 features=1 extra=0 each=1 present=0",
			"f:8: 0 numbers and 2 slots of 1 features, expected an observation of 1"},
		{"mlp tanh", "set tanh 4 global=0 slots=1 features=1 extra=0 each=1 present=0",
			"f:8: 0 extra choices and 1 slots of 1 each, expected choices [2]"},
		{"mlp tanh", "set tanh 4 global=0 slots=0 features=1 extra=0 each=1 present=0",
			"f:8: slots is 0, expected 1 to 65536"},
		{"1 2\n1 2", "1 3\n1 2", `f:9: matrix is "0/weight 1 3", expected 0/weight 1 2`},
		{"\n1 2\n", "\n1\n", "f:10: row 0 of 0/weight has 1 numbers, expected 2"},
		{"\n1 2\n", "\n1 NaN\n", `f:10: 0/weight is "NaN", expected a number from`},
		{"0 0\n", "", "f:11: 0/bias ends after 0 of 1 rows"},
		{"0 0\n", "0 0\n1\n", "f:13: there is a line after the last matrix, 0/bias, expected none"},
	} {
		text := strings.Replace(good, c.old, c.now, 1)
		if _, err := Read("f", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q for %q: error\n%v\nwant\n%s", c.now, c.old, err, c.want)
		}
	}
	if _, err := Read("f", strings.NewReader(good)); err != nil {
		t.Error(err)
	}
}

// Forms and matrices that do not fit are errors, not panics.
func TestNewFaults(t *testing.T) {
	f := Form{Obs: 1, Sizes: []int{2}, First: []int{0}, Activation: Tanh, Clip: 10}
	fresh := func(change func(all []Matrix) []Matrix) []Matrix {
		return change([]Matrix{{"scale", 1, 2, []float64{0, 1}}, {"0/weight", 1, 2, []float64{1, 2}},
			{"0/bias", 1, 2, []float64{0, 0}}})
	}
	for want, change := range map[string]func(all []Matrix) []Matrix{
		"":                                func(all []Matrix) []Matrix { return all },
		"network: 2 matrices, expected 3": func(all []Matrix) []Matrix { return all[:2] },
		"network: matrix 0/weight of 1 by 2 with 1 numbers, expected 0/weight of 1 by 2": func(all []Matrix) []Matrix {
			all[1].W = all[1].W[:1]
			return all
		},
		"network: 0/bias[0,1] is +Inf, expected a finite number": func(all []Matrix) []Matrix {
			all[2].W[1] = math.Inf(1)
			return all
		},
		"network: deviation 0 is 0, expected a number above 0": func(all []Matrix) []Matrix {
			all[0].W[1] = 0
			return all
		},
	} {
		if _, err := New(f, fresh(change)); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
	f.Values, f.Sizes, f.First, f.Hidden = true, []int{2, 2}, []int{0, 0}, make([]int, 17)
	if _, err := New(f, nil); err == nil || !strings.Contains(err.Error(), "values of 2 components") ||
		!strings.Contains(err.Error(), "hidden layers is 17") {
		t.Errorf("error %v, expected both faults", err)
	}
}

// Whatever the text, reading gives an error or a network that writes and reads back the same, and
// acts.
func FuzzRead(f *testing.F) {
	f.Add([]byte(good))
	for _, form := range forms() {
		var text bytes.Buffer
		if err := drawn(f, form, 1).Write(&text); err != nil {
			f.Fatal(err)
		}
		f.Add(text.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Read("f", bytes.NewReader(data))
		if err != nil {
			return
		}
		var a, b bytes.Buffer
		if err := n.Write(&a); err != nil {
			t.Fatal(err)
		}
		m, err := Read("f", bytes.NewReader(a.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Write(&b); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("what is read back is other text, error %v", err)
		}
		n.Act(make([]float64, len(n.form.Sizes)), make([]float64, n.In()), make([]bool, n.Out()))
	})
}
