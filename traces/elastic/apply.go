package elastic

import (
	"fmt"
	"math"
	"math/bits"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

// draws is the stream that states which jobs are elastic.
const draws = "elastic"

// Apply gives the workload with ranges.
func (r *Rule) Apply(w *sim.Workload, src rng.Source) (*sim.Workload, error) {
	return w.Each(r.Changes(src), origin.Origin{Field: "range",
		Source: fmt.Sprintf("elastic %s, drawn from stream %q", r.text, draws)})
}

// Changes gives what sets the range of one job after the other, in the order of a workload.
func (r *Rule) Changes(src rng.Source) func(*sim.Job) {
	s := src.Stream(draws)
	return func(j *sim.Job) { r.job(j, s) }
}

// job sets the range of one job. It draws one number.
func (r *Rule) job(j *sim.Job, s *rng.Stream) {
	chosen := s.Float64() < r.fraction
	if ranged := j.MinGPUs != 0 || j.MaxGPUs != 0; ranged && !r.replace || j.ShareMilli%1000 != 0 {
		return
	} else if ranged {
		j.MinGPUs, j.MaxGPUs, j.WorkerGPUs = 0, 0, 0
		j.Drawn |= origin.Range
	}
	if !chosen || !r.names(j.Model) {
		return
	}
	lo, hi, worker := r.span(j)
	if lo == j.GPUs && hi == j.GPUs {
		return
	}
	j.MinGPUs, j.MaxGPUs = lo, hi
	if worker > 1 {
		j.WorkerGPUs = worker
	}
	j.Drawn |= origin.Range
}

// span is the range of a job and the size of its workers.
func (r *Rule) span(j *sim.Job) (lo, hi, worker int32) {
	g, l := j.GPUs, r.limit(j.Model)
	lo, hi = end(r.min, g, math.Ceil), end(r.max, g, math.Floor)
	if r.most > 0 {
		hi = min(hi, r.most)
	}
	if lo = max(lo, l.min, 1); l.max > 0 {
		hi = min(hi, l.max)
	}
	lo, hi = min(lo, g), max(hi, g)
	if worker = max(j.WorkerGPUs, 1); worker == 1 {
		worker = divisor(max(r.worker, 1), g)
		if l.worker > 0 {
			worker = divisor(l.worker, g)
		}
	}
	if r.powers {
		lo, hi = powers(lo, hi, g)
	}
	c := sim.Job{GPUs: g, MinGPUs: lo, MaxGPUs: hi, WorkerGPUs: worker}
	lo, hi = c.Range()
	return lo, hi, worker
}

// end is the value of the last bound that a demand reaches; the demand where it reaches none.
func end(of []bound, g int32, round func(float64) float64) int32 {
	out := g
	for _, b := range of {
		switch {
		case g < b.from:
			return out
		case b.count > 0:
			out = b.count
		default:
			x := float64(b.times * float64(g))
			if near := math.Round(x); math.Abs(x-near) < 1e-9*near { // 0.7 x 10 is 7
				x = near
			}
			out = int32(min(round(x), float64(max(maxGPUs, g))))
		}
	}
	return out
}

// powers narrows a range to powers of two on either side of a demand, or to the demand where there
// is none.
func powers(lo, hi, g int32) (int32, int32) {
	if up := int32(1) << bits.Len32(uint32(lo-1)); up <= g {
		lo = up
	} else {
		lo = g
	}
	if down := int32(1) << (bits.Len32(uint32(hi)) - 1); down >= g {
		return lo, down
	}
	return lo, g
}

// divisor is the largest common divisor.
func divisor(a, b int32) int32 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
