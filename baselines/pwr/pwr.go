// Package pwr places jobs where they raise power least: F. Lettich, E. Carlini, F. M. Nardini,
// R. Perego, S. Trani, "Power- and Fragmentation-aware Online Scheduling for GPU Datacenters",
// CCGRID 2025 (arXiv 2412.17484). docs/reference/schedulers.md has what was measured.
//
// # What is theirs and what is ours
//
// Theirs: the score of a node is the rise of its rated power, a GPU in use at its full power and its
// CPU packages full or idle by the cores in use; mixed with fragmentation (Weng et al., USENIX ATC
// 2023) by their parts, each as 0..100 over the nodes that fit. Their pods arrive one by one and never
// leave. Ours:
//
//   - Watts of a GPU are of the run's power model, and its machine's CPU has no packages.
//   - A machine without jobs counts as one that could be off (empty=off): its idle power is part of
//     the rise, so that jobs gather on few machines and the others can sleep.
//   - The mix of jobs counts arrivals so far, by GPUs and type. Theirs is the trace's.
//   - by=energy divides the rise by the speed there: energy by work in place of power.
//   - Jobs that no machine holds fill the machines with most free GPUs, of equals by score.
//     A job that shares a GPU is packed onto the fullest one that holds it, which raises nothing.
package pwr

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Params describes the settings for the catalogue.
const Params = `fragments  weight of the rise of fragmentation beside the rise of power, 0..1
empty      off: a machine without jobs counts as one that could be off | on: it draws its idle power anyway
by         power: watts | energy: watts over the speed of the job there`

// Policy is one scheduler. Build it with New; it belongs to one run.
type Policy struct {
	weight float64
	off    bool
	energy bool

	queue plan.Queue
	place *plan.Placer
	mix   []kind // jobs that arrived, by demand
	seen  float64
	nodes []node
	order []int32
	jobs  []int32 // machine -> GPUs given out at this instant
	taken []int32
	gpus  []cluster.GPU
}

// kind is how many jobs of a demand have arrived.
type kind struct {
	gpus int
	typ  string
	n    float64
}

// node is a machine that fits, and its scores.
type node struct {
	machine int32
	gpus    int // that the job would have there
	power   float64
	torn    float64
}

// New reads the parameters: Params.
//
//  1. Jobs are tried in order of arrival; a job that does not fit is passed over, none is preempted.
//  2. The machines that hold a job, or for a larger one the machines with most free GPUs, are scored by the
//     rise of power and the rise of fragmentation, each as 0..1 over them.
//  3. The machine of least score is taken, of equals the one with fewest free GPUs, then the lowest.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), weight: s.Float("fragments", 0, 0, 1),
		off: s.Enum("empty", "off", "on") == "off", energy: s.Enum("by", "power", "energy") == "energy"}
	return p, s.Err()
}

// Knows is speeds where energy counts.
func (p *Policy) Knows() know.Set {
	if p.energy {
		return know.Speed
	}
	return know.Nothing
}

// Decide starts every job that fits.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.count(v)
	p.queue.Follow(v, func(*sim.View, sim.JobID) float64 { return 0 }, nil)
	p.place.Begin(v)
	p.begin(v)
	p.queue.Open()
	for {
		j := p.queue.Best()
		if j == sim.NoJob {
			return out
		}
		d := p.queue.Demand(j)
		gpus, ok := p.put(v, j, d)
		if !ok {
			p.queue.Close(j)
			continue
		}
		p.queue.Remove(j)
		for _, g := range gpus {
			p.give(v.Topology().Machine(g))
		}
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
	}
}

// begin forgets what was given out before.
func (p *Policy) begin(v *sim.View) {
	if p.jobs == nil {
		p.jobs = make([]int32, v.Topology().Machines())
	}
	for _, m := range p.taken {
		p.jobs[m] = 0
	}
	p.taken = p.taken[:0]
}

func (p *Policy) give(m int) {
	if p.jobs[m] == 0 {
		p.taken = append(p.taken, int32(m))
	}
	p.jobs[m]++
}

// count notes the jobs that arrive.
func (p *Policy) count(v *sim.View) {
	for _, ev := range v.Events() {
		if ev.Kind != sim.Arrive {
			continue
		}
		i, n, typ := 0, v.Job(ev.Job).GPUs(), v.Job(ev.Job).GPUType()
		for i < len(p.mix) && (p.mix[i].gpus != n || p.mix[i].typ != typ) {
			i++
		}
		if i == len(p.mix) {
			p.mix = append(p.mix, kind{gpus: n, typ: typ})
		}
		p.mix[i].n++
		p.seen++
	}
}

