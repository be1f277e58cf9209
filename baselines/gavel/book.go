package gavel

import (
	"cmp"

	"tarry/baselines/gavel/objective"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Book keeps the active jobs of one run: what each does on GPUs of each type, its fraction of their
// time, and the time that it has had. Policy runs the native rounds on it. Types are columns: a
// cluster's types in the order of their names.
type Book struct {
	cfg   config
	rules Rules
	alloc objective.Allocator
	shares
	rounds *plan.Rounds
	rates  rates
	types  []int // column -> index into Topology.Types
	order  []int // columns in the order of the cluster
	ref    int   // column whose throughputs stand for all in agnostic objectives
	usable []int // per column, GPUs that are not down
	size   []int // per column, all GPUs
	rows   []member
	active []sim.JobID // in order of arrival
	need   bool        // the fractions do not fit the jobs any more
	// couples are the pairs of jobs that have a fraction.
	couples, unused []couple
	found           map[[2]sim.JobID]int32 // scratch
}

// Rules are what may differ from one program's account of jobs to another's; the zero value is what
// Policy has.
type Rules struct {
	// Counted takes the steps that a job has left from SetLeft, not from the kernel.
	Counted bool
	// UnitS is the length of a step of a job without steps, in seconds; 0 = 1.
	UnitS float64
	// Rate gives measured steps per second of a model by number and type of GPUs, and whether there
	// are any; nil = the speed model alone is asked.
	Rate func(model string, gpus int, typ string) (float64, bool)
	// Blind lets an agnostic objective give a job time on types on which it cannot run.
	Blind bool
}

// NewBook reads the settings of ObjectiveParams. s has the faults.
func NewBook(s *param.Set, rules Rules) *Book {
	p := &Book{rules: rules, rates: rates{measured: rules.Rate}}
	if p.cfg.objective(s, false); s.Err() == nil {
		p.alloc = p.cfg.entry.New()
	}
	return p
}

// Begin takes in the cluster of a run.
func (p *Book) Begin(v *sim.View) {
	p.types, p.order = columns(v.Topology())
	p.ref = p.order[0]
	p.rounds = plan.NewRounds(len(p.types), p.cfg.prior)
	p.usable, p.size = make([]int, len(p.types)), make([]int, len(p.types))
	p.Count(v)
	prices := make([]float64, len(p.types))
	for i, c := range p.order {
		if prices[c] = 1; i < len(p.cfg.prices) {
			prices[c] = p.cfg.prices[i]
		}
	}
	p.cfg.prices = prices
}

const (
	none = int32(-1)
	wide = int32(-2)
)

// Count counts the GPUs of each type, and of GPUs that are not down, by looking at each.
func (p *Book) Count(v *sim.View) {
	t := v.Topology()
	clear(p.usable)
	clear(p.size)
	for m := range t.Machines() {
		c := p.Column(t, m)
		lo, hi := t.MachineGPUs(m)
		for g := lo; g < hi; g++ {
			p.size[c]++
			if v.Owner(g) != sim.NoJob || v.Free().Has(g) {
				p.usable[c]++
			}
		}
	}
}

// Column is the column of a machine's type.
func (p *Book) Column(t *cluster.Topology, machine int) int {
	name, names := t.Type(machine), t.Types()
	for c, i := range p.types {
		if names[i] == name {
			return c
		}
	}
	return 0 // not reached: every machine has a type of the list
}

// Join takes in a job that has arrived.
func (p *Book) Join(v *sim.View, j sim.JobID) {
	asks := v.Job(j).Public()
	d := plan.Demand{GPUs: int32(v.Job(j).GPUs()), Type: asks.GPUType, ShareMilli: 1000, CPUMilli: asks.CPUMilli,
		MemMiB: asks.MemMiB}
	if asks.ShareMilli > 0 {
		d.ShareMilli = asks.ShareMilli
	}
	m := member{job: j, demand: d, stepS: v.Job(j).IterS(), weight: 1, entity: asks.User,
		entityWeight: v.Tenants().UserWeight(asks.VC, asks.User), on: none, to: none, joined: v.Now(),
		mate: sim.NoJob, with: sim.NoJob, row: none, turn: none}
	if m.stepS == 0 {
		m.stepS = cmp.Or(p.rules.UnitS, 1)
	}
	if asks.Priority > 0 {
		m.weight = float64(asks.Priority)
	}
	if p.cfg.entity == "vc" {
		m.entity, m.entityWeight = asks.VC, v.Tenants().Weight(asks.VC)
	}
	m.kind = kind{model: asks.Model, gpus: d.GPUs, share: d.ShareMilli, stepS: m.stepS}
	if p.cfg.packing {
		m.kind.mib, m.kind.util = v.Job(j).GPUMiB(), v.Job(j).GPUUtilFrac()
	}
	m.rate = p.rates.of(v, j, m.kind, p.types)
	n := p.rounds.Add(j, sim.NoJob, int(d.GPUs))
	p.room(n)
	m.wide = d.Type == "" || len(p.types) == 1
	names := v.Topology().Types()
	for c, i := range p.types {
		fits := d.Type == "" || names[i] == d.Type || len(p.types) == 1 && names[i] == ""
		enough := int(d.GPUs) <= v.Topology().CarriesOf(i, d.PerGPU())
		p.rounds.Able(n, c, fits && enough && m.rate[c] > 0)
		m.wide = m.wide && !enough
	}
	m.wide = m.wide && len(p.types) > 1
	m.past.steps = -1
	p.rows[n] = m
	p.active = append(p.active, j)
	p.need = true
}

// room makes room for what is kept of a row; of a pair nothing is.
func (p *Book) room(n int32) {
	for int(n) >= len(p.rows) {
		p.rows = append(p.rows, member{})
	}
}

// Leave forgets a job.
func (p *Book) Leave(j sim.JobID) {
	p.widow(j)
	n := p.rounds.Row(j)
	p.rounds.Remove(n)
	p.rows[n] = member{}
	p.active = remove(p.active, j)
	p.need = true
}

// remove takes a job out of an ascending list.
func remove(list []sim.JobID, j sim.JobID) []sim.JobID {
	lo, hi := 0, len(list)
	for lo < hi {
		if mid := (lo + hi) / 2; list[mid] < j {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return append(list[:lo], list[lo+1:]...)
}

// of gives what is kept of an active job.
func (p *Book) of(j sim.JobID) *member { return &p.rows[p.rounds.Row(j)] }
