package plan_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// restless is a policy without a purpose: at many instants it draws another state of the cluster at
// random and goes there. Jobs are preempted, moved, resized, tuned, exchanged, and machines
// cordoned. It comes to rest in the end, so that its runs end.
type restless struct {
	rng      *rand.PCG
	target   plan.Target
	wants    []plan.Want
	arena    []cluster.GPU
	cordons  []bool
	instants int
	// What is planned, by GPU and by machine.
	share    []int32
	cpu, mem []int64
}

const unrest = 120 // instants

func newRestless(seed uint64) *restless { return &restless{rng: rand.NewPCG(seed, 0x7e57)} }

func (p *restless) Knows() know.Set { return know.Nothing }

func (p *restless) Clone() sim.Policy {
	rng := *p.rng
	return &restless{rng: &rng, cordons: slices.Clone(p.cordons), instants: p.instants}
}

func (p *restless) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	r, top := rand.New(p.rng), v.Topology()
	p.instants++
	p.share, p.cpu, p.mem = make([]int32, top.GPUs()), make([]int64, top.Machines()), make([]int64, top.Machines())
	p.arena = make([]cluster.GPU, 0, 64*top.GPUs())
	p.wants = p.wants[:0]
	if p.cordons == nil {
		p.cordons = make([]bool, top.Machines())
	}
	calm := p.instants > unrest || r.IntN(3) > 0
	for m := range p.cordons {
		if p.cordons[m] && (p.instants > unrest || r.IntN(4) == 0) {
			p.cordons[m] = false
			out = append(out, sim.Decision{Kind: sim.Uncordon, Machine: int32(m)})
		} else if !p.cordons[m] && !calm && r.IntN(4) == 0 {
			p.cordons[m] = true
			out = append(out, sim.Decision{Kind: sim.Cordon, Machine: int32(m)})
		}
	}
	var left []sim.JobID
	for _, j := range r.Perm(v.NumJobs()) {
		j := sim.JobID(j)
		switch s := v.Run(j).State(); {
		case s == sim.Running && (calm || r.IntN(2) == 0):
			p.keep(v, r, j, calm)
		case s == sim.Running && r.IntN(5) > 0, s == sim.Waiting, s == sim.Draining:
			left = append(left, j)
		}
	}
	if calm {
		slices.Sort(left)
	}
	for _, j := range left {
		p.place(v, r, j, calm)
	}
	out = append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Second})
	return p.target.Decide(v, p.wants, out)
}

// keep wants a job to stay, at times with other knobs.
func (p *restless) keep(v *sim.View, r *rand.Rand, j sim.JobID, calm bool) {
	w := plan.Want{Job: j, GPUs: v.Run(j).Held()}
	if p.instants <= unrest {
		w.Lease = sim.Time(r.IntN(2)*r.IntN(5)) * sim.Second
	}
	if !calm && r.IntN(2) == 0 {
		w.Knobs = p.knobs(v, r, j)
	}
	if p.book(v, w) {
		return
	}
	if w.Knobs = (sim.Knobs{}); !p.book(v, w) { // others were tuned into its room
		p.wants = append(p.wants, w)
	}
}

func (p *restless) knobs(v *sim.View, r *rand.Rand, j sim.JobID) sim.Knobs {
	k := sim.Knobs{FreqFrac: float64(1+r.IntN(4)) / 4, Batch: float64(r.IntN(3)), GPUMiB: r.Int32N(3),
		LinkWeight: float64(r.IntN(2)) / 2, Delay: sim.Time(r.IntN(2)) * sim.Second / 4}
	if len(v.Run(j).Held()) == 1 || v.Job(j).GPUs() == 1 {
		k.ShareMilli = int32(100 * r.IntN(11))
	}
	if lo, _ := v.Job(j).Range(); lo > 1 && v.Job(j).GPUs() > 1 { // it never has a share, which copies cannot have
		k.CopyFrac = float64(r.IntN(3)) / 2
	}
	if a := v.Job(j).Public(); a.CPUMilli > 0 {
		k.CPUMilli = int32(r.IntN(int(a.CPUMilli) + 1))
	}
	return k
}

// place wants a job on GPUs drawn at random.
func (p *restless) place(v *sim.View, r *rand.Rand, j sim.JobID, calm bool) {
	top, a := v.Topology(), v.Job(j).Public()
	lo, hi := v.Job(j).Range()
	n, step := lo+r.IntN(min(hi, max(lo, top.GPUs()))-lo+1), v.Job(j).WorkerGPUs()
	n -= n % step
	w := plan.Want{Job: j, Lease: sim.Time(r.IntN(2)*r.IntN(5)) * sim.Second}
	if !calm && r.IntN(2) == 0 {
		w.Knobs = p.knobs(v, r, j)
	}
	from := len(p.arena)
	for _, g := range r.Perm(top.GPUs()) {
		if m := top.Machine(cluster.GPU(g)); len(p.arena) < from+n &&
			(a.GPUType == "" || len(top.Types()) == 1 || top.Type(m) == a.GPUType) && !p.cordons[m] {
			w.GPUs = append(p.arena[from:], cluster.GPU(g))
			if p.fits(v, w) {
				p.arena = append(p.arena, cluster.GPU(g))
			}
		}
	}
	if w.GPUs = p.arena[from:]; len(w.GPUs) < n {
		p.arena = p.arena[:from]
		if v.Run(j).State() == sim.Running && p.instants%2 == 0 {
			p.keep(v, r, j, true)
		}
		return
	}
	slices.Sort(w.GPUs)
	if !p.book(v, w) {
		panic("what fits cannot be booked")
	}
}

// after are the knobs that a want leads to.
func after(v *sim.View, w plan.Want) sim.Knobs {
	k := v.Run(w.Job).Knobs()
	if w.ShareMilli > 0 {
		k.ShareMilli = w.ShareMilli
	}
	if w.CPUMilli > 0 {
		k.CPUMilli = w.CPUMilli
	}
	return k
}

func (p *restless) fits(v *sim.View, w plan.Want) bool {
	k, top := after(v, w), v.Topology()
	for i, g := range w.GPUs {
		n, m := int64(1), top.Machine(g)
		for _, h := range w.GPUs[:i] {
			if top.Machine(h) == m {
				n++
			}
		}
		c, mem := top.CPUMilli(m), top.MemMiB(m)
		if p.share[g]+k.ShareMilli > 1000 || c > 0 && p.cpu[m]+n*int64(k.CPUMilli) > c || mem > 0 &&
			p.mem[m]+n*int64(k.MemMiB) > mem {
			return false
		}
	}
	return true
}

func (p *restless) book(v *sim.View, w plan.Want) bool {
	if !p.fits(v, w) {
		return false
	}
	k := after(v, w)
	for _, g := range w.GPUs {
		p.share[g] += k.ShareMilli
		p.cpu[v.Topology().Machine(g)] += int64(k.CPUMilli)
		p.mem[v.Topology().Machine(g)] += int64(k.MemMiB)
	}
	p.wants = append(p.wants, w)
	return true
}

// Whatever a policy wants, Target's decisions are within the rules: with shares, types, hosts,
// faults, cordons, costs and checkpoints that take time; every invariant holds, runs are the same
// again, and from a snapshot in the middle.
func TestTargetConforms(t *testing.T) {
	simtest.Policy(t, func() sim.Policy { return newRestless(1) }, simtest.Options{Allocates: true})
}

func TestTortureTarget(t *testing.T) {
	simtest.Torture(t, 100, func(seed uint64) error {
		return simtest.Try(func() sim.Policy { return newRestless(seed) }, seed, simtest.Options{})
	})
}
