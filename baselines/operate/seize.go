package operate

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/service"
)

// seizer places replicas as DeepBoot's ATS-I does, GPU by GPU: free ones where training has least, then
// GPUs of training whose loss leaves the largest sum of speed-ups.
type seizer struct {
	training []int // machine -> GPUs of jobs
	fair     []cluster.GPU
	rest     []cluster.GPU
}

// DeepBootParams describes the settings of the operator deepboot for the catalogue.
const DeepBootParams = scaledParams + podParams + `
sleep_s   a replica that sleeps for so long gives its GPUs to training, s`

// NewDeepBoot makes an operator with DeepBoot's life cycle and ATS-I, over all machines.
func NewDeepBoot(s *param.Set) (sim.Operator, error) {
	o := &Operator{pods: &pods{}, seizes: &seizer{}}
	o.scale.read(s)
	o.pods.read(s)
	o.pods.sleep = sim.Seconds(s.Float("sleep_s", 60, 0, 1e9))
	o.lends = true
	return o, s.Err()
}

// count counts the GPUs that jobs have by machine after the decisions so far.
func (z *seizer) count(v *sim.View, t *taker) {
	z.training = append(z.training[:0], make([]int, v.Topology().Machines())...)
	for _, id := range v.Running() {
		for _, gpu := range t.held(v, id) {
			z.training[v.Topology().Machine(gpu)]++
		}
	}
}

// find gives GPUs for a replica on the machine with room on which training has least; nil = there is none.
func (z *seizer) find(v *sim.View, g *ground, t *taker, spec *service.Spec) []cluster.GPU {
	n, at := int(max(1, spec.GPUs)), -1
	z.count(v, t)
	for m := range z.training {
		if g.takes(v, m, spec) && (at < 0 || z.training[m] < z.training[at]) &&
			len(g.fits(v, m, n, spec, false, g.gpus[:0])) == n {
			at = m
		}
	}
	if at < 0 {
		return nil
	}
	g.gpus = g.fits(v, at, n, spec, false, g.gpus[:0])
	slices.Sort(g.gpus)
	return g.gpus
}

// claim takes GPUs of training on one machine until a replica fits there; false where none can be freed.
func (z *seizer) claim(v *sim.View, g *ground, t *taker, spec *service.Spec) bool {
	n, at := int(max(1, spec.GPUs)), -1
	for {
		z.count(v, t)
		id, m, rest := z.loser(v, t, func(m int) bool {
			lo, hi := v.Topology().MachineGPUs(m)
			return m == at || at < 0 && g.takes(v, m, spec) && int(hi-lo) >= n &&
				z.training[m]+len(g.fits(v, m, n, spec, false, g.gpus[:0])) >= n
		})
		if id == sim.NoJob {
			return false
		}
		at = m
		t.keep(v, g, id, slices.Clone(rest))
		if len(g.fits(v, m, n, spec, false, g.gpus[:0])) == n {
			return true
		}
	}
}

// loser is the job that loses GPUs on one of some machines, and what it keeps: the loss that leaves the
// largest sum of speed-ups, the first of equals by job and machine. A job that cannot do with fewer keeps none.
func (z *seizer) loser(v *sim.View, t *taker, of func(m int) bool) (loser sim.JobID, machine int, rest []cluster.GPU) {
	loser, machine = sim.NoJob, -1
	best := math.Inf(-1)
	ids := slices.Sorted(slices.Values(v.Running()))
	for _, id := range ids {
		held := t.held(v, id)
		if len(held) == 0 {
			continue
		}
		base := z.base(v, id, len(ids))
		now := v.Predict(id, sim.Placement{GPUs: held}).Rate
		for i, gpu := range held {
			m := v.Topology().Machine(gpu)
			if i > 0 && v.Topology().Machine(held[i-1]) == m || !of(m) {
				continue
			}
			z.rest = without(v, id, held, m, z.rest[:0])
			after := 0.0
			if len(z.rest) > 0 {
				after = v.Predict(id, sim.Placement{GPUs: z.rest}).Rate
			}
			if left := (after - now) / base; loser == sim.NoJob || left > best {
				loser, machine, best, rest = id, m, left, append(rest[:0], z.rest...)
			}
		}
	}
	return loser, machine, rest
}

// without appends what a job keeps that gives up one worker on a machine; nothing where it must be stopped.
func without(v *sim.View, id sim.JobID, held []cluster.GPU, machine int, dst []cluster.GPU) []cluster.GPU {
	step := max(1, v.Job(id).WorkerGPUs())
	if len(held)-step < leastOf(v, id, len(held)) {
		return dst
	}
	last, there := len(held), 0
	for i, gpu := range held {
		if v.Topology().Machine(gpu) == machine {
			last, there = i+1, there+1
		}
	}
	if there < step {
		return dst
	}
	return append(append(dst, held[:last-step]...), held[last:]...)
}

// base is a job's speed on its fair share of the cluster, in its range, machine by machine; 1 = not known.
func (z *seizer) base(v *sim.View, id sim.JobID, jobs int) float64 {
	t := v.Topology()
	lo, hi := v.Job(id).Range()
	n := min(max((t.GPUs()+jobs-1)/jobs, lo), hi, t.GPUs())
	z.fair = z.fair[:0]
	for gpu := range n {
		z.fair = append(z.fair, cluster.GPU(gpu))
	}
	if r := v.Predict(id, sim.Placement{GPUs: z.fair, Alone: true}).Rate; r > 0 {
		return r
	}
	return 1
}