// put chooses and takes GPUs for a job.
func (p *Policy) put(v *sim.View, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	f := v.Free().Of(d.Type)
	if f == nil || d.ShareMilli < 1000 || int(d.GPUs) > f.Total() {
		return p.place.Place(v, d)
	}
	p.order = p.order[:0]
	mark := v.Free().Mark()
	for left := int(d.GPUs); left > 0; {
		p.list(v, f, j, left)
		best := p.best(f)
		p.order = append(p.order, best.machine)
		if left -= best.gpus; left > 0 { // the next machine is one of the others
			lo, hi := v.Topology().MachineGPUs(int(best.machine))
			for g := lo; g < hi; g++ {
				if f.Has(g) {
					v.Free().Take(g)
				}
			}
		}
	}
	v.Free().Rollback(mark)
	if gpus, ok := p.place.On(v, d, p.order...); ok {
		return gpus, true
	}
	return p.place.Place(v, d) // the hosts there have no room
}

// list lists the machines that hold so many GPUs, or, where none does, as many as the largest has.
func (p *Policy) list(v *sim.View, f *cluster.Free, j sim.JobID, left int) {
	p.nodes = p.nodes[:0]
	want := min(left, f.Largest(cluster.LevelMachine))
	for m := 0; want > 0 && m < v.Topology().Machines(); m++ {
		if f.InMachine(m) < want {
			continue
		}
		n := node{machine: int32(m), gpus: want, power: p.rise(v, j, m, want)}
		if p.weight > 0 {
			n.torn = p.fragments(v, m, f.InMachine(m)-want) - p.fragments(v, m, f.InMachine(m))
		}
		p.nodes = append(p.nodes, n)
	}
}

// rise is by how much a job on so many GPUs of a machine raises power.
func (p *Policy) rise(v *sim.View, j sim.JobID, m, gpus int) float64 {
	s := v.Power().Spec(m)
	if s == nil {
		return 0
	}
	lo, hi := v.Topology().MachineGPUs(m)
	w := float64(gpus) * s.BusyW(1)
	if p.off && p.jobs[m] == 0 && p.vacant(v, lo, hi) {
		w += max(0, s.OnW(int(hi-lo))-s.OffW)
	}
	if p.energy {
		if rate := p.speed(v, j, lo, hi, gpus); rate > 0 {
			w *= float64(gpus) / rate
		}
	}
	return w
}

// vacant reports whether no job is on a machine's GPUs.
func (p *Policy) vacant(v *sim.View, lo, hi cluster.GPU) bool {
	for g := lo; g < hi; g++ {
		if v.Share(g) > 0 {
			return false
		}
	}
	return true
}

// speed is the speed of a job on the first free GPUs of a machine.
func (p *Policy) speed(v *sim.View, j sim.JobID, lo, hi cluster.GPU, gpus int) float64 {
	p.gpus = p.gpus[:0]
	for g := lo; g < hi && len(p.gpus) < gpus; g++ {
		if v.Free().Has(g) {
			p.gpus = append(p.gpus, g)
		}
	}
	return v.Predict(j, sim.Placement{GPUs: p.gpus}).Rate
}

// fragments is how many of a machine's free GPUs the jobs that arrive cannot use, in the mean: all of
// them for a job of more GPUs or of another type.
func (p *Policy) fragments(v *sim.View, m, free int) (mean float64) {
	for i := range p.mix {
		if k := &p.mix[i]; k.gpus > free || k.typ != "" && k.typ != v.Topology().Type(m) {
			mean += float64(k.n*float64(free)) / p.seen
		}
	}
	return mean
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.queue, c.place = p.queue.Clone(), p.place.Clone()
	c.mix, c.jobs, c.taken = slices.Clone(p.mix), slices.Clone(p.jobs), slices.Clone(p.taken)
	c.nodes, c.order, c.gpus = nil, nil, nil
	return &c
}

// best is the node of least score.
func (p *Policy) best(f *cluster.Free) node {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, n := range p.nodes {
		for i, x := range [...]float64{n.power, n.torn} {
			low[i], high[i] = min(low[i], x), max(high[i], x)
		}
	}
	part := func(i int, x float64) float64 {
		if high[i] > low[i] {
			return (x - low[i]) / (high[i] - low[i])
		}
		return 0
	}
	best, least := p.nodes[0], math.Inf(1)
	for _, n := range p.nodes {
		s := float64((1-p.weight)*part(0, n.power)) + float64(p.weight*part(1, n.torn))
		if s < least-1e-12 || s <= least+1e-12 && f.InMachine(int(n.machine)) < f.InMachine(int(best.machine)) {
			best, least = n, min(s, least)
		}
	}
	return best
}
