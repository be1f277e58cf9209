package gavel

import (
	"slices"

	"tarry/baselines/gavel/objective"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// half is the share of a GPU that each job of a pair holds, in thousandths.
const half = 500

// couple is a pair of jobs that has a fraction of time, and so a row of plan.Rounds beside the rows
// of its jobs.
type couple struct {
	a, b sim.JobID // a < b
	row  int32
}

// beside gives the steps per second of two jobs on the same GPUs by column, first a's, then b's;
// nil where their rates as parts of what each does alone sum to no more than least, or GPUs have no
// memory for both, on every type. Where it is so on one, both are 0 there.
func (p *Book) beside(v *sim.View, a, b *member) []float64 {
	if t, ok := p.rates.pairs[[2]kind{a.kind, b.kind}]; ok {
		return t
	}
	if p.rates.pairs == nil {
		p.rates.pairs = map[[2]kind][]float64{}
	}
	k, useful := len(p.types), false
	out := make([]float64, 2*k)
	var gpus []cluster.GPU
	for c, t := range p.types {
		if gpus = p.rates.sample(gpus[:0], t, int(a.demand.GPUs)); len(gpus) == 0 || a.rate[c] == 0 || b.rate[c] == 0 {
			continue
		}
		if least, _ := memory(v.Topology(), t); int64(a.kind.mib)+int64(b.kind.mib) > least {
			continue
		}
		ra := v.Predict(a.job, sim.Placement{GPUs: gpus, Knobs: sim.Knobs{ShareMilli: half},
			Fresh: true, Alone: true, Mate: sim.Peer{ID: b.job, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: half}}}).Rate / a.stepS
		rb := v.Predict(b.job, sim.Placement{GPUs: gpus, Knobs: sim.Knobs{ShareMilli: half},
			Fresh: true, Alone: true, Mate: sim.Peer{ID: a.job, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: half}}}).Rate / b.stepS
		if ra > 0 && rb > 0 && ra/a.rate[c]+rb/b.rate[c] > p.cfg.pairMin {
			out[c], out[k+c], useful = ra, rb, true
		}
	}
	if !useful {
		out = nil
	}
	p.rates.pairs[[2]kind{a.kind, b.kind}] = out
	return out
}

// combine writes the pairs of jobs down that gain: of equal GPU count, each with
// whole GPUs, on types on which both can run.
func (p *Book) combine(v *sim.View) {
	in, k := &p.in, len(p.types)
	for i, x := range p.jobs {
		a := p.of(x)
		for n, y := range p.jobs[i+1:] {
			b := p.of(y)
			if a.demand.GPUs != b.demand.GPUs || a.demand.ShareMilli < 1000 || b.demand.ShareMilli < 1000 {
				continue
			}
			t := p.beside(v, a, b)
			for c, own := range t[:len(t)/2] {
				m := i + 1 + n
				if own > 0 && (in.Throughput[i*k+c] == 0 || in.Throughput[m*k+c] == 0) {
					t = slices.Clone(t)
					t[c], t[k+c] = 0, 0
				}
			}
			if slices.ContainsFunc(t, func(x float64) bool { return x > 0 }) {
				in.Pairs = append(in.Pairs, objective.Pair{A: i, B: i + 1 + n, Throughput: t})
			}
		}
	}
}

// promise gives the pairs with a fraction their rows, with what they are owed from before, and
// takes the rows of others away.
func (p *Book) promise() {
	if p.found == nil {
		p.found = map[[2]sim.JobID]int32{}
	}
	clear(p.found)
	for _, c := range p.couples {
		p.found[[2]sim.JobID{c.a, c.b}] = c.row
	}
	old := p.couples
	p.couples = p.unused[:0]
	for i, pair := range p.in.Pairs {
		x := p.x.Row(len(p.jobs) + i)
		if !slices.ContainsFunc(x, func(x float64) bool { return x > 1e-6 }) {
			continue
		}
		c := couple{p.jobs[pair.A], p.jobs[pair.B], none}
		key := [2]sim.JobID{c.a, c.b}
		if row, ok := p.found[key]; ok {
			c.row = row
			delete(p.found, key)
		} else {
			c.row = p.rounds.Add(c.a, c.b, p.in.Scale[pair.A])
			p.room(c.row)
		}
		for t, x := range x {
			p.rounds.Set(c.row, t, x)
			p.rounds.Able(c.row, t, x > 1e-6)
		}
		p.couples = append(p.couples, c)
	}
	for _, c := range old {
		if _, gone := p.found[[2]sim.JobID{c.a, c.b}]; gone {
			p.forget(c)
		}
	}
	p.unused = old
}

