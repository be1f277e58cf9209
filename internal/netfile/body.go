package netfile

import (
	"slices"

	"tarry/internal/fixmath"
	"tarry/internal/matrix"
	"tarry/internal/vector"
)

// dense is one layer: x w + b.
type dense struct {
	in, out int
	w, b    []float64
}

// apply computes dst = x w + b for rows of x.
func (d *dense) apply(dst, x []float64, rows int) {
	for i := range rows {
		copy(dst[i*d.out:(i+1)*d.out], d.b)
	}
	matrix.Add(dst[:rows*d.out], x[:rows*d.in], d.w, rows, d.in, d.out)
}

// body is a network over one observation. fork gives another over the same weights with its own room
// to compute in.
type body interface {
	forward(dst, obs []float64, mask []bool)
	fork() body
}

// mlp is a chain of layers.
type mlp struct {
	relu   bool
	layers []dense
	x      [][]float64 // the values after each layer but the last
}

func (m *mlp) forward(dst, obs []float64, _ []bool) {
	x, last := obs, len(m.layers)-1
	for i := range m.layers[:last] {
		m.layers[i].apply(m.x[i], x, 1)
		x = m.x[i]
		bend(x, m.relu)
	}
	m.layers[last].apply(dst, x, 1)
}

func (m *mlp) fork() body {
	f := *m
	f.x = nil
	for i := range m.layers {
		f.x = append(f.x, make([]float64, m.layers[i].out))
	}
	return &f
}

// bend applies the function between layers in place.
func bend(x []float64, relu bool) {
	if relu {
		vector.Rectify(x)
		return
	}
	fixmath.TanhAll(x, x)
}

// set judges candidates: see agents/nn.SetNet.
type set struct {
	Set
	relu, pooled                               bool
	hidden                                     int
	embed, global, context, score, extra, last dense
	pool                                       []float64 // hidden by hidden

	legal           []int     // the slots that take part
	x, e, h, y      []float64 // of these: features, embeddings, hidden values, answers
	mean, u, g, con []float64
}

func (n *set) fork() body {
	f := *n
	room := func(n int) []float64 { return make([]float64, n) }
	f.legal = make([]int, 0, n.Slots)
	f.x, f.e, f.h = room(n.Slots*n.Features), room(n.Slots*n.hidden), room(n.Slots*n.hidden)
	f.y = room(n.Slots * n.Each)
	f.mean, f.u, f.g, f.con = room(n.hidden), room(n.Global+1), room(n.hidden), room(n.hidden)
	return &f
}

// takes reports whether a slot takes part.
func (n *set) takes(obs []float64, mask []bool, slot int) bool {
	if n.Present == 1 {
		return obs[n.Global+slot*n.Features] != 0
	}
	at := n.Extra + slot*n.Each
	return mask == nil || slices.Contains(mask[at:at+n.Each], true)
}

// part lists the slots that take part and their features.
func (n *set) part(obs []float64, mask []bool) {
	n.legal = n.legal[:0]
	for k := range n.Slots {
		ok := n.takes(obs, mask, k)
		if ok {
			copy(n.x[len(n.legal)*n.Features:], obs[n.Global+k*n.Features:n.Global+(k+1)*n.Features])
			n.legal = append(n.legal, k)
		}
	}
}

// forward gives 0 for slots that take no part.
func (n *set) forward(dst, obs []float64, mask []bool) {
	n.part(obs, mask)
	rows, h := len(n.legal), n.hidden
	e := n.e[:rows*h]
	n.embed.apply(e, n.x, rows)
	bend(e, n.relu)
	clear(n.mean)
	for at := 0; at < len(e); at += h {
		for j, v := range e[at : at+h] {
			n.mean[j] += v / float64(rows)
		}
	}
	copy(n.u, obs[:n.Global])
	n.u[n.Global] = float64(rows) / float64(n.Slots)
	n.global.apply(n.g, n.u, 1)
	bend(n.g, n.relu)
	n.context.apply(n.con, n.g, 1)
	matrix.Add(n.con, n.mean, n.pool, 1, h, h)
	bend(n.con, n.relu)
	if n.pooled {
		n.last.apply(dst, n.con, 1)
		return
	}
	if n.Extra > 0 {
		n.extra.apply(dst, n.con, 1)
	}
	n.answers(dst[n.Extra:], e, rows)
}

// answers judges the slots that take part in their context.
func (n *set) answers(dst, e []float64, rows int) {
	clear(dst)
	y := n.h[:rows*n.hidden]
	n.score.apply(y, e, rows)
	for at := 0; at < len(y); at += n.hidden {
		for j, v := range n.con {
			y[at+j] += v
		}
	}
	bend(y, n.relu)
	n.last.apply(n.y, y, rows)
	for i, k := range n.legal {
		copy(dst[k*n.Each:(k+1)*n.Each], n.y[i*n.Each:])
	}
}
