package netfile

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"tarry/internal/softmax"
)

// Net is a network that acts. It never changes its weights, allocates nothing, and serves one
// goroutine; Fork gives one for another.
type Net struct {
	form     Form
	matrices []Matrix
	scale    []float64 // a mean and a deviation for each number of an observation; nil = none

	net, value body // value is nil without a duel
	x, out, v  []float64
}

// New makes a network of a form and its matrices, in the order of Form.Matrices.
func New(f Form, matrices []Matrix) (*Net, error) {
	if err := f.Validate(); err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	want := f.Matrices()
	if len(want) != len(matrices) {
		return nil, fmt.Errorf("network: %d matrices, expected %d", len(matrices), len(want))
	}
	var errs []error
	for i, w := range want {
		m := &matrices[i]
		if m.Name != w.Name || m.Rows != w.Rows || m.Cols != w.Cols || len(m.W) != m.Rows*m.Cols {
			errs = append(errs, fmt.Errorf("network: matrix %s of %d by %d with %d numbers, expected %s of %d by %d",
				m.Name, m.Rows, m.Cols, len(m.W), w.Name, w.Rows, w.Cols))
			continue
		}
		errs = append(errs, m.check())
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	n := &Net{form: f, matrices: slices.Clone(matrices)}
	rest := n.matrices
	if f.Clip > 0 {
		n.scale, rest = rest[0].W, rest[1:]
	}
	if f.Duel {
		n.value, rest = f.body(rest, true)
	}
	n.net, _ = f.body(rest, false)
	n.makeRoom()
	return n, nil
}

// check asks for finite numbers, and for deviations above 0.
func (m *Matrix) check() error {
	for i, w := range m.W {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("network: %s[%d,%d] is %v, expected a finite number", m.Name, i/m.Cols, i%m.Cols, w)
		}
		if m.Name == "scale" && i%2 == 1 && w <= 0 {
			return fmt.Errorf("network: deviation %d is %v, expected a number above 0", i/2, w)
		}
	}
	return nil
}

// body takes one network from matrices that follow one another.
func (f *Form) body(m []Matrix, pooled bool) (body, []Matrix) {
	layer := func() dense {
		d := dense{m[0].Rows, m[0].Cols, m[0].W, m[1].W}
		m = m[2:]
		return d
	}
	relu := f.Activation == Relu
	if f.Set == nil {
		b := &mlp{relu: relu}
		for range len(f.Hidden) + 1 {
			b.layers = append(b.layers, layer())
		}
		return b, m
	}
	b := &set{Set: *f.Set, relu: relu, pooled: pooled, hidden: f.Hidden[0]}
	b.embed, b.global, b.context = layer(), layer(), layer()
	b.pool, m = m[0].W, m[1:]
	if !pooled {
		b.score = layer()
		if b.Extra > 0 {
			b.extra = layer()
		}
	}
	b.last = layer()
	return b, m
}

func (n *Net) makeRoom() {
	n.net = n.net.fork()
	if n.value != nil {
		n.value = n.value.fork()
	}
	n.x, n.out, n.v = make([]float64, n.form.Obs), make([]float64, n.Out()), make([]float64, 1)
}

// Fork shares the weights but not the room to compute in.
func (n *Net) Fork() *Net {
	f := *n
	f.makeRoom()
	return &f
}

// Form states how the network is made. The caller must not change its slices.
func (n *Net) Form() Form { return n.form }

// In and Out are the lengths of an observation and of an answer.
func (n *Net) In() int { return n.form.Obs }

// Out is the number of choices of all components.
func (n *Net) Out() int { return n.form.Answers() }

// Masked states that there is a mask.
func (n *Net) Masked() bool { return n.form.Masked }

// Forward computes the answers to an observation: a logit, or a value, for each choice. Of choices
// that the mask forbids they have no meaning. The mask is not read where there is none. Of a longer
// observation the last In numbers count: what stands before them was for a critic.
func (n *Net) Forward(answers, obs []float64, mask []bool) {
	if !n.form.Masked {
		mask = nil
	}
	obs = obs[len(obs)-n.form.Obs:]
	x := obs
	if n.scale != nil {
		x = n.x
		for i, v := range obs {
			x[i] = max(-n.form.Clip, min(n.form.Clip, (v-n.scale[2*i])/n.scale[2*i+1]))
		}
	}
	n.net.forward(answers, x, mask)
	if n.value != nil {
		n.value.forward(n.v, x, mask)
		join(answers, n.v[0], mask)
	}
}

// join makes advantages values: see agents/nn.Duel.
func join(q []float64, v float64, mask []bool) {
	count, mean := 0, 0.0
	for i := range q {
		if mask == nil || mask[i] {
			count++
		}
	}
	for i, a := range q {
		if mask == nil || mask[i] {
			mean += a / float64(count)
		}
	}
	for i := range q {
		q[i] += v - mean
	}
}

// Act writes the likeliest legal action, or the action of the largest value, the first of equals, to
// action, which has a number for each component; of a network of scores, the score of each slot.
func (n *Net) Act(action, obs []float64, mask []bool) {
	if n.form.Scores {
		n.Forward(action, obs, nil)
		return
	}
	n.Forward(n.out, obs, mask)
	at := 0
	for c, size := range n.form.Sizes {
		var legal []bool
		if n.form.Masked && mask != nil {
			legal = mask[at : at+size]
		}
		out := n.out[at : at+size]
		if n.form.Values {
			for i, ok := range legal {
				if !ok {
					out[i] = math.Inf(-1)
				}
			}
		} else {
			softmax.Log(out, legal)
		}
		action[c] = float64(n.form.First[c] + softmax.Argmax(out))
		at += size
	}
}

// Rounded gives the network with weights of so many significant digits.
func (n *Net) Rounded(digits int) (*Net, error) {
	all := slices.Clone(n.matrices)
	for i := range all {
		w := slices.Clone(all[i].W)
		for k, v := range w {
			w[k], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', max(digits, 1), 64), 64)
		}
		all[i].W = w
	}
	return New(n.form, all)
}
