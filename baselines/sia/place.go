package sia

import (
	"cmp"
	"slices"

	"tarry/baselines/sia/ilp"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// apply places the jobs that were chosen and writes the decisions.
func (p *Policy) apply(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.open(v, &p.layout)
	for _, m := range p.turn {
		if m.pick != ilp.None {
			p.place.add(v, m, &p.configs[m.pick])
		}
	}
	p.place.run()
	p.wants = p.wants[:0]
	for i := range p.place.list {
		x := &p.place.list[i]
		m := x.m
		gpus := x.gpus
		if gpus == nil {
			p.bar(m)
			if gpus = x.held; gpus == nil {
				continue
			}
		}
		k := p.knobs(v, m, gpus)
		if x.held != nil {
			k = changed(v, m, k)
		}
		p.wants = append(p.wants, plan.Want{Job: m.id, GPUs: gpus, Knobs: k})
	}
	out = p.target.Decide(v, p.wants, out)
	for i := range p.wants {
		out = p.note(v, &p.wants[i], out)
	}
	return out
}

// note books what becomes of a job, and watches it if it stays.
func (p *Policy) note(v *sim.View, w *plan.Want, out []sim.Decision) []sim.Decision {
	i, _ := p.at(w.Job)
	m := p.members[i]
	running := v.Run(m.id).State() == sim.Running
	if running && slices.Equal(v.Run(m.id).Held(), w.GPUs) {
		return p.watch(v, m, out)
	}
	if slices.Contains(p.target.Late(), m.id) {
		return out
	}
	if m.started {
		m.restarts++
	}
	m.started, m.ran = true, v.Run(m.id).Time()
	return out
}

// bar keeps a job for a while from a configuration that could not be placed.
func (p *Policy) bar(m *member) {
	for len(m.barred) < len(p.configs) {
		m.barred = append(m.barred, false)
	}
	m.barred[m.pick] = true
}

// placing is a job that is to have a configuration.
type placing struct {
	m    *member
	job  sim.JobID
	typ  int // ilp.Mixed = several
	n    int
	want *ilp.Config
	keep bool // its GPUs stay unless a larger job evicts it
	each host // of a GPU
	held []cluster.GPU
	gpus []cluster.GPU // nil = it has no place
}

// host is CPU and memory.
type host struct{ cpu, mem int64 }

// node is a machine.
type node struct {
	lo, hi cluster.GPU
	free   int
	bound  [2]bool // CPU, memory: limited
	left   host
}

// placer finds GPUs for one round.
type placer struct {
	lay   *layout
	nodes []node
	owner []int32 // GPU -> index in list, noOwner or unusable
	list  []placing
	queue []int32 // those without a place, the largest first
	store []cluster.GPU
	trial []int32
}

const (
	noOwner    = -1
	noneUsable = -2
)

// open makes all usable GPUs free.
func (p *placer) open(v *sim.View, lay *layout) {
	top := v.Topology()
	p.lay, p.list, p.queue, p.store = lay, p.list[:0], p.queue[:0], p.store[:0]
	if p.nodes == nil {
		p.nodes, p.owner = make([]node, top.Machines()), make([]int32, top.GPUs())
	}
	for m := range p.nodes {
		n := &p.nodes[m]
		n.lo, n.hi = top.MachineGPUs(m)
		cpu, mem := v.HostUsed(m)
		n.bound, n.left, n.free = [2]bool{top.CPUMilli(m) > 0, top.MemMiB(m) > 0},
			host{top.CPUMilli(m) - cpu, top.MemMiB(m) - mem}, 0
		for g := n.lo; g < n.hi; g++ {
			if p.owner[g] = noneUsable; usable(v, g) {
				p.owner[g] = noOwner
				n.free++
			}
		}
	}
	for _, j := range v.Running() {
		k := v.Run(j).Knobs()
		for _, g := range v.Run(j).Held() { // a job that is not chosen leaves them, at once or in time for a later round
			n := &p.nodes[top.Machine(g)]
			n.left.cpu += int64(k.CPUMilli)
			n.left.mem += int64(k.MemMiB)
		}
	}
}

// add lists a job.
func (p *placer) add(v *sim.View, m *member, c *ilp.Config) {
	k := v.Run(m.id).Knobs()
	x := placing{m: m, job: m.id, typ: c.Type, n: c.GPUs, want: c, keep: m.pick == m.prev,
		each: host{int64(k.CPUMilli), int64(k.MemMiB)}}
	if v.Run(m.id).State() == sim.Running {
		x.held = v.Run(m.id).Held()
	}
	p.list = append(p.list, x)
}

// run places all: first jobs that stay, then the others, the largest first.
func (p *placer) run() {
	for i := range p.list {
		x := &p.list[i]
		if x.keep = x.keep && p.allFree(x.held); x.keep {
			p.take(int32(i), x.held)
		} else {
			p.queue = append(p.queue, int32(i))
		}
	}
	slices.SortStableFunc(p.queue, p.larger)
	for k := 0; k < len(p.queue); k++ { // who is evicted joins behind
		i := p.queue[k]
		x := &p.list[i]
		switch {
		case x.typ == ilp.Mixed:
			p.mixed(i)
		case x.n >= p.lay.types[x.typ].per && x.n%p.lay.types[x.typ].per == 0:
			p.whole(i, k)
		default:
			p.part(i, k)
		}
		if x.gpus == nil && x.typ != ilp.Mixed {
			p.scatter(i, x.typ, x.n, len(p.store))
		}
	}
}

// larger orders jobs by size, equal ones by arrival.
func (p *placer) larger(a, b int32) int {
	if c := cmp.Compare(p.list[b].n, p.list[a].n); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// allFree reports whether GPUs are free in the plan.
func (p *placer) allFree(gpus []cluster.GPU) bool {
	return !slices.ContainsFunc(gpus, func(g cluster.GPU) bool { return p.owner[g] != noOwner })
}

// take gives a job GPUs, ascending.
func (p *placer) take(i int32, gpus []cluster.GPU) {
	x := &p.list[i]
	x.gpus = gpus
	for _, g := range gpus {
		p.owner[g] = i
		n := p.nodeOf(g)
		n.free--
		n.left.cpu -= x.each.cpu
		n.left.mem -= x.each.mem
	}
}

// release takes them back.
func (p *placer) release(i int32) {
	x := &p.list[i]
	for _, g := range x.gpus {
		p.owner[g] = noOwner
		n := p.nodeOf(g)
		n.free++
		n.left.cpu += x.each.cpu
		n.left.mem += x.each.mem
	}
	x.gpus, x.keep = nil, false
}

func (p *placer) nodeOf(g cluster.GPU) *node {
	m, _ := slices.BinarySearchFunc(p.nodes, g, func(n node, g cluster.GPU) int {
		if g < n.lo {
			return 1
		}
		if g >= n.hi {
			return -1
		}
		return 0
	})
	return &p.nodes[m]
}

// room is how many GPUs of a machine a job could have, were that many free.
func (n *node) room(free int, left host, each host) int {
	if n.bound[0] && each.cpu > 0 {
		free = min(free, int(max(0, left.cpu)/each.cpu))
	}
	if n.bound[1] && each.mem > 0 {
		free = min(free, int(max(0, left.mem)/each.mem))
	}
	return free
}

// fits is how many GPUs of a machine a job can have now.
func (n *node) fits(each host) int { return n.room(n.free, n.left, each) }

// collect appends up to count free GPUs of a machine to the store.
func (p *placer) collect(m int32, count int) {
	for g := p.nodes[m].lo; g < p.nodes[m].hi && count > 0; g++ {
		if p.owner[g] == noOwner {
			p.store = append(p.store, g)
			count--
		}
	}
}

// give gives a job what was collected since a length of the store, or drops it where that is too
// little.
func (p *placer) give(i int32, from int) {
	if len(p.store)-from < p.list[i].n {
		p.store = p.store[:from]
		return
	}
	gpus := p.store[from:len(p.store):len(p.store)]
	slices.Sort(gpus)
	p.take(i, gpus)
}
