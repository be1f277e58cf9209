package lucid

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// spare is the number of GPUs of a machine that are free for a demand and that no ghost holds.
func (p *Policy) spare(v *sim.View, d *plan.Demand, m int32) int32 {
	f := v.Free().Of(d.Type)
	if f == nil {
		return 0
	}
	return max(0, int32(f.InMachine(int(m)))-p.pool.held[m])
}

// fits reports whether a machine belongs to the profiler or not, as asked, has GPUs with memory
// enough, and host memory and CPU for n GPUs.
func (p *Policy) fits(v *sim.View, m int, need int64, d *plan.Demand, n int32, pool bool) bool {
	c := v.Topology().GPUMiB(m)
	return p.pool.in[m] == pool && (c == 0 || need <= c) && p.place.Room(v, m, d) >= int(n)
}

// machines chooses where a job has GPUs of its own, of the profiler or of the main pool: the
// machine with the fewest free GPUs that are enough, where one could hold it; else machines that
// are free as a whole, and for the rest that with the fewest free GPUs that are enough. Of equals
// it is the first. The list is valid until the next call.
func (p *Policy) machines(v *sim.View, j sim.JobID, d *plan.Demand, pool bool) ([]int32, bool) {
	f, t, need := v.Free().Of(d.Type), v.Topology(), int64(0)
	if j != sim.NoJob {
		need = int64(v.Job(j).GPUMiB())
	}
	if f == nil || f.Total() < int(d.GPUs) {
		return nil, false
	}
	size := int32(0)
	for m := range t.Machines() {
		if lo, hi := t.MachineGPUs(m); p.pool.in[m] == pool && typed(t, m, d.Type) {
			size = max(size, int32(hi-lo))
		}
	}
	p.list = p.list[:0]
	if size == 0 {
		return nil, false
	}
	whole, rest := d.GPUs/size, d.GPUs%size
	if whole == 1 && rest == 0 { // one machine holds it
		whole, rest = 0, size
	}
	for m := 0; m < t.Machines() && whole > 0; m++ {
		if p.spare(v, d, int32(m)) == size && p.fits(v, m, need, d, size, pool) {
			p.list = append(p.list, int32(m))
			whole--
		}
	}
	best, least := int32(-1), int32(0)
	for m := int32(0); m < int32(t.Machines()) && rest > 0; m++ {
		n := p.spare(v, d, m)
		if n >= rest && (best < 0 || n < least) && !p.listed(m) && p.fits(v, int(m), need, d, rest, pool) {
			best, least = m, n
		}
	}
	if best >= 0 {
		p.list = append(p.list, best)
	}
	return p.list, whole == 0 && (rest == 0 || best >= 0)
}

func (p *Policy) listed(m int32) bool {
	for _, x := range p.list {
		if x == m {
			return true
		}
	}
	return false
}

func typed(t *cluster.Topology, m int, typ string) bool {
	return typ == "" || len(t.Types()) == 1 || t.Type(m) == typ
}

// exclusive chooses GPUs that the job has alone. A job that cannot be placed so in an empty main
// pool gets any that are free.
func (p *Policy) exclusive(v *sim.View, j sim.JobID, d *plan.Demand, idle bool) ([]cluster.GPU, bool) {
	if d.ShareMilli < 1000 {
		return p.anywhere(v, j, d)
	}
	if ms, ok := p.machines(v, j, d, false); ok {
		return p.place.On(v, d, ms...)
	}
	if !idle {
		return nil, false
	}
	return p.anywhere(v, j, d)
}

// anywhere chooses what is free, if its memory is enough.
func (p *Policy) anywhere(v *sim.View, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	gpus, ok := p.place.Place(v, d)
	for _, g := range gpus {
		ok = ok && v.GPUMiBFree(g) >= int64(v.Job(j).GPUMiB())
	}
	return gpus, ok
}
