package harmony

import (
	"cmp"
	"maps"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one harmony-like scheduler. Build it with New; it belongs to one run.
type Policy struct {
	others float64
	block  bool
	queue  plan.Queue
	place  *plan.Placer
	table  table
	there  present
	at     map[sim.JobID]int32 // running jobs -> spots
	spots  [][]cluster.GPU     // where jobs were started
	unused []int32             // spots without a job
	order  []int32
	loss   []float64 // of a machine
}

// New is harmony-like. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), at: map[sim.JobID]int32{},
		table: table{models: map[string]int32{}, best: map[kind]float64{}}}
	p.table.prior, p.others = s.Float("prior", 1, 1e-9, 1e9), s.Float("others", 1, 0, 1e9)
	p.block = s.Bool("block", false)
	return p, s.Err()
}

// Knows declares nothing: speeds are observed.
func (p *Policy) Knows() know.Set { return know.Nothing }

// arrival ranks by the JobID alone, which is the order of (submit, id).
func arrival(*sim.View, sim.JobID) float64 { return 0 }

// Decide learns from the jobs that ended, then starts the jobs that fit, each where the reward is
// largest.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.there.begin(v)
	p.learn(v)
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
			p.there.add(v.Topology(), j, gpus)
			p.settle(j, gpus)
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
		case p.block:
			return out
		default:
			p.queue.Close(j)
		}
	}
}

// learn notes what the jobs that have just ended kept beside others.
func (p *Policy) learn(v *sim.View) {
	for _, ev := range v.Events() {
		i, ok := p.at[ev.Job]
		if !ok {
			continue
		}
		if ev.Kind == sim.Finish {
			p.see(v, ev.Job, p.spots[i])
		}
		if v.Run(ev.Job).State() != sim.Running {
			delete(p.at, ev.Job)
			p.unused = append(p.unused, i)
		}
	}
}

// settle keeps where a job starts.
func (p *Policy) settle(j sim.JobID, gpus []cluster.GPU) {
	i, ok := p.at[j]
	if n := len(p.unused); !ok && n > 0 {
		i, p.unused = p.unused[n-1], p.unused[:n-1]
	} else if !ok {
		i = int32(len(p.spots))
		p.spots = append(p.spots, nil)
	}
	p.at[j], p.spots[i] = i, append(p.spots[i][:0], gpus...)
}

// see notes what a job on GPUs keeps beside each job that shares a machine with it.
func (p *Policy) see(v *sim.View, j sim.JobID, gpus []cluster.GPU) {
	if len(gpus) == 0 {
		return
	}
	t, me := v.Topology(), p.table.model(v.Job(j).Model())
	kept := p.table.kept(kind{me, int32(len(gpus)), level(t, gpus)}, v.Run(j).Speed().Rate)
	for i, g := range gpus {
		m := t.Machine(g)
		if i > 0 && m == t.Machine(gpus[i-1]) {
			continue
		}
		for _, x := range p.there.on[m] {
			if x != j {
				p.table.note(me, p.table.model(v.Job(x).Model()), kept)
			}
		}
	}
}

// put takes the set of GPUs with the largest reward.
func (p *Policy) put(v *sim.View, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	best, ok := p.place.Place(v, d)
	if !ok || d.ShareMilli < 1000 {
		return best, ok
	}
	p.place.Return(v, d, best)
	most := p.reward(v, j, best)
	for set := range 3 {
		gpus, ok := p.find(v, j, d, set)
		if !ok {
			continue
		}
		p.place.Return(v, d, gpus)
		if r := p.reward(v, j, gpus); r > most {
			best, most = gpus, r
		}
	}
	return best, p.place.Take(v, best, d)
}

// find takes one of the other sets.
func (p *Policy) find(v *sim.View, j sim.JobID, d *plan.Demand, set int) ([]cluster.GPU, bool) {
	switch set {
	case 0:
		return p.place.Emptiest(v, d)
	case 1:
		return p.place.Fragments(v, d)
	}
	f := v.Free().Of(d.Type)
	if f == nil {
		return nil, false
	}
	p.order, p.loss = p.order[:0], append(p.loss[:0], make([]float64, v.Topology().Machines())...)
	for m := range v.Topology().Machines() {
		if free := f.InMachine(m); free > 0 && (free >= int(d.GPUs) || f.Largest(cluster.LevelMachine) < int(d.GPUs)) {
			p.order = append(p.order, int32(m))
			p.loss[m] = p.beside(v, j, m)
		}
	}
	slices.SortStableFunc(p.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(p.loss[a], p.loss[b]), cmp.Compare(f.InMachine(int(b)), f.InMachine(int(a))))
	})
	return p.place.On(v, d, p.order...)
}

// beside is what a job on a machine is expected to lose there, and the jobs there because of it.
func (p *Policy) beside(v *sim.View, j sim.JobID, machine int) (loss float64) {
	me := p.table.model(v.Job(j).Model())
	for _, x := range p.there.on[machine] {
		other := p.table.model(v.Job(x).Model())
		loss += 1 - p.table.keeps(me, other) + float64(p.others*(1-p.table.keeps(other, me)))
	}
	return loss
}

// reward is the job's GPUs x what it keeps, beside the worst of its neighbours, of the best speed of
// its model on as many GPUs, less the GPUs that its neighbours lose.
func (p *Policy) reward(v *sim.View, j sim.JobID, gpus []cluster.GPU) float64 {
	t, me := v.Topology(), p.table.model(v.Job(j).Model())
	kept, lost, n := 1.0, 0.0, float64(len(gpus))
	for i, g := range gpus {
		m := t.Machine(g)
		if i > 0 && m == t.Machine(gpus[i-1]) {
			continue
		}
		for _, x := range p.there.on[m] {
			other := p.table.model(v.Job(x).Model())
			kept = min(kept, p.table.keeps(me, other))
			lost += float64((1 - p.table.keeps(other, me)) * float64(v.Job(x).GPUs()))
		}
	}
	return float64(n*kept*p.near(me, gpus, t)) - float64(p.others*lost)
}

// near is the best speed that was seen on GPUs as close together, over the best of any; 1 where
// either is unknown, and a little less the farther apart.
func (p *Policy) near(me int32, gpus []cluster.GPU, t *cluster.Topology) float64 {
	at, n := level(t, gpus), int32(len(gpus))
	most := 0.0
	for l := cluster.LevelMachine; l <= cluster.LevelCluster; l++ {
		most = max(most, p.table.best[kind{me, n, l}])
	}
	const step = 1e-3
	unknown := 1 - float64(step*float64(at-cluster.LevelMachine))
	if here := p.table.best[kind{me, n, at}]; here > 0 && most > 0 {
		return unknown * (here / most)
	}
	return unknown
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := *p
	c.queue, c.place, c.table, c.order, c.loss = p.queue.Clone(), p.place.Clone(), p.table.clone(), nil, nil
	c.there, c.spots, c.unused, c.at = present{}, slices.Clone(p.spots), slices.Clone(p.unused), maps.Clone(p.at)
	for i := range c.spots {
		c.spots[i] = slices.Clone(c.spots[i])
	}
	return &c
}
