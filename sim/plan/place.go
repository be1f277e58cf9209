package plan

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Placer chooses GPUs by consolidation: the finest level of the tree (slot, machine, rack,
// cluster) that can hold a job now, and in it the unit that its rule prefers. What it gives
// out it takes on the view's free list, so that the next choice of the same decision sees it.
//
// Whole GPUs cost a few machine words, whatever the size of the cluster. A job that shares a
// GPU is packed onto the GPU in shared use that it fills best; those GPUs are scanned. Where the
// hosts of the first choice have no room for the CPU or memory that a job asks, the machines
// are scanned.
//
// It plans with jobs at their own share, CPU and memory, not with what a Tune changed, and
// takes released GPUs to be usable: a policy that cordons machines must plan those itself.
type Placer struct {
	rule cluster.Rule
	// arena holds the allocations of the present decision.
	arena []cluster.GPU
	// extra is what the decision gives out (or takes back) of a GPU, in thousandths.
	extra   []int32
	touched []cluster.GPU
	// parts lists the GPUs that may be in shared use; listed marks them.
	parts  []cluster.GPU
	listed []bool
	// cpu and mem are what the decision gives out of a machine; hosts lists those touched.
	cpu, mem []int64
	hosts    []int32
	spaces   []room
	ranks    []int // by type; empty where there is one
	most     []int32
	sizes    []int32 // machines by GPUs, where they differ by nothing else
}

// NewPlacer gives a placer for one run.
func NewPlacer(rule cluster.Rule) *Placer { return &Placer{rule: rule} }

// Begin starts a decision, or starts it over: what was planned is forgotten, on the view's
// free list too.
func (p *Placer) Begin(v *sim.View) {
	v.Free().Rollback(0)
	if len(p.extra) == 0 {
		t := v.Topology()
		p.extra, p.listed = make([]int32, t.GPUs()), make([]bool, t.GPUs())
		p.cpu, p.mem = make([]int64, t.Machines()), make([]int64, t.Machines())
	}
	for _, g := range p.touched {
		p.extra[g] = 0
	}
	for _, m := range p.hosts {
		p.cpu[m], p.mem[m] = 0, 0
	}
	p.arena, p.touched, p.hosts = p.arena[:0], p.touched[:0], p.hosts[:0]
}

// Place chooses GPUs for a demand and takes them, or reports that it does not fit now. The
// slice, ascending, is valid until the next Begin.
func (p *Placer) Place(v *sim.View, d *Demand) ([]cluster.GPU, bool) {
	f := v.Free().Of(d.Type)
	if f == nil {
		return nil, false
	}
	n, ok := len(p.arena), false
	switch {
	case d.ShareMilli < 1000 && p.part(v, d):
		ok = true
	case d.hosted():
		ok = p.hostAt(v, f, d) || p.hostScan(v, f, d)
	default:
		ok = p.finest(f, int(d.GPUs))
	}
	if !ok {
		return nil, false
	}
	gpus := p.arena[n:len(p.arena):len(p.arena)]
	if d.ShareMilli == 1000 && !d.hosted() {
		p.bookWhole(v, gpus)
		return gpus, true
	}
	for _, g := range gpus {
		p.book(v, g, d.ShareMilli, d)
	}
	return gpus, true
}

// bookWhole takes free GPUs, as book does one by one.
func (p *Placer) bookWhole(v *sim.View, gpus []cluster.GPU) {
	for _, g := range gpus {
		if p.extra[g] == 0 {
			p.touched = append(p.touched, g)
		}
		p.extra[g] += 1000
	}
	v.Free().TakeAll(gpus)
}

// Vacate plans as if a job that holds GPUs had given them back.
func (p *Placer) Vacate(v *sim.View, j sim.JobID, d *Demand) {
	p.Give(v, v.Run(j).Held(), d)
}

// Take plans a demand on given GPUs, or reports that there is no room for it.
func (p *Placer) Take(v *sim.View, gpus []cluster.GPU, d *Demand) bool {
	t, ok := v.Topology(), true
	for _, g := range gpus {
		p.book(v, g, d.ShareMilli, d)
		ok = ok && p.use(v, g) <= 1000 && p.within(v, t.Machine(g), d)
	}
	if !ok {
		p.Give(v, gpus, d)
	}
	return ok
}

// Give plans as if a demand had given GPUs back.
func (p *Placer) Give(v *sim.View, gpus []cluster.GPU, d *Demand) {
	for _, g := range gpus {
		p.unbook(v, g, d)
	}
}

// finest appends n whole GPUs at the finest level that has them.
func (p *Placer) finest(f *cluster.Free, n int) bool {
	l, ok := f.Finest(n)
	if ok {
		p.arena, _ = f.At(p.arena, n, l, p.rule)
	}
	return ok
}

// use is what is in use of a GPU, the decision's plans included.
func (p *Placer) use(v *sim.View, g cluster.GPU) int32 { return int32(v.Share(g)) + p.extra[g] }

// part appends a GPU in shared use that has room for a share: with best-fit the fullest,
// of equals on the fastest type, else and among equals the lowest.
func (p *Placer) part(v *sim.View, d *Demand) bool {
	t := v.Topology()
	best, most, rank := cluster.GPU(-1), int32(0), 0
	for i := 0; i < len(p.parts); {
		g := p.parts[i]
		u := p.use(v, g)
		if u == 0 && v.Share(g) == 0 {
			p.parts[i] = p.parts[len(p.parts)-1]
			p.parts = p.parts[:len(p.parts)-1]
			p.listed[g] = false
			continue
		}
		i++
		m := t.Machine(g)
		if u == 0 || u+d.ShareMilli > 1000 || !v.Up(g) || !typed(t, m, d.Type) || p.roomOf(v, m, d) < 1 {
			continue
		}
		r := p.rank(t, m)
		if best < 0 || p.rule == cluster.BestFit && sooner(u, most, r, rank, g, best) ||
			p.rule == cluster.FirstFound && g < best {
			best, most, rank = g, u, r
		}
	}
	if best >= 0 {
		p.arena = append(p.arena, best)
	}
	return best >= 0
}

func typed(t *cluster.Topology, m int, typ string) bool {
	return typ == "" || len(t.Types()) == 1 || t.Type(m) == typ
}

// book takes a share of a GPU and the host resources that go with it.
func (p *Placer) book(v *sim.View, g cluster.GPU, share int32, d *Demand) {
	if p.use(v, g) == 0 {
		v.Free().Take(g)
	}
	if p.extra[g] == 0 {
		p.touched = append(p.touched, g)
	}
	p.extra[g] += share
	if share < 1000 && !p.listed[g] {
		p.listed[g] = true
		p.parts = append(p.parts, g)
	}
	p.charge(v.Topology().Machine(g), d, 1)
}

func (p *Placer) unbook(v *sim.View, g cluster.GPU, d *Demand) {
	if p.extra[g] == 0 {
		p.touched = append(p.touched, g)
	}
	if p.extra[g] -= d.ShareMilli; p.use(v, g) == 0 {
		v.Free().Release(g)
	}
	p.charge(v.Topology().Machine(g), d, -1)
}

func (p *Placer) charge(m int, d *Demand, sign int64) {
	if !d.hosted() {
		return
	}
	p.hosts = append(p.hosts, int32(m))
	p.cpu[m] += sign * int64(d.CPUMilli)
	p.mem[m] += sign * int64(d.MemMiB)
}

// sorted puts what was appended from n on in ascending order.
func (p *Placer) sorted(n int) { slices.Sort(p.arena[n:]) }
