package nn

import (
	"math"
	"strings"
	"testing"
)

// huber is the loss by its definition.
func huber(x float64) float64 {
	if math.Abs(x) <= 1 {
		return x * x / 2
	}
	return math.Abs(x) - 0.5
}

func TestHuber(t *testing.T) {
	r := stream("huber")
	tape := NewTape(rows)
	p := NewParam("p", 2, 1)
	x, data := tape.Matrix("x", rows, 2)
	loss := tape.Sum(tape.Huber("h", tape.Reshape(tape.MatMul(x, tape.Param(p)), rows, 0)))
	m, err := tape.Compile(loss)
	if err != nil {
		t.Fatal(err)
	}
	checkGradient(t, m, []*Param{p}, func() { fill(data, r); fill(p.W, r) })
	want := 0.0
	for i := range rows {
		want += huber(data[2*i]*p.W[0] + data[2*i+1]*p.W[1])
	}
	if got, err := m.Run(); err != nil || math.Abs(got-want) > 1e-12 {
		t.Errorf("the graph says %g, by hand %g, error %v", got, want, err)
	}
}

func TestBlend(t *testing.T) {
	a, b := NewParam("a", 1, 2), NewParam("b", 1, 2)
	copy(a.W, []float64{1, 2})
	copy(b.W, []float64{3, 10})
	Blend([]*Param{a}, []*Param{b}, 0.25)
	if a.W[0] != 1.5 || a.W[1] != 4 {
		t.Errorf("a quarter of the way is %v, want 1.5, 4", a.W)
	}
	Blend([]*Param{a}, []*Param{b}, 1)
	if a.W[0] != 3 || a.W[1] != 10 {
		t.Errorf("all of the way is %v, want 3, 10", a.W)
	}
}

// duels are networks of action values, of both sorts.
func duels() map[string]*Duel {
	r := stream("duels")
	shape := SetShape{Global: 1, Slots: 3, Features: 2, Extra: 1}
	return map[string]*Duel{
		"mlp": NewDuel("a", NewMLP("a/value", []int{3, 4, 1}, Relu, 1, r),
			NewMLP("a/advantage", []int{3, 4, 3}, Relu, 1, r)),
		"set": NewDuel("b", NewSetNet("b/value", shape, 3, true, 1, r),
			NewSetNet("b/advantage", shape, 3, false, 1, r)),
	}
}

// Values less their mean over the legal actions are the advantages, and the mean is the value.
func TestDuel(t *testing.T) {
	for name, net := range duels() {
		r := stream(name)
		masks := [][]bool{nil, make([]bool, net.Out()), make([]bool, net.Out())}
		masks[1][1], masks[1][2], masks[2][0] = true, true, true
		const batch = 3
		m, feed, weights := weightedSum(t, net, batch)
		obs, out, v := make([]float64, net.In()), make([]float64, net.Out()), []float64{0}
		refill := func() {
			for i := range batch {
				fill(obs, r)
				feed(i, obs, masks[i])
				for j := range net.Out() {
					weights[i*net.Out()+j] = 0
					if masks[i] == nil || masks[i][j] {
						weights[i*net.Out()+j] = r.NormFloat64()
					}
				}
			}
		}
		checkGradient(t, m, net.Params(), refill)
		for i, mask := range masks {
			fill(obs, r)
			feed(i, obs, mask)
			fork := net.Fork()
			fork.Forward(out, obs, mask)
			net.value.Forward(v, obs, mask)
			mean, count := 0.0, 0.0
			for j, q := range out {
				if mask != nil && !mask[j] {
					continue
				}
				mean, count = mean+q, count+1
				clear(weights)
				weights[i*net.Out()+j] = 1
				if got, err := m.Run(); err != nil || math.Abs(got-q) > 1e-12 {
					t.Errorf("%s: value %d is %g on the graph, %g by hand, error %v", name, j, got, q, err)
				}
			}
			if math.Abs(mean/count-v[0]) > 1e-12 {
				t.Errorf("%s, mask %v: mean of the action values is %g, want %g", name, mask, mean/count, v[0])
			}
		}
		if net.In() != len(obs) || len(net.Params()) == 0 {
			t.Errorf("%s has %d inputs", name, net.In())
		}
	}
}