// forget takes the row of a pair away; if the two run together, that is not booked from then on.
func (p *Book) forget(c couple) {
	p.rounds.Remove(c.row)
	for _, j := range [...]sim.JobID{c.a, c.b} {
		if m := p.of(j); m.row == c.row {
			m.row = none
		}
	}
}

// widow forgets the pairs of a job that leaves.
func (p *Book) widow(j sim.JobID) {
	p.couples = slices.DeleteFunc(p.couples, func(c couple) bool {
		if c.a != j && c.b != j {
			return false
		}
		p.forget(c)
		return true
	})
}

// divorce notes that a job does not run with another any more, at the instant up to which its time
// is booked.
func (m *member) divorce() { m.mate, m.row = sim.NoJob, none }

// parted notes the jobs that lost their mate, after the decisions of a round.
func (p *Policy) parted() {
	for _, j := range p.active {
		m := p.of(j)
		if m.mate != sim.NoJob && (m.on == none || p.of(m.mate).on == none || p.of(m.mate).mate != j) {
			m.divorce()
		}
	}
}

// assign gives the jobs of a turn their places in the round.
func (p *Policy) assign(t plan.Turn) {
	m := p.of(t.Job)
	m.to, m.with, m.turn = t.Type, t.Mate, none
	if t.Mate != sim.NoJob {
		o := p.of(t.Mate)
		o.to, o.with = t.Type, t.Job
		m.turn, o.turn = t.Row, t.Row
	}
}

// split lets one job of a pair have the turn alone when the other cannot start now.
func (p *Policy) split(v *sim.View, t *plan.Turn) {
	if t.Mate == sim.NoJob || v.Run(t.Job).State() != sim.Draining && v.Run(t.Mate).State() != sim.Draining {
		return
	}
	if v.Run(t.Job).State() == sim.Draining {
		t.Job, t.Mate = t.Mate, t.Job
	}
	o := p.of(t.Mate)
	o.to, o.with, o.turn = none, sim.NoJob, none
	t.Mate, t.Row = sim.NoJob, p.rounds.Row(t.Job)
	p.assign(*t)
}

// keeps is who holds the GPUs that the jobs of a turn stay on, NoJob when they get others. Of two
// jobs that part one may stay.
func (p *Policy) keeps(v *sim.View, t *plan.Turn) sim.JobID {
	m := p.of(t.Job)
	if t.Mate == sim.NoJob {
		if p.mayKeep(v, m, sim.NoJob) {
			return t.Job
		}
		return sim.NoJob
	}
	o := p.of(t.Mate)
	switch {
	// whether a machine has room for both is asked anew
	case m.mate != t.Mate && m.demand.CPUMilli|m.demand.MemMiB|o.demand.CPUMilli|o.demand.MemMiB != 0:
	case p.mayKeep(v, m, t.Mate):
		return t.Job
	case p.mayKeep(v, o, t.Job):
		return t.Mate
	}
	return sim.NoJob
}

// mayKeep reports whether a job may stay where it is, with another or NoJob.
func (p *Policy) mayKeep(v *sim.View, m *member, with sim.JobID) bool {
	return v.Run(m.job).State() == sim.Running && m.on == m.to && (m.mate == sim.NoJob || m.mate == with ||
		!p.of(m.mate).keeps)
}

// demandFor is what the GPUs of a turn must have: the CPU and memory of both jobs of a pair.
func (p *Policy) demandFor(m *member) *plan.Demand {
	if m.with == sim.NoJob {
		return &m.demand
	}
	p.both = m.demand
	o := &p.of(m.with).demand
	p.both.CPUMilli += o.CPUMilli
	p.both.MemMiB += o.MemMiB
	return &p.both
}

// holds is a running job's demand with the share that it has.
func (p *Policy) holds(v *sim.View, m *member) *plan.Demand {
	if !p.cfg.packing {
		return &m.demand
	}
	p.both = m.demand
	p.both.ShareMilli = v.Run(m.job).Knobs().ShareMilli
	return &p.both
}

// widen gives the jobs whose mates are gone their GPUs whole, once nothing else is on them.
func (p *Policy) widen(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, j := range v.Running() {
		n := p.rounds.Row(j)
		if n < 0 {
			continue
		}
		m := &p.rows[n]
		if m.mate != sim.NoJob || v.Run(j).Knobs().ShareMilli == m.demand.ShareMilli {
			continue
		}
		if !slices.ContainsFunc(v.Run(j).Held(), func(g cluster.GPU) bool { return v.Share(g) > half }) {
			out = append(out, sim.Decision{Kind: sim.Tune, Job: j, Knobs: sim.Knobs{ShareMilli: m.demand.ShareMilli}})
		}
	}
	return out
}
