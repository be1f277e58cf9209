package tune

import (
	"fmt"
	"math"

	"tarry/env/schedenv"
	"tarry/internal/stats"
)

// beside lists what a cost needs of some windows beside the candidate: the reference, and what
// ratios are relative to.
func (r *run) beside(part schedenv.Part, from, to int) []place {
	out := r.bench.places(r.plan.cfg.Policy, part, from, to)
	if r.plan.cfg.Cost == ratioCost {
		out = append(out, r.bench.places(r.plan.cfg.Against, part, from, to)...)
	}
	return out
}

// relative is the cost of a candidate on each of some windows less the reference's. Its mean over
// windows has its least where the mean of the cost has.
func (r *run) relative(spec string, part schedenv.Part, from, to int) []float64 {
	c, b := r.plan.cfg, r.bench
	x, ref := b.values(b.places(spec, part, from, to)), b.values(b.places(c.Policy, part, from, to))
	switch c.Cost {
	case ratioCost:
		for i, of := range b.values(b.places(c.Against, part, from, to)) {
			x[i] = (x[i] - ref[i]) / of
		}
		return x
	case logCost:
		for i := range x {
			x[i] = math.Log(x[i]) - math.Log(ref[i])
		}
		return x
	}
	scale := r.scale
	if part == schedenv.Validation {
		scale = stats.Mean(ref)
	}
	return relative(x, ref, scale)
}

// cost is the mean of what is made small over some windows.
func (r *run) cost(spec string, part schedenv.Part, from, to int) float64 {
	c, b := r.plan.cfg, r.bench
	x := b.values(b.places(spec, part, from, to))
	switch c.Cost {
	case ratioCost:
		for i, of := range b.values(b.places(c.Against, part, from, to)) {
			x[i] /= of
		}
	case logCost:
		for i := range x {
			x[i] = math.Log(x[i])
		}
	}
	return stats.Mean(x)
}

// comparable reports windows on which there is nothing to compare with. They have been measured.
func (r *run) comparable(part schedenv.Part, from, to int) error {
	c := r.plan.cfg
	if c.Cost == "" {
		return nil
	}
	of := c.Against
	if c.Cost == logCost {
		of = c.Policy
	}
	for i, at := range r.bench.places(of, part, from, to) {
		if v := r.bench.memo[at].value; !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("policy %s has %s %v on window %d of part %s, expected a finite number above 0 for "+
				"cost %s; another policy to compare with, or cost mean, would do",
				of, c.Metric, v, from+i, part, c.Cost)
		}
	}
	return nil
}

// trained is the mean of the metric over the windows of training on which a candidate was measured.
func (r *run) trained(spec string) float64 {
	sum, n := 0.0, 0
	for _, at := range r.bench.places(spec, schedenv.Train, 0, r.plan.cfg.Windows) {
		if o, ok := r.bench.memo[at]; ok {
			sum, n = sum+o.value, n+1
		}
	}
	return sum / float64(n)
}