// The loss of an actor that a frozen critic judges: gradients reach the actor through the critic's
// input and stop at its weights.
func TestSquashedThroughFrozenCritic(t *testing.T) {
	r := stream("squashed")
	actor := NewSquashed(NewMLP("actor", []int{3, 5, 4}, Relu, 1, r))
	critic := NewMLP("critic", []int{5, 4, 1}, Relu, 1, r)
	const batch = 4
	tape := NewTape(batch)
	tape.Freeze(critic.Params())
	obs, obsData := tape.Matrix("obs", batch, 3)
	action, logp, noise := actor.Graph(tape, obs)
	q := critic.GraphOn(tape, tape.Add(tape.Place("left", obs, 0, 5), tape.Place("right", action, 3, 5)))
	weight, w := tape.Vector("weight")
	tape.Watch(logp)
	tape.Watch(tape.Reshape(q, batch, 0))
	m, err := tape.Compile(tape.Sum(tape.Mul(weight, tape.Sub(tape.Scale(logp, 0.3), tape.Reshape(q, batch, 0)))))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range critic.Params() {
		fill(p.Grad, r)
	}
	before := append([]float64(nil), critic.Params()[0].Grad...)
	checkGradient(t, m, actor.Params(), func() { fill(obsData, r); fill(noise, r); fill(w, r) })
	for i, g := range critic.Params()[0].Grad {
		if g != before[i] {
			t.Fatal("the frozen critic has a gradient")
		}
	}
	if _, err := m.Run(); err != nil {
		t.Fatal(err)
	}
	in, got := make([]float64, 5), []float64{0}
	for i := range batch {
		copy(in, obsData[3*i:3*i+3])
		lp := actor.Fork().Draw(in[3:], in[:3], noise[2*i:2*i+2])
		critic.Forward(got, in, nil)
		if math.Abs(lp-m.Series(0)[i]) > 1e-12 || math.Abs(got[0]-m.Series(1)[i]) > 1e-12 {
			t.Errorf("row %d: density %g and value %g on the graph, %g and %g by hand", i, m.Series(0)[i],
				m.Series(1)[i], lp, got[0])
		}
	}
	a, b := make([]float64, 2), make([]float64, 2)
	actor.Draw(a, obsData[:3], nil)
	actor.Draw(b, obsData[:3], []float64{0, 0})
	if a[0] != b[0] || a[1] != b[1] {
		t.Errorf("without noise the action is %v, with none of it %v", a, b)
	}
	if n := testing.AllocsPerRun(50, func() { actor.Draw(a, obsData[:3], noise[:2]) }); n != 0 {
		t.Errorf("drawing allocates %g times", n)
	}
}

// The densities of a squashed Gaussian integrate to 1 over [-1,1].
func TestSquashedIntegratesToOne(t *testing.T) {
	r := stream("density")
	actor := NewSquashed(NewMLP("actor", []int{1, 2}, Relu, 1, r))
	actor.Params()[1].W[1] = 0.8 // a deviation of about exp(0.8)
	a, obs := make([]float64, 1), []float64{0.3}
	actor.Draw(a, obs, []float64{1})
	std := math.Exp(logStdOf(actor.out[1]))
	sum, last := 0.0, math.NaN()
	for z := -8.0; z <= 8; z += 1e-3 {
		logp := actor.Draw(a, obs, []float64{z})
		if !math.IsNaN(last) {
			sum += math.Exp(logp) * (a[0] - last)
		}
		last = a[0]
	}
	if math.Abs(sum-1) > 2e-3 || std < math.Exp(minLogStd) || std > math.Exp(maxLogStd) {
		t.Errorf("the density integrates to %g, deviation %g", sum, std)
	}
}

func TestFreezeComesFirst(t *testing.T) {
	tape := NewTape(1)
	p := NewParam("p", 1, 1)
	n := tape.Param(p)
	tape.Freeze([]*Param{p})
	if _, err := tape.Compile(tape.Sum(tape.Reshape(n, 1, 0))); err == nil ||
		!strings.Contains(err.Error(), "weights p are frozen after they were used") {
		t.Errorf("error is %v", err)
	}
}
