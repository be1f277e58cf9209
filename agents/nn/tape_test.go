package nn

import (
	"math"
	"runtime"
	"strings"
	"testing"
)

// A faulty description is an error of Compile that names what is wrong.
func TestTapeFaults(t *testing.T) {
	for _, c := range []struct {
		want  string
		build func(t *Tape) Node
	}{
		{`two inputs are called "x"`, func(t *Tape) Node {
			a, _ := t.Vector("x")
			b, _ := t.Vector("x")
			return t.Sum(t.Add(a, b))
		}},
		{"has no name", func(t *Tape) Node { a, _ := t.Vector(""); return t.Sum(a) }},
		{"sum of shapes (2,0) and (2,3)", func(t *Tape) Node {
			a, _ := t.Vector("a")
			b, _ := t.Matrix("b", 2, 3)
			return t.Sum(t.Add(a, b))
		}},
		{"product of shapes (2,3) and (2,3)", func(t *Tape) Node {
			a, _ := t.Matrix("a", 2, 3)
			b, _ := t.Matrix("b", 2, 3)
			return t.Sum(t.SumRows(t.MatMul(a, b)))
		}},
		{"reshape of (2,3) to (4,0)", func(t *Tape) Node {
			a, _ := t.Matrix("a", 2, 3)
			return t.Sum(t.Reshape(a, 4, 0))
		}},
		{"sum of the rows of a vector", func(t *Tape) Node { a, _ := t.Vector("a"); return t.Sum(t.SumRows(a)) }},
		{"sum of a matrix", func(t *Tape) Node { a, _ := t.Matrix("a", 2, 2); return t.Sum(a) }},
		{"uses no weights", func(t *Tape) Node { a, _ := t.Vector("a"); return t.Sum(a) }},
		{"expected a scalar", func(t *Tape) Node { return t.Param(NewParam("p", 2, 2)) }},
	} {
		tape := NewTape(2)
		_, err := tape.Compile(c.build(tape))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, want %q", err, c.want)
		}
	}
	if _, err := NewTape(0).Compile(Node{}); err == nil || !strings.Contains(err.Error(), "batch size is 0") {
		t.Errorf("batch size 0: %v", err)
	}
}

// Gradients are the last run's alone, and a change of inputs or weights is seen.
func TestRunsAreIndependent(t *testing.T) {
	p := NewParam("p", 1, 2)
	p.W[0], p.W[1] = 3, 4
	tape := NewTape(1)
	x, data := tape.Matrix("x", 1, 2)
	m, err := tape.Compile(tape.Sum(tape.SumRows(tape.Mul(x, tape.Square(tape.Param(p))))))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		data[0], data[1] = float64(i), 1
		p.W[1] = float64(i)
		loss, err := m.Run()
		if err != nil {
			t.Fatal(err)
		}
		if want := float64(9*i + i*i); loss != want {
			t.Errorf("run %d: loss is %g, want %g", i, loss, want)
		}
		if p.Grad[0] != float64(6*i) || p.Grad[1] != float64(2*i) {
			t.Errorf("run %d: gradient is %v, want [%d %d]", i, p.Grad, 6*i, 2*i)
		}
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if err := m.Close(); err == nil {
		t.Error("a second Close is no error")
	}
}

// trained runs a few steps of a network that is large enough for products to be split
// among goroutines.
func trained(t *testing.T) []*Param {
	r := stream("procs")
	net := NewMLP("m", []int{40, 96, 96, 5}, Tanh, 1, r)
	m, feed, weights := weightedSum(t, net, 256)
	fill(weights, r)
	obs, adam := make([]float64, 40), NewAdam(net.Params(), 1e-5)
	for range 5 {
		for i := range 256 {
			fill(obs, r)
			feed(i, obs, nil)
		}
		if _, err := m.Run(); err != nil {
			t.Fatal(err)
		}
		adam.Step(0.01)
	}
	return net.Params()
}

func TestSameWeightsForAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := trained(t)
	runtime.GOMAXPROCS(4)
	four := trained(t)
	for k, p := range one {
		for i, w := range p.W {
			if math.Float64bits(w) != math.Float64bits(four[k].W[i]) {
				t.Fatalf("%s[%d] is %v with one processor, %v with four", p.Name, i, w, four[k].W[i])
			}
		}
	}
}

// Rows that have one legal choice each, in different places, and logits far apart: what
// made Gorgonia's own operation overflow.
func TestLogSoftmaxOfMaskedRows(t *testing.T) {
	rows := [][]float64{{MaskedLogit, 1, MaskedLogit}, {2, MaskedLogit, MaskedLogit}, {0, 900, -900},
		{MaskedLogit, MaskedLogit, -3}, {0, 0, 0}}
	p := NewParam("p", len(rows), 3)
	for i, row := range rows {
		copy(p.W[3*i:], row)
	}
	tape := NewTape(len(rows))
	hot, data := tape.Matrix("hot", len(rows), 3)
	logp := tape.LogSoftmax(tape.Param(p))
	picked := tape.SumRows(tape.Mul(hot, logp))
	tape.Watch(picked)
	m, err := tape.Compile(tape.Sum(picked))
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range []int{1, 0, 1, 2, 0} {
		data[3*i+k] = 1
	}
	if _, err := m.Run(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 0, 0, 0, -math.Log(3)} {
		if got := m.Series(0)[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("row %d: log-probability is %g, want %g", i, got, want)
		}
		for k, g := range p.Grad[3*i : 3*i+3] {
			want := 0.0
			if i == 4 {
				want = data[3*i+k] - 1.0/3
			}
			if math.Abs(g-want) > 1e-12 {
				t.Errorf("row %d: gradient %d is %g, want %g", i, k, g, want)
			}
		}
	}
}

// The vocabulary that no loss of a learner uses together is right, too.
func TestColumns(t *testing.T) {
	p := NewParam("p", 3, 5)
	fill(p.W, stream("columns"))
	tape := NewTape(3)
	picked := tape.MatMul(tape.Param(p), tape.Columns(1, 2, 5))
	m, err := tape.Compile(tape.Sum(tape.SumRows(tape.Square(picked))))
	if err != nil {
		t.Fatal(err)
	}
	checkGradient(t, m, []*Param{p}, func() {})
	if p.Grad[0] != 0 || p.Grad[3] != 0 || p.Grad[1] == 0 {
		t.Errorf("gradient is %v, want zeros outside columns 1 and 2", p.Grad)
	}
}
