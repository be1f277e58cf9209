package vclos

import (
	"cmp"
	"errors"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is vClos. Build it with New; it belongs to one run.
type Policy struct {
	rule  cluster.Rule
	net   Network
	paths int
	queue plan.Queue
	place *plan.Placer
	part  []int32 // by job: 1 + the index of its part; 0 = it has none
	parts []Part
	spare []int32 // indices of parts that no job has

	racks            []int32       // by leaf: racks with the fastest types first
	arena            []cluster.GPU // GPUs that this decision gives
	free, whole      []int32       // by leaf
	room, got, order []int32       // by machine of a leaf
}

// New builds the policy, which has no settings.
//
//  1. Jobs stand in order of arrival; the first that gets no part waits, and all behind it.
//  2. A multiple of the GPUs of a leaf gets empty leaves.
//  3. Fewer GPUs than a leaf has come from the leaf with fewest free that holds them. On each leaf
//     they are equally from 1, 2, 4, ... machines if possible.
//  4. Else q GPUs on each of n/q leaves, for the largest q for which so many leaves have q free and
//     enough spines have free links to all of them; of such leaves the ones with fewest GPUs free.
//  5. A job across leaves owns its links between leaves and spines until it ends.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return &Policy{rule: rule, place: plan.NewPlacer(rule)}, s.Err()
}

// Knows declares nothing: requests and free links decide.
func (p *Policy) Knows() know.Set { return know.Nothing }

// Decide starts jobs in order of arrival until one finds no part.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.begin(v)
	p.queue.Follow(v, arrival, nil)
	p.place.Begin(v)
	p.queue.Open()
	for {
		j := p.queue.Best()
		if j == sim.NoJob {
			return out
		}
		d := sim.Decision{Kind: sim.Start, Job: j}
		if !p.put(v, &d, p.queue.Demand(j)) {
			return out
		}
		p.queue.Remove(j)
		out = append(out, d)
	}
}

// arrival ranks by the JobID alone, which is the order of (submit, id).
func arrival(*sim.View, sim.JobID) float64 { return 0 }

// begin takes in which jobs have gone.
func (p *Policy) begin(v *sim.View) {
	p.arena = p.arena[:0]
	if p.net.Links == nil {
		p.open(v)
	}
	for n := v.NumJobs() - len(p.part); n > 0; n-- {
		p.part = append(p.part, 0)
	}
	for _, ev := range v.Events() {
		if ev.Job == sim.NoJob || p.part[ev.Job] == 0 || v.Run(ev.Job).State() == sim.Running {
			continue
		}
		at := p.part[ev.Job] - 1
		p.net.Give(&p.parts[at])
		p.part[ev.Job], p.spare = 0, append(p.spare, at)
	}
}

// errNoLeafSpine is the fault of a run with a network that is neither a tree nor a leaf-spine.
var errNoLeafSpine = errors.New("vclos: paths between racks share links, expected a leaf-spine (spines without " +
	"pods) or a tree")

// open learns the network. A tree is a leaf-spine with one spine.
func (p *Policy) open(v *sim.View) {
	t := v.Topology()
	size := 0
	for r := range t.Racks() {
		size = max(size, rackGPUs(t, r))
	}
	p.paths = v.Links().Paths()
	p.net.Open(t.Racks(), max(1, p.paths), size)
	p.free, p.whole = make([]int32, t.Racks()), make([]int32, t.Racks())
	p.sortRacks(t)
	if p.paths < 2 || t.Racks() < 2 {
		return
	}
	first, _ := t.RackMachines(0)
	last, _ := t.RackMachines(t.Racks() - 1)
	a, _ := t.MachineGPUs(first)
	b, _ := t.MachineGPUs(last)
	var links []int32
	for s := range p.paths {
		links = v.Links().Crosses(links, 0, []cluster.GPU{a, b}, 1<<s)
	}
	links = slices.DeleteFunc(links, func(l int32) bool { return int(l) < t.Machines() })
	slices.Sort(links)
	if n := len(links); len(slices.Compact(links)) < n {
		v.Fail(errNoLeafSpine)
	}
}

// sortRacks numbers the leaves, so that the order in which a cluster names its types does not count.
func (p *Policy) sortRacks(t *cluster.Topology) {
	rank := make([]int, len(t.Types()))
	for at, i := range t.Fastest() {
		rank[i] = at
	}
	best := func(r int32) int {
		least := len(rank)
		for m, hi := t.RackMachines(int(r)); m < hi; m++ {
			least = min(least, rank[t.TypeOf(m)])
		}
		return least
	}
	for r := range t.Racks() {
		p.racks = append(p.racks, int32(r))
	}
	slices.SortStableFunc(p.racks, func(a, b int32) int { return cmp.Compare(best(a), best(b)) })
}

