package muri

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// room counts what is left of a cluster that is empty but for what was taken.
type room struct {
	fresh  bool            // up is as the cluster is
	up     [][]cluster.GPU // of each machine, GPUs that may be used
	types  []string
	typeOf []int // of a machine

	memory int64 // of the smallest GPU, MiB; 0 = not constrained

	total  int
	byType []int // GPUs left of each type; a job without a type may take any, and is not counted here
}

// renew is called when machines fail or return.
func (r *room) renew() { r.fresh = false }

// clear takes all away.
func (r *room) clear(v *sim.View) {
	t := v.Topology()
	if !r.fresh {
		r.fresh, r.types = true, t.Types()
		r.up, r.typeOf = make([][]cluster.GPU, t.Machines()), make([]int, t.Machines())
		for g := range cluster.GPU(t.GPUs()) {
			if m := t.Machine(g); v.Up(g) {
				r.up[m] = append(r.up[m], g)
			}
		}
		r.memory = 0
		for m := range r.typeOf {
			if c := t.GPUMiB(m); c > 0 && (r.memory == 0 || c < r.memory) {
				r.memory = c
			}
			for i, typ := range r.types {
				if typ == t.Type(m) {
					r.typeOf[m] = i
				}
			}
		}
		r.byType = make([]int, len(r.types))
	}
	r.total = 0
	clear(r.byType)
	for m, up := range r.up {
		r.total += len(up)
		r.byType[r.typeOf[m]] += len(up)
	}
}

// holds reports whether every GPU has so much memory.
func (r *room) holds(mib int64) bool { return r.memory == 0 || mib <= r.memory }

// take reports whether so many GPUs of a type are left, and takes them.
func (r *room) take(gpus int32, typ string) bool {
	n := int(gpus)
	if n > r.total {
		return false
	}
	for i, t := range r.types {
		if typ != "" && t == typ && len(r.types) > 1 {
			if n > r.byType[i] {
				return false
			}
			r.byType[i] -= n
		}
	}
	r.total -= n
	return true
}
