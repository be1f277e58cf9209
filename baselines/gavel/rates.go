package gavel

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// rates answers how many steps per second a gang runs on GPUs of each type, placed as well as an
// empty cluster can. It asks the speed model once for each kind of job.
type rates struct {
	known map[kind][]float64    // per column
	pairs map[[2]kind][]float64 // per column, of the one, then of the other; nil = not worth it
	empty *cluster.Free
	// measured is Rules.Rate.
	measured func(model string, gpus int, typ string) (float64, bool)
}

// kind is what the speed of a job is taken to depend on, beside the type.
type kind struct {
	model string
	gpus  int32
	share int32
	stepS float64
	// With packing: memory of each GPU and its busy part, 0 = not known.
	mib  int32
	util float64
}

// of gives the steps per second on each column, 0 where the gang cannot run. The slice must not be
// changed.
func (r *rates) of(v *sim.View, j sim.JobID, k kind, types []int) []float64 {
	if t, ok := r.known[k]; ok {
		return t
	}
	if r.known == nil {
		r.known, r.empty = map[kind][]float64{}, cluster.NewFree(v.Topology())
	}
	out := make([]float64, len(types))
	var gpus []cluster.GPU
	for c, t := range types {
		if gpus = r.sample(gpus[:0], t, int(k.gpus)); len(gpus) == 0 {
			continue
		}
		if _, most := memory(v.Topology(), t); most < int64(k.mib) {
			continue
		}
		out[c] = v.Predict(j, sim.Placement{GPUs: gpus, Alone: true}).Rate / k.stepS
		if r.measured == nil || out[c] == 0 {
			continue
		}
		if rate, ok := r.measured(k.model, int(k.gpus), v.Topology().Types()[t]); ok {
			out[c] = rate
		}
	}
	r.known[k] = out
	return out
}

// sample appends GPUs of a type placed as well as an empty cluster can, none when there are not so
// many.
func (r *rates) sample(dst []cluster.GPU, typ, gpus int) []cluster.GPU {
	f := r.empty.Type(typ)
	for l := cluster.LevelSlot; l <= cluster.LevelCluster && gpus <= f.Total(); l++ {
		if f.Largest(l) >= gpus {
			dst, _ = f.At(dst, gpus, l, cluster.BestFit)
			break
		}
	}
	return dst
}

// memory is what the GPUs of a type have at least and at most, in MiB; math.MaxInt64 where it is
// not constrained.
func memory(t *cluster.Topology, typ int) (least, most int64) {
	least = math.MaxInt64
	for m := range t.Machines() {
		if t.Type(m) != t.Types()[typ] {
			continue
		}
		c := t.GPUMiB(m)
		if c == 0 {
			c = math.MaxInt64
		}
		least, most = min(least, c), max(most, c)
	}
	return least, most
}

// columns lists the types of a cluster in the order of their names, as Gavel's matrices have them,
// and order the columns in the order in which the cluster names them.
func columns(t *cluster.Topology) (types, order []int) {
	names := t.Types()
	for i := range names {
		types = append(types, i)
	}
	slices.SortStableFunc(types, func(a, b int) int {
		switch {
		case names[a] < names[b]:
			return -1
		case names[a] > names[b]:
			return 1
		}
		return 0
	})
	for i := range names {
		order = append(order, slices.Index(types, i))
	}
	return types, order
}
