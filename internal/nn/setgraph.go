package nn

import "fmt"

// Graph implements Net. Candidates are rows of their own, batch*slots of them; the
// average over a sample's slots and the spreading of its context over them are products
// with identity matrices side by side, because reshapes of matrices and products are what
// Gorgonia differentiates rightly.
func (n *SetNet) Graph(t *Tape) (Node, func(row int, obs []float64, mask []bool)) {
	s, h, batch := n.shape, n.hidden, t.Batch()
	rows := batch * s.Slots
	cand, candData := t.Matrix(n.name+"/candidates", rows, s.Features)
	share, shareData := t.Matrix(n.name+"/share", rows, h)
	global, globalData := t.Matrix(n.name+"/numbers", batch, s.Global+1)

	e := t.Tanh(n.embed.graph(t, cand))
	mean := t.MatMul(t.Reshape(t.Mul(e, share), batch, s.Slots*h), n.tiles(t, s.Slots, false))
	g := t.Tanh(n.global.graph(t, global))
	c := t.Tanh(t.Add(n.context.graph(t, g), t.MatMul(mean, t.Param(n.pool))))

	feed := func(row int, obs []float64, mask []bool) {
		count := n.legalSlots(mask)
		copy(globalData[row*(s.Global+1):], obs[:s.Global])
		globalData[row*(s.Global+1)+s.Global] = float64(count) / float64(s.Slots)
		copy(candData[row*s.Slots*s.Features:(row+1)*s.Slots*s.Features], obs[s.Global:])
		for k := range s.Slots {
			v := 0.0
			if legal(mask, k) {
				v = 1 / float64(count)
			}
			at := (row*s.Slots + k) * h
			for j := range h {
				shareData[at+j] = v
			}
		}
	}
	if n.pooled {
		return n.out.graph(t, c), feed
	}
	return n.scoreGraph(t, e, c), feed
}

// scoreGraph gives a row of scores per sample: the slots, then the extra choices.
func (n *SetNet) scoreGraph(t *Tape, e, c Node) Node {
	s, h, batch := n.shape, n.hidden, t.Batch()
	spread := t.Reshape(t.MatMul(c, n.tiles(t, s.Slots, true)), batch*s.Slots, h)
	hid := t.Tanh(t.Add(n.score.graph(t, e), spread))
	scores := t.Reshape(n.out.graph(t, hid), batch, s.Slots)
	if s.Extra == 0 {
		return scores
	}
	// [scores 0] + [0 extra], as products with matrices of zeros and ones
	left := t.MatMul(scores, n.place(t, "left", s.Slots, 0))
	right := t.MatMul(n.extra.graph(t, c), n.place(t, "right", s.Extra, s.Slots))
	return t.Add(left, right)
}

// tiles is count identity matrices one below the other, or side by side if wide.
func (n *SetNet) tiles(t *Tape, count int, wide bool) Node {
	h := n.hidden
	rows, cols := count*h, h
	if wide {
		rows, cols = h, count*h
	}
	m, data := t.Matrix(fmt.Sprintf("%s/tiles/%dx%d", n.name, rows, cols)+map[bool]string{true: "/wide"}[wide], rows, cols)
	for i := range count * h {
		if wide {
			data[(i%h)*cols+i] = 1
		} else {
			data[i*cols+i%h] = 1
		}
	}
	return m
}

// place is a matrix that copies count columns to those from first on.
func (n *SetNet) place(t *Tape, name string, count, first int) Node {
	cols := n.shape.Choices()
	m, data := t.Matrix(n.name+"/"+name, count, cols)
	for i := range count {
		data[i*cols+first+i] = 1
	}
	return m
}
