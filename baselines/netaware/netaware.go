package netaware

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/models"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one network-like scheduler. Build it with New; it belongs to one run.
type Policy struct {
	byTime, block bool
	part          float64 // of a node's past that a job replaces
	reg           ridge
	tele          telemetry
	queue         plan.Queue
	place         *plan.Placer
	rows          []row
	unused        []int32 // rows without a job
	at            map[sim.JobID]int32
	order         []int32
	used          []int32
}

// row is what was read when a job started.
type row struct {
	x        [size]float64
	began    sim.Time
	gpus     int
	machines []int32
}

// New is network-like. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), at: map[sim.JobID]int32{}}
	p.tele = telemetry{heavy: map[string]float64{}, set: models.NewSet(models.Catalogue()...)}
	p.byTime, p.block = s.Enum("by", "speed", "time") == "time", s.Bool("block", false)
	p.reg, p.part = newRidge(s.Float("ridge", 1, 1e-9, 1e9)), s.Float("forget", 0.1, 0, 1)
	return p, s.Err()
}

// Knows declares nothing: loads, speeds and times are observed.
func (p *Policy) Knows() know.Set { return know.Nothing }

// Decide learns from the jobs that ended, then starts the jobs that fit, in order of arrival, each
// on the best node.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.tele.open(v.Topology())
	for _, ev := range v.Events() {
		if ev.Kind == sim.Finish || (ev.Kind == sim.Fail || ev.Kind == sim.OutOfMemory) && ev.Job != sim.NoJob {
			p.ended(v, ev.Job, ev.Kind == sim.Finish)
		}
	}
	p.queue.Follow(v, arrival, nil)
	p.place.Begin(v)
	p.queue.Open()
	for {
		j := p.queue.Best()
		if j == sim.NoJob {
			return out
		}
		gpus, ok := p.put(v, j, p.queue.Demand(j))
		switch {
		case ok:
			p.queue.Remove(j)
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
		case p.block:
			return out
		default:
			p.queue.Close(j)
		}
	}
}

// arrival ranks by the JobID alone, which is the order of (submit, id).
func arrival(*sim.View, sim.JobID) float64 { return 0 }

// ended learns from a job that is done and forgets what was read at its start.
func (p *Policy) ended(v *sim.View, j sim.JobID, done bool) {
	i, ok := p.at[j]
	if !ok {
		return
	}
	delete(p.at, j)
	p.unused = append(p.unused, i)
	r := &p.rows[i]
	y := fixmath.Log1p((v.Now() - r.began).Seconds())
	if rate := v.Run(j).Speed().Rate; !p.byTime {
		if done = done && rate > 0; done {
			y = fixmath.Log1p(float64(r.gpus)/rate - 1)
		}
	}
	if done {
		p.reg.learn(&r.x, y)
		p.tele.remember(r.machines, y, p.part, p.reg.n == 1)
	}
}

// put places a job on the node that is expected to be best.
func (p *Policy) put(v *sim.View, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	f, n := v.Free().Of(d.Type), int(d.GPUs)
	if f == nil || d.ShareMilli < 1000 || f.Total() < n {
		return p.place.Place(v, d)
	}
	p.order = p.order[:0]
	if f.Largest(cluster.LevelMachine) >= n {
		p.order = append(p.order, int32(p.oneMachine(v, f, j, n)))
	} else {
		p.several(v, f, j, n)
	}
	var x [size]float64
	used := p.used[:0]
	for left, i := n, 0; left > 0 && i < len(p.order); i++ {
		p.tele.node(v, int(p.order[i]), &x) // before it is taken
		used, left = append(used, p.order[i]), left-f.InMachine(int(p.order[i]))
	}
	p.tele.finish(v, j, n, len(used), &x)
	p.used = used
	gpus, ok := p.place.On(v, d, p.order...)
	if !ok { // no CPU or memory there
		return p.place.Place(v, d)
	}
	p.note(v, j, n, &x)
	return gpus, true
}

// oneMachine is the machine with room for n GPUs on which a job is expected to be best; among
// equals that with fewest free.
func (p *Policy) oneMachine(v *sim.View, f *cluster.Free, j sim.JobID, n int) int {
	best, least, room := -1, 0.0, 0
	for m := range v.Topology().Machines() {
		free := f.InMachine(m)
		if free < n {
			continue
		}
		var x [size]float64
		p.tele.node(v, m, &x)
		p.tele.finish(v, j, n, 1, &x)
		if y := p.reg.predict(&x); best < 0 || y < least || y == least && free < room {
			best, least, room = m, y, free
		}
	}
	return best
}

// several fills order with the machines of the best rack that has n GPUs free, else of all: with
// most free GPUs first.
func (p *Policy) several(v *sim.View, f *cluster.Free, j sim.JobID, n int) {
	t := v.Topology()
	best, least := -1, math.Inf(1)
	for r := range t.Racks() {
		lo, hi := t.RackMachines(r)
		if y, ok := p.try(v, f, j, n, lo, hi); ok && y < least {
			best, least = r, y
		}
	}
	lo, hi := 0, t.Machines()
	if best >= 0 {
		lo, hi = t.RackMachines(best)
	}
	p.fullest(f, lo, hi)
}

// try predicts a job on the machines lo to hi-1 with most free GPUs.
func (p *Policy) try(v *sim.View, f *cluster.Free, j sim.JobID, n, lo, hi int) (float64, bool) {
	p.fullest(f, lo, hi)
	var x [size]float64
	left, used := n, 0
	for ; left > 0 && used < len(p.order); used++ {
		p.tele.node(v, int(p.order[used]), &x)
		left -= f.InMachine(int(p.order[used]))
	}
	if left > 0 {
		return 0, false
	}
	p.tele.finish(v, j, n, used, &x)
	return p.reg.predict(&x), true
}

// fullest fills order with the machines lo to hi-1 that have free GPUs, with most first.
func (p *Policy) fullest(f *cluster.Free, lo, hi int) {
	p.order = p.order[:0]
	for m := lo; m < hi; m++ {
		if f.InMachine(m) > 0 {
			p.order = append(p.order, int32(m))
		}
	}
	slices.SortFunc(p.order, func(a, b int32) int {
		if c := cmp.Compare(f.InMachine(int(b)), f.InMachine(int(a))); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
}

// note keeps what was read of a job's nodes until it ends.
func (p *Policy) note(v *sim.View, j sim.JobID, n int, x *[size]float64) {
	var i int32
	if k := len(p.unused); k > 0 {
		i, p.unused = p.unused[k-1], p.unused[:k-1]
	} else {
		i = int32(len(p.rows))
		p.rows = append(p.rows, row{})
	}
	r := &p.rows[i]
	r.x, r.began, r.gpus, r.machines = *x, v.Now(), n, append(r.machines[:0], p.used...)
	p.at[j] = i
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.queue, c.place, c.at = p.queue.Clone(), p.place.Clone(), maps.Clone(p.at)
	c.rows, c.unused, c.order, c.used = slices.Clone(p.rows), slices.Clone(p.unused), nil, nil
	for i := range c.rows {
		c.rows[i].machines = slices.Clone(c.rows[i].machines)
	}
	t := &c.tele
	t.machine, t.kind, t.seen, t.kindSeen = slices.Clone(t.machine), slices.Clone(t.kind), slices.Clone(t.seen),
		slices.Clone(t.kindSeen)
	t.heavy = maps.Clone(t.heavy)
	return &c
}
