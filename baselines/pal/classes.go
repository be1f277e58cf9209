package pal

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// class is what is known of a model.
type class struct {
	levels []float64 // the different scores, ascending
	// upTo[v][m] has a bit for each GPU of machine m whose score is at most levels[v].
	upTo   [][]uint64
	matrix []pair
	// sensitivity is the standard deviation of the slowdowns, in thousandths: the same for models
	// that vary alike.
	sensitivity int
}

// pair is an entry of the L x V matrix.
type pair struct {
	penalty float64
	level   cluster.Level
	score   int // index in levels
}

// profile measures a model, by its first job, on every GPU alone.
func (p *Policy) profile(v *sim.View, j sim.JobID) *class {
	t := v.Topology()
	rates := make([]float64, t.GPUs())
	for g := range rates {
		p.one[0] = cluster.GPU(g)
		rates[g] = v.Predict(j, sim.Placement{GPUs: p.one[:], Alone: true}).Rate
	}
	sorted := slices.Clone(rates)
	slices.Sort(sorted)
	middle := median(sorted)
	slow := make([]float64, len(rates))
	for g, r := range rates {
		if slow[g] = 1; r > 0 && middle > 0 {
			slow[g] = middle / r
		}
	}
	return newClass(t, slow, &p.cfg)
}

// newClass makes a class of slowdowns.
func newClass(t *cluster.Topology, slow []float64, cfg *config) *class {
	c := &class{sensitivity: int(math.Round(1000 * deviation(slow) / mean(slow)))}
	score, levels := scores(slow, cfg.bins, cfg.sigmas)
	c.levels = levels
	for v, level := range levels {
		c.upTo = append(c.upTo, make([]uint64, t.Machines()))
		for g, s := range score {
			if s <= level {
				m := t.Machine(cluster.GPU(g))
				first, _ := t.MachineGPUs(m)
				c.upTo[v][m] |= 1 << (cluster.GPU(g) - first)
			}
		}
	}
	c.matrix = traversal(levels, cfg.locality)
	return c
}

// traversal is the order in which the matrix is walked: by the product of penalties, the finer
// level and then the lower score first among equals.
func traversal(levels []float64, locality [cluster.LevelCluster + 1]float64) []pair {
	var ps []pair
	for l := cluster.LevelSlot; l <= cluster.LevelCluster; l++ {
		for v, s := range levels {
			ps = append(ps, pair{float64(s * locality[l]), l, v})
		}
	}
	slices.SortStableFunc(ps, func(a, b pair) int {
		if c := cmp.Compare(a.penalty, b.penalty); c != 0 {
			return c
		}
		if c := cmp.Compare(a.level, b.level); c != 0 {
			return c
		}
		return cmp.Compare(a.score, b.score)
	})
	return ps
}
