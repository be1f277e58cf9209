package interference

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/mig"
)

// instance is the size of the instance that a job is in; nil = it has the GPUs as they are.
func (l *Layer) instance(gpus []cluster.GPU, k *sim.Knobs) *mig.Profile {
	if k.Instance == 0 || l.top == nil || len(gpus) == 0 {
		return nil
	}
	d := l.top.MIG(l.top.Machine(gpus[0]))
	if d == nil || int(k.Instance) > len(d.Placements) {
		return nil
	}
	return d.Of(int(k.Instance) - 1)
}

// of is the part of the GPU's compute that an instance has.
func of(p *mig.Profile) float64 { return float64(p.Compute) / mig.ComputeSlices }

// inInstance is what a job keeps of its speed on the whole GPU alone in its instance of a part p:
// min(1, p/u) with its busy part, or p where that is not known, as without interference.
func (l *Layer) inInstance(j *sim.Job, gpus []cluster.GPU, k *sim.Knobs) float64 {
	p := l.instance(gpus, k)
	switch {
	case p == nil:
		return 1
	case j.GPUUtilFrac > 0:
		return min(1, of(p)/j.GPUUtilFrac)
	}
	return of(p)
}
