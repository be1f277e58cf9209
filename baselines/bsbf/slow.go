package bsbf

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
)

// slow answers how fast a kind of job is, and how much two slow one another down, asked once for
// each two kinds and GPU type: the paper's table by model, model and number of GPUs.
type slow struct {
	empty *cluster.Free
	gpus  []cluster.GPU
	rate  [][]float64 // kind -> type; 0 = not asked
	known [][]float64 // kind -> other kind x types + type; 0 = not asked
}

// entry is where something about a kind is kept.
func entry(table *[][]float64, row, at int) *float64 {
	for len(*table) <= row {
		*table = append(*table, nil)
	}
	r := &(*table)[row]
	for len(*r) <= at {
		*r = append(*r, 0)
	}
	return &(*r)[at]
}

// solo is the rate of a kind alone on GPUs of a type, placed as well as an empty cluster can; tiny
// where it cannot run there.
func (s *slow) solo(v *sim.View, k *kind, j sim.JobID, typ int) float64 {
	e := entry(&s.rate, int(k.index), typ)
	if *e == 0 {
		*e = max(math.SmallestNonzeroFloat64, v.Predict(j, sim.Placement{GPUs: s.sample(v, int(k.demand.GPUs), typ),
			Idle: true}).Rate)
	}
	return *e
}

// by gives how many times longer a job of kind a takes beside one of kind b on GPUs of a type, both
// on as many as a asks for, placed as well as an empty cluster can; +Inf where it does not progress
// there.
func (s *slow) by(v *sim.View, ka, kb *kind, a, b sim.JobID, typ int) float64 {
	e := entry(&s.known, int(ka.index), int(kb.index)*len(v.Topology().Types())+typ)
	if *e == 0 {
		gpus := s.sample(v, int(ka.demand.GPUs), typ)
		alone, beside := v.Predict(a, sim.Placement{GPUs: gpus, Idle: true}).Rate,
			v.Predict(a, sim.Placement{GPUs: gpus, Knobs: sim.Knobs{ShareMilli: half},
				Fresh: true, Alone: true, Mate: sim.Peer{ID: b, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: half}}}).Rate
		if *e = math.Inf(1); alone > 0 && beside > 0 {
			*e = alone / beside
		}
	}
	return *e
}

// sample gives GPUs of a type, of any types where there are too few.
func (s *slow) sample(v *sim.View, gpus, typ int) []cluster.GPU {
	if s.empty == nil {
		s.empty = cluster.NewFree(v.Topology())
	}
	f := s.empty.Type(typ)
	if f.Total() < gpus {
		f = s.empty
	}
	for l := cluster.LevelSlot; l <= cluster.LevelCluster; l++ {
		if f.Largest(l) >= gpus {
			s.gpus, _ = f.At(s.gpus[:0], gpus, l, cluster.BestFit)
			break
		}
	}
	return s.gpus
}