func rackGPUs(t *cluster.Topology, r int) int {
	lo, hi := t.RackMachines(r)
	a, _ := t.MachineGPUs(lo)
	_, b := t.MachineGPUs(hi - 1)
	return int(b - a)
}

// put fills a start with GPUs and paths, and books its links. A job that names no type gets GPUs of
// the fastest type that has a part for it, else of any.
func (p *Policy) put(v *sim.View, d *sim.Decision, want *plan.Demand) bool {
	if want.ShareMilli < 1000 {
		gpus, ok := p.place.Place(v, want)
		d.GPUs = gpus
		return ok
	}
	t := v.Topology()
	per := want.PerGPU()
	if want.Type == "" && len(t.Types()) > 1 {
		for _, i := range t.Fastest() {
			if per.Type = t.Types()[i]; p.start(v, v.Free().Type(i), d, want, per) {
				return true
			}
		}
		per.Type = ""
	}
	f := v.Free().Of(want.Type)
	return f != nil && p.start(v, f, d, want, per)
}

// start fills a start from a free list.
func (p *Policy) start(v *sim.View, f *cluster.Free, d *sim.Decision, want *plan.Demand, per cluster.PerGPU) bool {
	t := v.Topology()
	for l, r := range p.racks {
		lo, hi := t.RackMachines(int(r))
		p.free[l], p.whole[l] = 0, 0
		for m := lo; m < hi; m++ {
			p.free[l] += p.roomOn(v, f, m, want)
			p.whole[l] += int32(t.Room(m, per))
		}
	}
	at := p.unused()
	part := &p.parts[at]
	if !p.net.Find(part, int(want.GPUs), p.free, p.whole) {
		p.spare = append(p.spare, at)
		return false
	}
	n := len(p.arena)
	for i, l := range part.Leaves {
		p.take(v, f, int(p.racks[l]), int(part.GPUs[i]), want)
	}
	d.GPUs = p.arena[n:len(p.arena):len(p.arena)]
	slices.Sort(d.GPUs)
	p.place.Take(v, d.GPUs, want)
	if p.paths > 0 {
		d.Path = part.Spines
	}
	p.net.Take(part)
	p.part[d.Job] = at + 1
	return true
}

// unused gives the index of a part that no job has.
func (p *Policy) unused() int32 {
	if k := len(p.spare); k > 0 {
		at := p.spare[k-1]
		p.spare = p.spare[:k-1]
		return at
	}
	p.parts = append(p.parts, Part{})
	return int32(len(p.parts) - 1)
}

// roomOn is how many GPUs of a demand a machine has free.
func (p *Policy) roomOn(v *sim.View, f *cluster.Free, m int, want *plan.Demand) int32 {
	n := f.InMachine(m)
	if n > 0 && (want.CPUMilli > 0 || want.MemMiB > 0) {
		n = min(n, p.place.Room(v, m, want))
	}
	return int32(n)
}

// take appends n free GPUs of a rack.
func (p *Policy) take(v *sim.View, f *cluster.Free, rack, n int, want *plan.Demand) {
	lo, hi := v.Topology().RackMachines(rack)
	p.room = p.room[:0]
	for m := lo; m < hi; m++ {
		p.room = append(p.room, p.roomOn(v, f, m, want))
	}
	p.got, p.order = spread(p.got, p.room, n, p.order)
	for i, k := range p.got {
		if k > 0 {
			p.arena = f.FromMachine(p.arena, lo+i, int(k), p.rule)
		}
	}
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.queue, c.place = p.queue.Clone(), p.place.Clone()
	c.net.Links, c.net.search = slices.Clone(p.net.Links), search{}
	c.part, c.parts, c.spare = slices.Clone(p.part), slices.Clone(p.parts), slices.Clone(p.spare)
	for i := range c.parts {
		c.parts[i].Leaves, c.parts[i].GPUs = slices.Clone(c.parts[i].Leaves), slices.Clone(c.parts[i].GPUs)
	}
	c.free, c.whole = slices.Clone(p.free), slices.Clone(p.whole)
	c.arena, c.room, c.got, c.order = nil, nil, nil, nil
	return &c
}
