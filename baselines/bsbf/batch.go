package bsbf

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
)

// need is the memory in MiB of each GPU that a kind uses with so many micro-batches per update: the
// part batch_mem of what it needs falls with the micro-batch.
func (c *config) need(k *kind, steps int32) int32 {
	if steps <= 1 {
		return k.mib
	}
	return int32(math.Ceil(float64(k.mib) * (1 - c.batchMem + c.batchMem/float64(steps))))
}

// steps is the least power of two of micro-batches with which a kind fits so much free memory; 0
// where none will do.
func (c *config) steps(k *kind, free int64) int32 {
	for n := int32(1); n <= c.accum; n *= 2 {
		if int64(c.need(k, n)) <= free {
			return n
		}
	}
	return 0
}

// micro are the knobs of a job with so many micro-batches; none where one will do.
func (c *config) micro(k *kind, steps int32) sim.Knobs {
	if steps <= 1 {
		return sim.Knobs{}
	}
	return sim.Knobs{AccumSteps: steps, GPUMiB: c.need(k, steps)}
}

// capacity is the memory of a machine's GPUs in MiB; math.MaxInt64 where it is not constrained.
func capacity(t *cluster.Topology, machine int) int64 {
	if c := t.GPUMiB(machine); c > 0 {
		return c
	}
	return math.MaxInt64
}

// stepsOn is steps on GPUs that are idle.
func (c *config) stepsOn(t *cluster.Topology, k *kind, gpus []cluster.GPU) int32 {
	free := int64(math.MaxInt64)
	for _, g := range gpus {
		free = min(free, capacity(t, t.Machine(g)))
	}
	return c.steps(k, free)
}

// slower is how many times longer a kind takes alone with so many micro-batches than with one.
func (s *slow) slower(v *sim.View, c *config, k *kind, j sim.JobID, typ int, steps int32) float64 {
	if steps <= 1 {
		return 1
	}
	gpus := s.sample(v, int(k.demand.GPUs), typ)
	one, more := v.Predict(j, sim.Placement{GPUs: gpus}).Rate, v.Predict(j,
		sim.Placement{GPUs: gpus, Knobs: c.micro(k, steps)}).Rate
	if !(one > 0 && more > 0) {
		return math.Inf(1)
	}
	return one / more
}

// restored are the knobs of a job that has its GPUs for itself again: all of each, and one batch at
// a time if that fits.
func (c *config) restored(v *sim.View, k *kind, j sim.JobID) sim.Knobs {
	set := sim.Knobs{ShareMilli: whole}
	if v.Run(j).Knobs().AccumSteps > 1 && c.stepsOn(v.Topology(), k, v.Run(j).Held()) == 1 {
		set.AccumSteps, set.GPUMiB = 1, k.mib
	}
	return set
}
