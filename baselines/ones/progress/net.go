package progress

import (
	"math"
	"slices"

	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// batch is how many rows a step looks at.
const batch = 32

// width is the number of inputs of a unit: the features and a bias.
const width = len(Features{}) + 1

// net is a network with one layer of tanh units, and Adam (Kingma and Ba, arXiv 1412.6980).
type net struct {
	hidden        int
	weights       []float64 // of each unit its inputs and its bias, then the outputs, then the bias of the output
	first, second []float64 // moments of the gradient
	steps         int
	scale         float64 // of the output
	mid, wide     Features
	draws         *rng.Stream

	grad, units, rise []float64
	inputs            []Features
	order             []int32
}

func newNet(hidden int, r *rng.Stream) *net {
	n := &net{hidden: hidden, draws: r, scale: 1, weights: make([]float64, hidden*(width+1)+1)}
	for i := range hidden * width {
		if i%width < width-1 {
			n.weights[i] = (2*r.Float64() - 1) / math.Sqrt(float64(width-1))
		}
	}
	for k := range hidden {
		n.weights[hidden*width+k] = (2*r.Float64() - 1) / math.Sqrt(float64(hidden))
	}
	n.weights[len(n.weights)-1] = 1 // so that b begins at 1 + the mean
	n.first, n.second, n.grad = make([]float64, len(n.weights)), make([]float64, len(n.weights)),
		make([]float64, len(n.weights))
	for i := range n.wide {
		n.wide[i] = 1
	}
	return n
}

func (n *net) clone() *net {
	c := *n
	c.weights, c.first, c.second = slices.Clone(n.weights), slices.Clone(n.first), slices.Clone(n.second)
	c.grad, c.units, c.rise, c.inputs, c.order = make([]float64, len(n.weights)), nil, nil, nil, nil
	c.draws = n.draws.Clone()
	return &c
}

// b is 1 + s max(0, f(x)).
func (n *net) b(x *Features) float64 {
	n.room(1)
	n.inputs[0] = n.scaled(x)
	n.forward(1)
	return 1 + float64(n.scale*math.Max(0, n.output(0)))
}

// scaled is a row with mean 0 and deviation 1 over the rows that were trained on.
func (n *net) scaled(x *Features) Features {
	var y Features
	for i := range x {
		y[i] = (x[i] - n.mid[i]) / n.wide[i]
	}
	return y
}

func (n *net) room(rows int) {
	if len(n.inputs) < rows {
		n.inputs, n.units, n.rise = make([]Features, batch), make([]float64, batch*n.hidden), make([]float64, batch)
	}
}

// forward computes the units of some rows.
func (n *net) forward(rows int) {
	for r := range rows {
		x, units := &n.inputs[r], n.units[r*n.hidden:][:n.hidden]
		for k := range units {
			w := (*[width]float64)(n.weights[k*width:])
			units[k] = w[5] + float64(w[0]*x[0]) + float64(w[1]*x[1]) + float64(w[2]*x[2]) + float64(w[3]*x[3]) +
				float64(w[4]*x[4])
		}
	}
	all := n.units[:rows*n.hidden]
	fixmath.TanhAll(all, all)
}

// output is f of a row.
func (n *net) output(row int) float64 {
	out, units := n.weights[n.hidden*width:], n.units[row*n.hidden:][:n.hidden]
	sum := out[n.hidden]
	for k, u := range units {
		sum += float64(out[k] * u)
	}
	return sum
}

// train lets each row be seen so often, in drawn orders.
func (n *net) train(rows []Row, scale float64, passes int, rate float64) {
	n.fit(rows)
	n.scale = scale
	n.room(batch)
	n.order = n.order[:0]
	for i := range rows {
		n.order = append(n.order, int32(i))
	}
	for range passes {
		n.draws.Shuffle(len(n.order), func(i, j int) { n.order[i], n.order[j] = n.order[j], n.order[i] })
		for at := 0; at < len(rows); at += batch {
			n.gradient(rows, n.order[at:min(at+batch, len(rows))])
			n.adam(rate)
		}
	}
}

// fit measures the features.
func (n *net) fit(rows []Row) {
	for i := range n.mid {
		sum, square := 0.0, 0.0
		for r := range rows {
			sum += rows[r].X[i]
		}
		n.mid[i] = sum / float64(len(rows))
		for r := range rows {
			d := rows[r].X[i] - n.mid[i]
			square += float64(d * d)
		}
		if n.wide[i] = math.Sqrt(square / float64(len(rows))); !(n.wide[i] > 1e-9) {
			n.wide[i] = 1
		}
	}
}

// gradient is the gradient of the mean of -log density over some rows.
func (n *net) gradient(rows []Row, some []int32) {
	for r, i := range some {
		n.inputs[r] = n.scaled(&rows[i].X)
	}
	n.forward(len(some))
	clear(n.grad)
	out, gradOut := n.weights[n.hidden*width:], n.grad[n.hidden*width:]
	for r, i := range some {
		f := n.output(r)
		if f < 0 {
			continue // b is 1 here, whatever the weights
		}
		row := &rows[i]
		d := -n.scale * slope(row.Part, row.Epochs, 1+float64(n.scale*f)) / float64(len(some))
		gradOut[n.hidden] += d
		x := &n.inputs[r]
		for k, u := range n.units[r*n.hidden:][:n.hidden] {
			gradOut[k] += float64(d * u)
			back := float64(d*out[k]) * (1 - float64(u*u))
			g := (*[width]float64)(n.grad[k*width:])
			g[0] += float64(back * x[0])
			g[1] += float64(back * x[1])
			g[2] += float64(back * x[2])
			g[3] += float64(back * x[3])
			g[4] += float64(back * x[4])
			g[5] += back
		}
	}
}

// adam makes a step.
func (n *net) adam(rate float64) {
	const b1, b2 = 0.9, 0.999
	n.steps++
	rate *= math.Sqrt(1-fixmath.Pow(b2, float64(n.steps))) / (1 - fixmath.Pow(b1, float64(n.steps)))
	for i, g := range n.grad {
		n.first[i] = float64(b1*n.first[i]) + float64((1-b1)*g)
		n.second[i] = float64(b2*n.second[i]) + float64((1-b2)*float64(g*g))
		n.weights[i] -= float64(rate*n.first[i]) / (math.Sqrt(n.second[i]) + 1e-8)
	}
}
