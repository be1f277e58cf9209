package speed

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// fastest is the layer of GPUs that differ under which each job has the best ones.
type fastest struct {
	differ sim.Variability
	top    *cluster.Topology
	known  map[ofClass][]float64
}

// ofClass is what the factors of GPUs that differ depend on.
type ofClass struct {
	class int
	typ   string
}

// Answer multiplies the speed by the best factor that the slowest of n GPUs can have: the factor of
// the n-th fastest.
func (l *fastest) Answer(q *sim.Query, s *sim.Speed) float64 {
	factor := 1.0
	if all, n := l.factors(q.Job), len(q.GPUs); n <= len(all) {
		factor = all[n-1]
	}
	s.Rate *= factor
	return factor
}

// factors returns the factors of the GPUs that a job may have, the largest first.
func (l *fastest) factors(j *sim.Job) []float64 {
	k := ofClass{l.differ.Class(j.Model), j.GPUType}
	all, ok := l.known[k]
	if ok {
		return all
	}
	for g, f := range l.differ.Factors(k.class) {
		typ := l.top.Type(l.top.Machine(cluster.GPU(g)))
		if k.typ == "" || k.typ == typ || len(l.top.Types()) == 1 && typ == "" {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(x, y float64) int { return cmp.Compare(y, x) })
	l.known[k] = all
	return all
}
