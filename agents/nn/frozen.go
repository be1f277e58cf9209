package nn

import "gorgonia.org/gorgonia"

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
// total. The name is for faults.
func (t *Tape) Place(name string, x Node, first, total int) Node {
	if x.cols == 0 || first < 0 || first+x.cols > total {
		t.fail("%s: %d columns placed from column %d of %d on", name, x.cols, first, total)
	}
	rows, n := x.rows, x.cols
	o := &matrixOp{rows: rows, cols: total, run: func(out []float64, in [][]float64) {
		clear(out)
		for i := range rows {
			for j, v := range in[0][i*n : (i+1)*n] {
				out[i*total+first+j] += v // not =: as in a product, there is no -0
			}
		}
	}}
	o.back = func(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
		if !o.wanted[0] {
			return gorgonia.Nodes{nil}, nil
		}
		g, err := o.gradient("x", rows, n, []int{rows * total}, func(out []float64, in [][]float64) {
			for i := range rows {
				for j, v := range in[0][i*total+first : i*total+first+n] {
					out[i*n+j] = 0 + v
				}
			}
		}, grad)
		return gorgonia.Nodes{g}, err
	}
	return t.matrix(name, o, x)
}
