package operate

import (
	"math"
	"slices"

	"tarry/baselines/operate/reclaim"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
	"tarry/sim/service"
)

// taker takes machines back from jobs.
type taker struct {
	draws   *rng.Stream
	chooser reclaim.Chooser
	changes []change // of jobs, by the decisions so far of the instant
	cordons []int32  // machines taken by them

	// Of one choice.
	machines []int32 // that are lent: those to choose from
	index    []int32 // machine -> place in machines + 1
	ids      []sim.JobID
	jobs     []reclaim.Job
	holds    []reclaim.Hold
	took     []int32
}

// change is a job that loses GPUs: it keeps some, or is preempted.
type change struct {
	id   sim.JobID
	keep []cluster.GPU
}

// open forgets the decisions of the last instant.
func (t *taker) open() { t.changes, t.cordons = t.changes[:0], t.cordons[:0] }

// held is what a job holds after the decisions so far.
func (t *taker) held(v *sim.View, id sim.JobID) []cluster.GPU {
	for i := range t.changes {
		if t.changes[i].id == id {
			return t.changes[i].keep
		}
	}
	return v.Run(id).Held()
}

// keep lets a job keep some GPUs of what it holds; with none it is preempted.
func (t *taker) keep(v *sim.View, g *ground, id sim.JobID, gpus []cluster.GPU) {
	var gone []cluster.GPU
	for _, gpu := range t.held(v, id) {
		if !slices.Contains(gpus, gpu) {
			gone = append(gone, gpu)
		}
	}
	g.leave(v, id, gone)
	for i := range t.changes {
		if t.changes[i].id == id {
			t.changes[i].keep = gpus
			return
		}
	}
	t.changes = append(t.changes, change{id, gpus})
}

// load gives the chooser the machines of a kind, and the jobs that run on them.
func (t *taker) load(v *sim.View, of func(m int) bool) {
	top := v.Topology()
	t.machines, t.ids, t.jobs, t.holds = t.machines[:0], t.ids[:0], t.jobs[:0], t.holds[:0]
	if len(t.index) < top.Machines() {
		t.index = make([]int32, top.Machines())
	}
	clear(t.index)
	for m := range top.Machines() {
		if of(m) {
			t.machines = append(t.machines, int32(m))
			t.index[m] = int32(len(t.machines))
		}
	}
	for _, id := range v.Running() {
		t.add(v, id)
	}
	t.chooser.Load(len(t.machines), t.jobs)
}

// add lists a job if it is on one of the machines.
func (t *taker) add(v *sim.View, id sim.JobID) {
	from, parts, last := len(t.holds), int32(0), -1
	held := t.held(v, id)
	for _, gpu := range held {
		m := v.Topology().Machine(gpu)
		if m != last {
			last, parts = m, parts+1
			if t.index[m] > 0 {
				t.holds = append(t.holds, reclaim.Hold{Machine: t.index[m] - 1})
			}
		}
		if t.index[m] > 0 {
			t.holds[len(t.holds)-1].GPUs++
		}
	}
	if len(t.holds) == from {
		return
	}
	t.ids = append(t.ids, id)
	t.jobs = append(t.jobs, reclaim.Job{Holds: t.holds[from:len(t.holds):len(t.holds)], GPUs: int32(len(held)),
		Machines: parts, Least: int32(leastOf(v, id, len(held))), Ends: endOf(v, id)})
}

// leastOf is the fewest GPUs on which a job that holds some can run.
func leastOf(v *sim.View, id sim.JobID, held int) int {
	k := v.Run(id).Knobs()
	if lo, hi := v.Job(id).Range(); lo < hi && k.CopyFrac == 0 && k.Instance == 0 {
		return min(held, lo)
	}
	return held
}

// endOf is when a job is expected to end at its present speed: 0 without know.Estimate.
func endOf(v *sim.View, id sim.JobID) int64 {
	left := v.Job(id).Estimate() - v.Run(id).Done()
	rate := v.Run(id).Speed().Rate
	switch {
	case math.IsNaN(left):
		return 0
	case rate <= 0:
		return int64(sim.Never)
	}
	return int64(math.Round(min(1e18, float64(max(v.Now(), v.Services().ReadyAt(id)))+max(0, left)/rate)))
}

