package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim/rng"
)

func stream(name string) *rand.Rand { return rng.Source{Seed: 1}.Stream(name).Rand }

// fill draws the numbers of an input or of weights.
func fill(x []float64, r *rand.Rand) {
	for i := range x {
		x[i] = r.NormFloat64()
	}
}

// checkGradient compares the gradients of a machine with central differences of the same
// machine's loss, on three runs with new inputs.
func checkGradient(t *testing.T, m *Machine, params []*Param, refill func()) {
	t.Helper()
	loss := func() float64 {
		l, err := m.Run()
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for run := range 3 {
		refill()
		loss()
		for _, p := range params {
			want := append([]float64(nil), p.Grad...)
			for i := range p.W {
				const h = 1e-6
				was := p.W[i]
				p.W[i] = was + h
				up := loss()
				p.W[i] = was - h
				down := loss()
				p.W[i] = was
				numeric := (up - down) / (2 * h)
				if diff := math.Abs(numeric - want[i]); !(diff <= 1e-6*max(1, math.Abs(numeric))) {
					t.Fatalf("run %d: gradient of %s[%d] is %.9g, by differences %.9g", run, p.Name, i, want[i],
						numeric)
				}
			}
			loss()
		}
	}
}

// lossCase is one loss over a matrix of weights.
type lossCase struct {
	name  string
	build func(t *Tape, p *Param, r *rand.Rand) (loss Node, refill func())
	shape [2]int
}

const rows = 5

// perRow gives a vector input and a refill of it.
func perRow(t *Tape, name string, r *rand.Rand) (Node, func()) {
	n, data := t.Vector(name)
	return n, func() { fill(data, r) }
}

func constant(t *Tape, name string, v float64) Node {
	n, data := t.Vector(name)
	for i := range data {
		data[i] = v
	}
	return n
}

// oneHot gives an input with one 1 per row, among the legal choices.
func oneHot(t *Tape, cols, first int, r *rand.Rand) (Node, func()) {
	n, data := t.Matrix("chosen", t.Batch(), cols)
	return n, func() {
		clear(data)
		for i := range t.Batch() {
			data[i*cols+first+r.IntN(cols-first)] = 1
		}
	}
}

func lossCases() []lossCase {
	policy := func(masked bool) func(t *Tape, p *Param, r *rand.Rand) (Node, func()) {
		return func(t *Tape, p *Param, r *rand.Rand) (Node, func()) {
			logits, first := t.Param(p), 0
			if masked {
				m, data := t.Matrix("mask", t.Batch(), p.Cols)
				for i := range t.Batch() {
					data[i*p.Cols] = MaskedLogit
				}
				logits, first = t.Add(logits, m), 1
			}
			logp := t.LogSoftmax(logits)
			chosen, fillChosen := oneHot(t, p.Cols, first, r)
			adv, fillAdv := perRow(t, "adv", r)
			old, oldData := t.Vector("old")
			ratio := t.Exp(t.Sub(t.SumRows(t.Mul(chosen, logp)), old))
			clipped := t.Clamp(ratio, constant(t, "low", 0.8), constant(t, "high", 1.2))
			gain := t.Min(t.Mul(ratio, adv), t.Mul(clipped, adv))
			entropy := t.Neg(t.SumRows(t.Mul(t.Exp(logp), logp)))
			return t.Sum(t.Add(t.Neg(gain), t.Scale(entropy, -0.01))), func() {
				fillChosen()
				fillAdv()
				for i := range oldData {
					oldData[i] = -1.2 + 0.3*r.NormFloat64()
				}
			}
		}
	}
	return []lossCase{
		{"policy clip and entropy", policy(false), [2]int{rows, 4}},
		{"masked policy clip and entropy", policy(true), [2]int{rows, 4}},
		{"clipped value", func(t *Tape, p *Param, r *rand.Rand) (Node, func()) {
			v := t.Reshape(t.Scale(t.Param(p), 1), rows, 0)
			ret, fillRet := perRow(t, "return", r)
			old, fillOld := perRow(t, "old", r)
			change := t.Clamp(t.Sub(v, old), constant(t, "low", -0.2), constant(t, "high", 0.2))
			worse := t.Max(t.Square(t.Sub(v, ret)), t.Square(t.Sub(t.Add(old, change), ret)))
			return t.Sum(t.Scale(worse, 0.5)), func() { fillRet(); fillOld() }
		}, [2]int{rows, 1}},
		{"gaussian density of the mean", func(t *Tape, p *Param, r *rand.Rand) (Node, func()) {
			x, data := t.Matrix("x", rows, p.Cols)
			std, stdData := t.Matrix("logstd", 1, p.Cols)
			return t.Sum(t.GaussianLogProb(x, t.Param(p), std)), func() { fill(data, r); fill(stdData, r) }
		}, [2]int{rows, 3}},
		{"gaussian density and entropy of the deviation", func(t *Tape, p *Param, r *rand.Rand) (Node, func()) {
			x, data := t.Matrix("x", rows, p.Cols)
			mean, meanData := t.Matrix("mean", rows, p.Cols)
			logp := t.GaussianLogProb(x, mean, t.Param(p))
			return t.Sum(t.Add(logp, t.GaussianEntropy(t.Param(p)))), func() { fill(data, r); fill(meanData, r) }
		}, [2]int{1, 3}},
		{"squash correction", func(t *Tape, p *Param, r *rand.Rand) (Node, func()) {
			w, fillW := perRow(t, "w", r)
			return t.Sum(t.Mul(w, t.SquashCorrection(t.Param(p)))), fillW
		}, [2]int{rows, 3}},
	}
}

func TestLossGradients(t *testing.T) {
	for _, c := range lossCases() {
		t.Run(c.name, func(t *testing.T) {
			r := stream(c.name)
			p := NewParam("p", c.shape[0], c.shape[1])
			fill(p.W, r)
			tape := NewTape(rows)
			loss, refill := c.build(tape, p, r)
			m, err := tape.Compile(loss)
			if err != nil {
				t.Fatal(err)
			}
			checkGradient(t, m, []*Param{p}, refill)
		})
	}
}

// nets are the networks under test.
func nets(r *rand.Rand) map[string]Net {
	shape := SetShape{Global: 2, Slots: 3, Features: 2}
	extra := SetShape{Global: 0, Slots: 4, Features: 3, Extra: 2}
	timers := SetShape{Global: 2, Slots: 3, Features: 2, Each: 2}
	one := SetShape{Global: 2, Slots: 1, Features: 3, Each: 4, Extra: 1}
	marked := SetShape{Global: 2, Slots: 5, Features: 3, Each: 1, Marked: true}
	limits := SetShape{Global: 2, Slots: 4, Features: 3, Each: 3, Extra: 1}
	present := SetShape{Global: 1, Slots: 5, Features: 3, Each: 3, Present: true}
	return map[string]Net{
		"mlp tanh":     NewMLP("a", []int{3, 5, 4, 2}, Tanh, 1, r),
		"mlp relu":     NewMLP("b", []int{3, 5, 4, 2}, Relu, 1, r),
		"linear":       NewMLP("c", []int{3, 2}, Tanh, 1, r),
		"set":          NewSetNet("d", shape, 4, false, 1, r),
		"set of extra": NewSetNet("e", extra, 3, false, 1, r),
		"set pooled":   NewSetNet("f", shape, 4, true, 1, r),
		"set of two":   NewSetNet("g", timers, 4, false, 1, r),
		"set of one":   NewSetNet("h", one, 4, false, 1, r),
		"set marked":   NewSetNet("i", marked, 4, false, 1, r),
		"marked pool":  NewSetNet("j", marked, 4, true, 1, r),
		"set masked":   NewSetNet("k", limits, 4, false, 1, r),
		"masked pool":  NewSetNet("l", limits, 4, true, 1, r),
		"set present":  NewSetNet("m", present, 4, false, 1, r),
		"present pool": NewSetNet("n", present, 4, true, 1, r),
		"set relu":     moved(NewSetNet("o", limits, 4, false, 1, r).Bend(Relu), r),
		"relu pool":    moved(NewSetNet("p", limits, 4, true, 1, r).Bend(Relu), r),
	}
}

// moved gives a network other weights: with biases of 0 the rectifiers of some observations would
// stand just at the bend.
func moved(n Net, r *rand.Rand) Net {
	for _, p := range n.Params() {
		fill(p.W, r)
	}
	return n
}

// unmark takes the candidates out of a third of the slots of a marked set.
func unmark(n Net, obs []float64, r *rand.Rand) {
	s, ok := n.(*SetNet)
	for k := range 5 {
		if ok && (s.shape.Marked || s.shape.Present) && r.IntN(3) == 0 {
			obs[s.shape.Global+k*s.shape.Features] = 0
		}
	}
}

// randomMask allows about two thirds of the choices of a set network, nil for others.
func randomMask(n Net, r *rand.Rand) []bool {
	s, ok := n.(*SetNet)
	if !ok || s.shape.Each == 2 || s.shape.Marked || r.IntN(4) == 0 { // two: numbers of a continuous action
		return nil
	}
	mask := make([]bool, s.shape.Choices())
	for i := range mask {
		mask[i] = r.IntN(3) > 0
	}
	return mask
}

// weightedSum makes a loss that looks at every output with weights of its own.
func weightedSum(t *testing.T, net Net, batch int) (m *Machine, feed func(int, []float64, []bool), weights []float64) {
	t.Helper()
	tape := NewTape(batch)
	out, feed := net.Graph(tape)
	w, weights := tape.Matrix("weights", batch, net.Out())
	m, err := tape.Compile(tape.Sum(tape.SumRows(tape.Mul(w, out))))
	if err != nil {
		t.Fatal(err)
	}
	return m, feed, weights
}

func TestNetworkGradients(t *testing.T) {
	r := stream("networks")
	for name, net := range nets(r) {
		t.Run(name, func(t *testing.T) {
			r := stream(name)
			const batch = 3
			m, feed, weights := weightedSum(t, net, batch)
			obs := make([]float64, net.In())
			checkGradient(t, m, net.Params(), func() {
				for i := range batch {
					fill(obs, r)
					unmark(net, obs, r)
					feed(i, obs, randomMask(net, r))
				}
				fill(weights, r)
			})
		})
	}
}

// TestBothPathsAgree holds the hand-written pass to the graph, also after the weights moved.
func TestBothPathsAgree(t *testing.T) {
	r := stream("paths")
	for name, net := range nets(r) {
		for _, batch := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s/%d", name, batch), func(t *testing.T) {
				r := stream(name)
				m, feed, weights := weightedSum(t, net, batch)
				adam := NewAdam(net.Params(), 1e-5)
				obs, out := make([]float64, net.In()), make([]float64, net.Out())
				for range 5 {
					for i := range batch {
						fill(obs, r)
						unmark(net, obs, r)
						mask := randomMask(net, r)
						feed(i, obs, mask)
						net.Forward(out, obs, mask)
						for j, v := range out { // compare one output at a time
							if mask != nil && !mask[j] && net.Out() > 1 {
								continue // a masked score is free
							}
							clear(weights)
							weights[i*net.Out()+j] = 1
							got, err := m.Run()
							if err != nil {
								t.Fatal(err)
							}
							if !(math.Abs(got-v) <= 1e-9) {
								t.Fatalf("output %d is %v on the graph, %v by hand", j, got, v)
							}
						}
					}
					adam.Step(0.01)
				}
			})
		}
	}
}
