package nn

// Duel is a network of action values made of two (Wang et al., arXiv:1511.06581, equation 9):
// Q(s,a) = V(s) + A(s,a) - mean of A(s,b) over the legal actions b. Forward leaves the values of
// forbidden actions without meaning.
type Duel struct {
	name             string
	value, advantage Net
	v                []float64
}

// NewDuel joins a network with one answer and one with an answer per action.
func NewDuel(name string, value, advantage Net) *Duel {
	return &Duel{name: name, value: value, advantage: advantage, v: make([]float64, 1)}
}

// Params implements Net.
func (d *Duel) Params() []*Param { return append(d.value.Params(), d.advantage.Params()...) }

// In implements Net.
func (d *Duel) In() int { return d.advantage.In() }

// Out implements Net.
func (d *Duel) Out() int { return d.advantage.Out() }

// Fork implements Net.
func (d *Duel) Fork() Net { return NewDuel(d.name, d.value.Fork(), d.advantage.Fork()) }

// Forward implements Net.
func (d *Duel) Forward(dst, obs []float64, mask []bool) { d.ForwardRows(dst, obs, mask, 1) }

// ForwardRows implements Net.
func (d *Duel) ForwardRows(dst, obs []float64, mask []bool, rows int) {
	v, n := room(&d.v, rows), d.Out()
	d.value.ForwardRows(v, obs, mask, rows)
	d.advantage.ForwardRows(dst, obs, mask, rows)
	for i := range rows {
		var legal []bool
		if mask != nil {
			legal = mask[i*n : (i+1)*n]
		}
		d.join(dst[i*n:(i+1)*n], v[i], legal)
	}
}

// join makes the advantages of one observation values.
func (d *Duel) join(q []float64, v float64, mask []bool) {
	count := legalChoices(len(q), mask)
	mean := 0.0
	for i, a := range q {
		if mask == nil || mask[i] {
			mean += a / float64(count)
		}
	}
	for i := range q {
		q[i] += v - mean
	}
}

// legalChoices counts what the mask allows; a missing mask allows all.
func legalChoices(n int, mask []bool) int {
	if mask == nil {
		return n
	}
	count := 0
	for _, ok := range mask {
		if ok {
			count++
		}
	}
	return count
}

// Graph implements Net.
func (d *Duel) Graph(t *Tape) (Node, func(row int, obs []float64, mask []bool)) {
	v, feedV := d.value.Graph(t)
	a, feedA := d.advantage.Graph(t)
	n := d.Out()
	share, data := t.Matrix(d.name+"/legal", t.Batch(), n)
	wide := t.Constant(d.name+"/wide", 1, n, func(ones []float64) {
		for i := range ones {
			ones[i] = 1
		}
	})
	mean := t.Reshape(t.SumRows(t.Mul(a, share)), t.Batch(), 1)
	q := t.Add(a, t.MatMul(t.Sub(v, mean), wide))
	return q, func(row int, obs []float64, mask []bool) {
		feedV(row, obs, mask)
		feedA(row, obs, mask)
		count := legalChoices(n, mask)
		for i := range n {
			data[row*n+i] = 0
			if mask == nil || mask[i] {
				data[row*n+i] = 1 / float64(count)
			}
		}
	}
}