// clear takes machines that the chooser took: they are lent no more, jobs give up their GPUs there.
func (t *taker) clear(v *sim.View, g *ground, took []int32) {
	gone := func(gpu cluster.GPU) bool {
		at := t.index[v.Topology().Machine(gpu)]
		return at > 0 && slices.Contains(took, at-1)
	}
	for j, id := range t.ids {
		held := t.held(v, id)
		if !slices.ContainsFunc(held, gone) {
			continue
		}
		var keep []cluster.GPU
		if !t.chooser.Preempted(j) {
			keep = slices.DeleteFunc(slices.Clone(held), gone)
			keep = keep[:len(keep)/v.Job(id).WorkerGPUs()*v.Job(id).WorkerGPUs()]
		}
		t.keep(v, g, id, keep)
	}
	for _, at := range took {
		m := t.machines[at]
		g.held[m] = true
		t.cordons = append(t.cordons, m)
	}
}

// claim takes machines for some replicas of a service; false = there is none more.
func (t *taker) claim(v *sim.View, g *ground, rule reclaim.Rule, spec *service.Spec, replicas int) bool {
	n := int(max(1, spec.GPUs))
	per := 0
	t.load(v, func(m int) bool {
		k := t.capacity(v, g, m, spec) / n
		if k > 0 && (per == 0 || k < per) {
			per = k
		}
		return k > 0
	})
	if per == 0 {
		return false
	}
	if len(g.own) == 0 {
		return t.displace(v, g, rule, spec, n)
	}
	t.took = t.took[:0]
	k := (replicas + per - 1) / per
	for at, m := range t.machines { // their return is due
		if len(t.took) < k && v.Services().ReturnAt(int(m)) <= v.Now() {
			t.chooser.Take(int32(at))
			t.took = append(t.took, int32(at))
		}
	}
	t.took = t.chooser.Free(k-len(t.took), t.took)
	t.took = t.chooser.Choose(rule, k-len(t.took), t.draws, t.took)
	t.clear(v, g, t.took)
	return len(t.took) > 0
}

// capacity counts the GPUs of a machine that can have a replica of a service when the jobs that run
// there have left; 0 for a machine that is not to be taken.
func (t *taker) capacity(v *sim.View, g *ground, m int, spec *service.Spec) (n int) {
	if len(g.own) > 0 && (g.held[m] || !v.Services().Own(m)) ||
		spec.GPUType != "" && !cluster.SameType(v.Topology().Type(m), spec.GPUType) {
		return 0
	}
	lo, hi := v.Topology().MachineGPUs(m)
	for gpu := lo; gpu < hi; gpu++ {
		room := g.room(v, gpu)
		for _, id := range v.On(gpu) {
			if v.Run(id).State() == sim.Running && slices.Contains(t.held(v, id), gpu) {
				k := v.Run(id).Knobs()
				room += k.ShareMilli
			}
		}
		if room >= shareOf(spec) {
			n++
		}
	}
	return n
}

// displace takes GPUs of one machine of a cluster without machines of the services: jobs leave it one
// by one, the last started first, until a replica fits.
func (t *taker) displace(v *sim.View, g *ground, rule reclaim.Rule, spec *service.Spec, n int) bool {
	t.took = t.chooser.Choose(rule, 1, t.draws, t.took[:0])
	if len(t.took) == 0 {
		return false
	}
	m := int(t.machines[t.took[0]])
	lo, hi := v.Topology().MachineGPUs(m)
	var fit []cluster.GPU
	for {
		if fit = g.fits(v, m, n, spec, false, fit[:0]); len(fit) >= n {
			return true
		}
		last, at := sim.Time(-1), -1
		for j, id := range t.ids {
			on := slices.ContainsFunc(t.held(v, id), func(x cluster.GPU) bool { return x >= lo && x < hi })
			if on && v.Run(id).Since() > last {
				last, at = v.Run(id).Since(), j
			}
		}
		if at < 0 {
			return false
		}
		id := t.ids[at]
		var keep []cluster.GPU
		if !t.chooser.Preempted(at) {
			keep = slices.DeleteFunc(slices.Clone(t.held(v, id)), func(x cluster.GPU) bool { return x >= lo && x < hi })
			keep = keep[:len(keep)/v.Job(id).WorkerGPUs()*v.Job(id).WorkerGPUs()]
		}
		t.keep(v, g, id, keep)
	}
}

// write gives the decisions.
func (t *taker) write(out []sim.Decision) []sim.Decision {
	for _, c := range t.changes {
		d := sim.Decision{Kind: sim.Preempt, Job: c.id}
		if len(c.keep) > 0 {
			d.Kind, d.GPUs = sim.Resize, c.keep
		}
		out = append(out, d)
	}
	for _, m := range t.cordons {
		out = append(out, sim.Decision{Kind: sim.Cordon, Machine: m})
	}
	return out
}
