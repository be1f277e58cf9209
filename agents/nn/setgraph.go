package nn

// Graph implements Net. Candidates are rows of their own, batch*slots of them, so that a
// kernel is one product for all.
func (n *SetNet) Graph(t *Tape) (Node, func(row int, obs []float64, mask []bool)) {
	s, batch := n.shape, t.Batch()
	rows := batch * s.Slots
	cand, candData := t.Matrix(n.name+"/candidates", rows, s.Features)
	global, globalData := t.Matrix(n.name+"/numbers", batch, s.Global+1)

	legal, share := &rowSet{make([]bool, rows)}, make([]float64, rows)
	e := t.layer(layer{x: cand, act: n.act, set: legal}, n.embed)
	mean := t.average(e, share, s.Slots, legal)
	g := t.layer(layer{x: global, act: n.act}, n.global)
	c := t.layer(layer{x: g, act: n.act, c: t.MatMul(mean, t.Param(n.pool))}, n.context)

	feed := func(row int, obs []float64, mask []bool) {
		count := n.legalSlots(obs, mask)
		copy(globalData[row*(s.Global+1):], obs[:s.Global])
		globalData[row*(s.Global+1)+s.Global] = float64(count) / float64(s.Slots)
		copy(candData[row*s.Slots*s.Features:(row+1)*s.Slots*s.Features], obs[s.Global:])
		for k := range s.Slots {
			at := row*s.Slots + k
			legal.on[at], share[at] = s.Legal(obs, mask, k), 0
			if legal.on[at] {
				share[at] = 1 / float64(count)
			}
		}
	}
	if n.pooled {
		return t.layer(layer{x: c, act: linear}, n.out), feed
	}
	return n.scoreGraph(t, e, c, legal), feed
}

// scoreGraph gives a row of answers per sample: the extra choices, then the slots.
func (n *SetNet) scoreGraph(t *Tape, e, c Node, legal *rowSet) Node {
	s := n.shape
	hidden := t.layer(layer{x: e, act: n.act, c: c, group: s.Slots, set: legal}, n.score)
	scores := t.Reshape(t.layer(layer{x: hidden, act: linear, set: legal, bare: true}, n.out), t.Batch(),
		s.Slots*s.each())
	if s.Extra == 0 {
		return scores
	}
	// [extra 0] + [0 scores], as products with matrices of zeros and ones
	left := t.MatMul(t.layer(layer{x: c, act: linear}, n.extra), n.place(t, "left", s.Extra, 0))
	right := t.MatMul(scores, n.place(t, "right", s.Slots*s.each(), s.Extra))
	return t.Add(left, right)
}

// place is a matrix that copies count columns to those from first on.
func (n *SetNet) place(t *Tape, name string, count, first int) Node {
	cols := n.shape.Choices()
	return t.Constant(n.name+"/"+name, count, cols, func(data []float64) {
		for i := range count {
			data[i*cols+first+i] = 1
		}
	})
}
