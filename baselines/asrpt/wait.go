package asrpt

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// wait is until when a job waits for a better place: now or earlier if it does not. The wait begins
// at the instant at which the job could start for the first time, and at a place that is predicted
// to slow it down too much. Until it ends the job starts as soon as a better place is free.
func (p *policy) wait(v *sim.View, j sim.JobID) sim.Time {
	d := p.queue.Demand(j)
	if d.GPUs < 2 || d.ShareMilli < 1000 || d.CPUMilli > 0 || d.MemMiB > 0 || p.until[j] > 0 && p.until[j] <= v.Now() {
		return 0
	}
	f := v.Free().Of(d.Type)
	if f == nil || f.Total() < int(d.GPUs) {
		return p.until[j]
	}
	here := v.Predict(j, sim.Placement{GPUs: p.look(f, d), Idle: true}).Rate
	best := v.Predict(j, sim.Placement{GPUs: p.look(p.idle(v, d), d), Idle: true}).Rate
	if !(best > 0) || !(best >= float64(p.heavy*here)) || best == here {
		return 0
	}
	if p.until[j] == 0 {
		longest := math.Min(float64(p.delay*v.Job(j).Estimate())/best, float64(sim.Never/8))
		p.until[j] = v.Now() + max(1, sim.Time(longest))
	}
	return p.until[j]
}

// look gives the GPUs that the placer would choose for a demand among free ones.
func (p *policy) look(f *cluster.Free, d *plan.Demand) []cluster.GPU {
	p.gpus = p.gpus[:0]
	for l := cluster.LevelSlot; l <= cluster.LevelCluster; l++ {
		if f.Largest(l) >= int(d.GPUs) {
			p.gpus, _ = f.At(p.gpus, int(d.GPUs), l, p.rule)
			break
		}
	}
	return p.gpus
}

// idle is the cluster without jobs, as far as a demand may use it.
func (p *policy) idle(v *sim.View, d *plan.Demand) *cluster.Free {
	if p.empty == nil {
		p.empty = cluster.NewFree(v.Topology())
	}
	return p.empty.Of(d.Type)
}
