package murisim

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// room is what is left of each machine of a cluster that is empty but for what was taken.
type room struct {
	fresh bool            // up is as the cluster is
	up    [][]cluster.GPU // of each machine, GPUs that may be used
	left  []int
}

// clear empties the cluster.
func (r *room) clear(v *sim.View) {
	t := v.Topology()
	if !r.fresh {
		r.fresh, r.up, r.left = true, make([][]cluster.GPU, t.Machines()), make([]int, t.Machines())
		for g := range cluster.GPU(t.GPUs()) {
			if m := t.Machine(g); v.Up(g) {
				r.up[m] = append(r.up[m], g)
			}
		}
	}
	for m, up := range r.up {
		r.left[m] = len(up)
	}
}

// put places a gang as the authors' simulator does: on the first machine with room where one has as
// many GPUs, else on idle machines, the lowest first. It appends the GPUs to dst and reports
// whether there was room.
func (r *room) put(n int, dst []cluster.GPU) ([]cluster.GPU, bool) {
	whole := 0 // GPUs of idle machines
	for m, up := range r.up {
		if r.left[m] >= n {
			return r.from(m, n, dst), true
		}
		if r.left[m] == len(up) {
			whole += len(up)
		}
	}
	for _, up := range r.up {
		if len(up) >= n { // it would fit in a machine, and none has room
			return dst, false
		}
	}
	if whole < n {
		return dst, false
	}
	for m, up := range r.up {
		if n > 0 && len(up) > 0 && r.left[m] == len(up) {
			k := min(n, len(up))
			dst, n = r.from(m, k, dst), n-k
		}
	}
	return dst, true
}

// from takes the next GPUs of a machine.
func (r *room) from(m, n int, dst []cluster.GPU) []cluster.GPU {
	up := r.up[m]
	at := len(up) - r.left[m]
	r.left[m] -= n
	return append(dst, up[at:at+n]...)
}
