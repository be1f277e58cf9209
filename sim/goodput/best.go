package goodput

import (
	"math"

	"tarry/internal/fixmath"
)

// Function is the goodput of one job.
type Function struct {
	Params
	Noise
	Limits
}

// Goodput is in samples per second, each worth one at the initial batch. Limits are not asked, but
// for Initial.
func (f *Function) Goodput(nodes, replicas, local, accum int) float64 {
	return f.Throughput(nodes, replicas, local, accum) * f.Efficiency(
		float64(batch(replicas, local, accum))/float64(f.Initial))
}

// candidates is how many batches Best looks at.
const candidates = 50

// candidate is a way to divide a batch, and the most that its goodput can be.
type candidate struct {
	local, accum int
	grad, bound  float64
}

// Best is the greatest goodput on replicas GPUs of nodes machines, and the samples per step and the
// further steps of an update that give it. It looks at 50 batches at equal ratios from the least,
// Initial or MinLocal on each GPU, to Max; the first of equals wins. Each is divided evenly and
// rounded up, so that the batch may exceed Max by less than a sample per step of each GPU. Where no
// batch is within the limits all are 0.
//
// T_optim takes two powers. As T_optim >= max(T_grad, T_net) and >= (T_grad + T_net) 2^(1/gamma-1)
// for gamma >= 1, most candidates are left out without them.
func (f *Function) Best(nodes, replicas int) (goodput float64, local, accum int) {
	least := max(f.Initial, f.MinLocal*replicas)
	if least > f.Max || f.Initial <= 0 || f.MaxLocal <= 0 || replicas <= 0 {
		return 0, 0, 0
	}
	var list [candidates]candidate
	net := f.Net(nodes, replicas)
	n, top := f.candidates(&list, least, replicas, net)
	if n == 0 {
		return 0, 0, 0
	}
	power := fixmath.Pow(net, f.Gamma)
	enough := f.valued(&list[top], replicas, power)
	for i := range list[:n] {
		c := &list[i]
		if c.bound < enough {
			continue
		}
		if g := f.valued(c, replicas, power); g > goodput {
			goodput, local, accum = g, c.local, c.accum
		}
	}
	return goodput, local, accum
}

// candidates fills list with the ways that are within the limits, each once, and gives their number
// and the one with the highest bound.
func (f *Function) candidates(list *[candidates]candidate, least, replicas int, net float64) (n, top int) {
	apart := 0.0
	if f.Gamma >= 1 {
		apart = fixmath.Pow(2, 1/f.Gamma-1)
	}
	ratio := fixmath.Pow(float64(f.Max)/float64(least), 1/float64(candidates-1))
	b, was := float64(least), candidate{}
	for i := range candidates {
		if i == candidates-1 {
			b = float64(f.Max)
		}
		m, s := f.divide(b, replicas)
		b = float64(b * ratio)
		if m == was.local && s == was.accum || m < f.MinLocal || m > f.MaxLocal {
			continue
		}
		was = candidate{local: m, accum: s, grad: f.AlphaC + float64(f.BetaC*float64(m)), bound: math.Inf(1)}
		if apart > 0 {
			was.bound = f.worth(&was, replicas, max(was.grad, net, float64((was.grad+net)*apart))) * (1 + 1e-12)
		}
		list[n] = was
		if was.bound > list[top].bound {
			top = n
		}
		n++
	}
	return n, top
}

// valued is the goodput of a candidate; power is T_net^gamma.
func (f *Function) valued(c *candidate, replicas int, power float64) float64 {
	return f.worth(c, replicas, fixmath.Pow(fixmath.Pow(c.grad, f.Gamma)+power, 1/f.Gamma))
}

// worth is its goodput if the step that synchronises takes optim seconds.
func (f *Function) worth(c *candidate, replicas int, optim float64) float64 {
	size := float64(batch(replicas, c.local, c.accum))
	return size / (float64(float64(c.accum)*c.grad) + optim) * f.Efficiency(size/float64(f.Initial))
}

// divide gives a candidate's samples per step and further steps.
func (f *Function) divide(b float64, replicas int) (local, accum int) {
	each := b / float64(replicas)
	if f.Accumulate {
		accum = ceil(each/float64(f.MaxLocal)) - 1
		if replicas == 1 && each > float64(f.Initial)+slack {
			accum = max(accum, 1)
		}
		accum = max(accum, 0)
	}
	return ceil(each / float64(accum+1)), accum
}
