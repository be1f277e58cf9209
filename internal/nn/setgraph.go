package nn

// Graph implements Net. Candidates are rows of their own, batch*slots of them, so that a
// kernel is one product for all.
func (n *SetNet) Graph(t *Tape) (Node, func(row int, obs []float64, mask []bool)) {
	s, h, batch := n.shape, n.hidden, t.Batch()
	rows := batch * s.Slots
	cand, candData := t.Matrix(n.name+"/candidates", rows, s.Features)
	share, shareData := t.Matrix(n.name+"/share", rows, h)
	global, globalData := t.Matrix(n.name+"/numbers", batch, s.Global+1)

	e := t.Tanh(n.embed.graph(t, cand))
	mean := t.SumGroups(t.Mul(e, share), s.Slots)
	g := t.Tanh(n.global.graph(t, global))
	c := t.Tanh(t.Add(n.context.graph(t, g), t.MatMul(mean, t.Param(n.pool))))

	feed := func(row int, obs []float64, mask []bool) {
		count := n.legalSlots(mask)
		copy(globalData[row*(s.Global+1):], obs[:s.Global])
		globalData[row*(s.Global+1)+s.Global] = float64(count) / float64(s.Slots)
		copy(candData[row*s.Slots*s.Features:(row+1)*s.Slots*s.Features], obs[s.Global:])
		for k := range s.Slots {
			v := 0.0
			if n.legal(mask, k) {
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

// scoreGraph gives a row of answers per sample: the extra choices, then the slots.
func (n *SetNet) scoreGraph(t *Tape, e, c Node) Node {
	s := n.shape
	hidden := t.Tanh(t.Add(n.score.graph(t, e), t.Repeat(c, s.Slots)))
	scores := t.Reshape(n.out.graph(t, hidden), t.Batch(), s.Slots*s.each())
	if s.Extra == 0 {
		return scores
	}
	// [extra 0] + [0 scores], as products with matrices of zeros and ones
	left := t.MatMul(n.extra.graph(t, c), n.place(t, "left", s.Extra, 0))
	right := t.MatMul(scores, n.place(t, "right", s.Slots*s.each(), s.Extra))
	return t.Add(left, right)
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
