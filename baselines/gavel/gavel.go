package gavel

import (
	"tarry/baselines/gavel/objective"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one Gavel scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg   config
	alloc objective.Allocator
	shares
	place  *plan.Placer
	rounds *plan.Rounds
	rates  rates
	types  []int // column -> index into Topology.Types
	order  []int // columns in the order of the cluster
	filling
	usable []int // per column, GPUs that are not down
	size   []int // per column, all GPUs
	free   []int // scratch
	rows   []member
	active []sim.JobID // in order of arrival
	turns  []plan.Turn
	gone   plan.Demand // scratch
	target plan.Target
	wants  []plan.Want
	stays  []sim.JobID // scratch: whose GPUs the jobs of a turn stay on
	// couples are the pairs of jobs that have a fraction.
	couples, unused []couple
	found           map[[2]sim.JobID]int32 // scratch
	both            plan.Demand            // scratch
	// pending has a place in the present round and waits for its GPUs; held counts the jobs that
	// have some.
	pending []sim.JobID
	held    int

	last sim.Time   // when the fractions were computed; Never = not yet
	ends plan.Alarm // the end of the round
	from sim.Time   // when the first round of this busy time began
	need bool       // the fractions do not fit the jobs any more
	old  *replay    // of the simulator's habits; nil = the native rounds
}

// member is what is kept of a job beside its row of plan.Rounds.
type member struct {
	job    sim.JobID
	demand plan.Demand
	rate   []float64 // steps/s by column
	stepS  float64   // seconds of a step on one reference GPU
	weight float64
	// entityWeight is the weight of the entity among all.
	entityWeight float64
	entity       string
	// on is the column on which it runs, none when it waits, and wide for GPUs of any types; to is
	// the same of the round.
	on, to int32
	since  sim.Time // up to when its time is booked
	placed bool     // it has GPUs in this round
	missed int      // rounds in which it had a place and no machine had room
	got    float64  // seconds that a wide job has had
	wide   bool     // no type has as many GPUs
	kind   kind
	// mate runs on the same GPUs, NoJob = none; with is the mate of the round. row is the row of
	// plan.Rounds on which the time of the two is booked, none = nowhere; turn the row of the
	// round.
	mate, with sim.JobID
	row, turn  int32
	keeps      bool // it stays on its GPUs in this round
	joined     sim.Time
	past
	counted
}

const (
	none = int32(-1)
	wide = int32(-2)
)

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), last: sim.Never}
	p.cfg = settings(s)
	if err := s.Err(); err != nil {
		return nil, err
	}
	p.alloc = p.cfg.entry.New()
	if p.cfg.simulator {
		p.old, p.rates.table = &replay{}, p.cfg.table
	}
	return p, nil
}

// Knows declares speeds and progress, and the work that is left where the objective reads it.
func (p *Policy) Knows() know.Set {
	k := know.Speed | know.Done
	if p.cfg.entry.Steps || p.cfg.simulator {
		k |= know.Work
	}
	if p.cfg.packing {
		k |= know.Profile
	}
	return k
}

// Decide follows what happened and, at the end of a round, chooses the next one; in between GPUs
// that come free are given out.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.rounds == nil {
		p.init(v)
	}
	if p.old != nil {
		return p.replay(v, out)
	}
	return p.native(v, out)
}

func (p *Policy) init(v *sim.View) {
	p.types, p.order = columns(v.Topology())
	p.rounds = plan.NewRounds(len(p.types), p.cfg.prior)
	p.usable, p.size, p.free = make([]int, len(p.types)), make([]int, len(p.types)), make([]int, len(p.types))
	p.count(v)
	prices := make([]float64, len(p.types))
	for i, c := range p.order {
		if prices[c] = 1; i < len(p.cfg.prices) {
			prices[c] = p.cfg.prices[i]
		}
	}
	p.cfg.prices, p.filling = prices, newFilling(p.order, &p.cfg)
}

// count counts the GPUs of each type, and of GPUs that are not down, by looking at each.
func (p *Policy) count(v *sim.View) {
	t := v.Topology()
	clear(p.usable)
	clear(p.size)
	for m := range t.Machines() {
		c := p.column(t, m)
		lo, hi := t.MachineGPUs(m)
		for g := lo; g < hi; g++ {
			p.size[c]++
			if v.Share(g) > 0 || v.Free().Has(g) {
				p.usable[c]++
			}
		}
	}
}

// column is the column of a machine's type.
func (p *Policy) column(t *cluster.Topology, machine int) int {
	name, names := t.Type(machine), t.Types()
	for c, i := range p.types {
		if names[i] == name {
			return c
		}
	}
	return 0 // not reached: every machine has a type of the list
}

// join takes in a job that has arrived.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	asks := v.Job(j).Public()
	d := plan.Demand{GPUs: int32(v.Job(j).GPUs()), Type: asks.GPUType, ShareMilli: 1000, CPUMilli: asks.CPUMilli,
		MemMiB: asks.MemMiB}
	if asks.ShareMilli > 0 {
		d.ShareMilli = asks.ShareMilli
	}
	m := member{job: j, demand: d, stepS: v.Job(j).IterS(), weight: 1, entity: asks.User,
		entityWeight: v.Tenants().UserWeight(asks.VC, asks.User), on: none, to: none, joined: v.Now(),
		mate: sim.NoJob, with: sim.NoJob, row: none, turn: none}
	if m.stepS == 0 { // of a job without steps the simulator counts microseconds
		if m.stepS = 1; p.old != nil {
			m.stepS = 1e-6
		}
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
func (p *Policy) room(n int32) {
	for int(n) >= len(p.rows) {
		p.rows = append(p.rows, member{})
	}
}

// leave forgets a job.
func (p *Policy) leave(j sim.JobID) {
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
func (p *Policy) of(j sim.JobID) *member { return &p.rows[p.rounds.Row(j)] }
