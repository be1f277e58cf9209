package schedtune

import (
	"math"
	"slices"

	"tarry/baselines/colocate"
	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/cluster"
)

// predict is the memory that a job is taken to need on each GPU when it arrives, in MiB. Every job
// takes one draw, so that one job more changes no other's.
func (p *Policy) predict(v *sim.View, j sim.JobID) int32 {
	z := p.draws.NormFloat64()
	need := v.Job(j).GPUMiB()
	switch {
	case need > 0:
		x := float64(need)
		if p.cfg.sigma > 0 || p.cfg.bias != 1 {
			x = math.Ceil(x * p.cfg.bias * fixmath.Exp(float64(p.cfg.sigma*z)))
		}
		return int32(max(1, min(x, float64(p.reach(v, j)))))
	case p.cfg.alone:
		return colocate.Unknown
	}
	return 0
}

// reach is the largest memory of which the job's type has as many GPUs as it asks for, on machines
// with the CPU and memory for them.
func (p *Policy) reach(v *sim.View, j sim.JobID) int64 {
	t, a, n := v.Topology(), v.Job(j).Public(), v.Job(j).GPUs()
	per := cluster.PerGPU{Type: a.GPUType, CPUMilli: a.CPUMilli, MemMiB: a.MemMiB}
	p.sizes = p.sizes[:0]
	for m := range t.Machines() {
		if room := t.Room(m, per); room > 0 {
			lo, _ := t.MachineGPUs(m)
			p.sizes = append(p.sizes, size{colocate.Capacity(t, lo), room})
		}
	}
	slices.SortFunc(p.sizes, func(a, b size) int { return int(max(-1, min(1, b.mib-a.mib))) })
	for _, s := range p.sizes {
		if n -= s.gpus; n <= 0 {
			return min(s.mib, colocate.Unknown-1)
		}
	}
	return colocate.Unknown - 1
}

// size is GPUs of one memory.
type size struct {
	mib  int64
	gpus int
}

// fits reports whether a GPU that others have is predicted to have room for a job of this memory.
func (p *Policy) fits(v *sim.View, g cluster.GPU, need int32) bool {
	if !p.cfg.avoid {
		return true
	}
	if need == colocate.Unknown {
		return false
	}
	if p.cfg.alone && !colocate.AllKnown(v, g) { // who is there may need anything
		return false
	}
	free := v.GPUMiBFree(g)
	return free == math.MaxInt64 || math.Ceil(float64(need)*(1+p.cfg.margin)) <= float64(free)
}

// holds reports whether an idle GPU is large enough.
func (p *Policy) holds(v *sim.View, g cluster.GPU, need int32) bool {
	return !p.cfg.avoid || need == colocate.Unknown || int64(need) <= colocate.Capacity(v.Topology(), g)
}
