package nn

// Freeze adds weights to a tape as constants: losses are not derived by them. It must come before
// the networks that they belong to.
func (t *Tape) Freeze(params []*Param) {
	for _, p := range params {
		if _, ok := t.nodes[p]; ok {
			t.fail("weights %s are frozen after they were used", p.Name)
			continue
		}
		n := t.leaf(p.Name, p.Rows, p.Cols, p.W)
		t.nodes[p], t.fixed[n.n] = n, true
	}
}

// GraphOn adds the network to a tape over a node with a row per sample and In columns.
func (m *MLP) GraphOn(t *Tape, x Node) Node {
	for i, d := range m.layers {
		act := m.act
		if i == len(m.layers)-1 {
			act = linear
		}
		x = t.layer(layer{x: x, act: act}, d)
	}
	return x
}

// Place is the matrix x with columns of zeros around it: its first column becomes column first of
// total.
func (t *Tape) Place(name string, x Node, first, total int) Node {
	m, data := t.Matrix(name, x.cols, total)
	for i := range x.cols {
		data[i*total+first+i] = 1
	}
	return t.MatMul(x, m)
}
