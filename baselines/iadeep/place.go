package iadeep

import (
	"math"

	"tarry/baselines/colocate"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// busy is the utilisation, of a GPU and of its memory, from which on it gets no more jobs.
const busy = 0.99

// place chooses GPUs for a job that waits: idle ones if there are enough, else the least
// degradation.
func (p *Policy) place(v *sim.View, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	need := p.need(v, j)
	holds := func(g cluster.GPU) bool {
		return need == colocate.Unknown || int64(need) <= colocate.Capacity(v.Topology(), g)
	}
	if gpus, ok := p.board.Idle(v, d, d.Type, holds); ok {
		return gpus, true
	}
	if p.cfg.most < 2 || need == colocate.Unknown {
		return nil, false
	}
	return p.board.Pick(v, d, d.Type, func(g cluster.GPU) (cost, tie float64, ok bool) {
		n := len(v.On(g))
		if n == 0 {
			return -1, 0, holds(g)
		}
		if p.closed[g] > 0 || n >= p.cfg.most || !p.fits(v, g, need) {
			return 0, 0, false
		}
		p.models = p.models[:0]
		for _, x := range v.On(g) {
			p.models = append(p.models, v.Job(x).Model())
		}
		return p.table.Predict(append(p.models, v.Job(j).Model())), 0, true
	})
}

// fits reports whether a GPU that others have is open to a job: room in its memory, which is not
// all in use, and time.
func (p *Policy) fits(v *sim.View, g cluster.GPU, need int32) bool {
	if p.cfg.alone && !colocate.AllKnown(v, g) {
		return false
	}
	if free := v.GPUMiBFree(g); free != math.MaxInt64 {
		if all := colocate.Capacity(v.Topology(), g); int64(need) > free || float64(all-free) >= busy*float64(all) {
			return false
		}
	}
	util := 0.0
	for _, x := range v.On(g) {
		if u := v.Job(x).GPUUtilFrac(); u > 0 {
			util += float64(u * min(1, p.part(v, x)))
		}
	}
	return util < busy
}

// part is the speed of a running job over what it has alone where it is, with its own batch.
func (p *Policy) part(v *sim.View, j sim.JobID) float64 {
	alone := p.alone(v, j)
	if alone <= 0 {
		return 1
	}
	return v.Run(j).Speed().Rate / alone
}

// alone is the speed of a running job alone where it is; it is asked once for each start, but for
// jobs that others may resize.
func (p *Policy) alone(v *sim.View, j sim.JobID) float64 {
	if lo, hi := v.Job(j).Range(); p.solo[j] == 0 || lo < hi {
		p.solo[j] = v.Predict(j, sim.Placement{GPUs: v.Run(j).Held(), Idle: true}).Rate
	}
	return p.solo[j]
}
