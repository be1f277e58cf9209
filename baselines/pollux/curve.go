package pollux

import "math"

// values keeps goodputs by machines and GPUs until the model changes.
type values struct {
	most int
	of   []float64 // (nodes-1)*most + gpus-1; NaN = not known
	any  bool
}

func (c *values) open(nodes, gpus int) {
	if c.most = gpus; len(c.of) != nodes*gpus {
		c.of, c.any = make([]float64, nodes*gpus), true
	}
	c.forget()
}

func (c *values) forget() {
	if !c.any {
		return
	}
	for i := range c.of {
		c.of[i] = math.NaN()
	}
	c.any = false
}

// goodput is the best goodput of a job on an allocation.
func (b *book) goodput(nodes, gpus int) float64 {
	c := &b.cache
	if gpus > c.most || nodes*c.most > len(c.of) {
		g, _, _ := b.f.Best(nodes, gpus)
		return g
	}
	x := &c.of[(nodes-1)*c.most+gpus-1]
	if math.IsNaN(*x) {
		*x, _, _ = b.f.Best(nodes, gpus)
		c.any = true
	}
	return *x
}

// unseen is what each further machine is taken to cost a job that was not measured yet, so that
// jobs of several GPUs are not spread without need.
const unseen = 1e-6

// curve is the speed-up of a job over its fair share of the cluster on one machine.
type curve struct {
	b    *book
	gpus float64 // the fair share
	base float64 // its goodput; 0 = not known, and the speed-up is by GPUs
}

// set prepares the curve for a fair share.
func (c *curve) set(b *book, fair int) {
	c.b, c.gpus, c.base = b, float64(fair), 0
	if b.fitted {
		c.base = b.goodput(1, fair)
	}
}

// Speedup is for search.Curve.
func (c *curve) Speedup(nodes, gpus int) float64 {
	if c.base > 0 {
		return c.b.goodput(nodes, gpus) / c.base
	}
	return float64(gpus) / c.gpus * (1 - float64(unseen*float64(nodes-1)))
}
