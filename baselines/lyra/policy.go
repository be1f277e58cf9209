package lyra

import (
	"cmp"
	"slices"

	"tarry/baselines/lyra/extra"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is Lyra. Build it with New; it belongs to one run.
type Policy struct {
	cfg    config
	curves plan.Curves
	placer *plan.Placer
	rule   cluster.Rule
	lives  []life      // by job
	line   []sim.JobID // jobs that wait, the shortest first
	last   sim.Time    // of the last decision, Never = none yet
	due    bool        // something happened since

	// Of a decision:
	target  plan.Target
	chooser extra.Chooser
	runs    []run // jobs that are to run
	wants   []plan.Want
	jobs    []extra.Job
	of      []int32 // by jobs: their place in runs
	order   []int32
	hidden  []cluster.GPU // free GPUs that Place is not to take
	pieces  []piece
	arena   []cluster.GPU
	opened  bool // extra workers are planned as given up
	beyond  int  // GPUs of extra workers
}

// life is what is known of a job that has arrived.
type life struct {
	demand plan.Demand // the base demand
	most   int32
	unit   int32
	speed  []float64
	key    float64 // seconds that it is expected to take with that
	waits  bool    // it is in the line
}

// run is a job that is to run.
type run struct {
	job   sim.JobID
	typ   int // index of its GPUs' type, -1 = several
	base  []cluster.GPU
	extra []cluster.GPU // that it has beyond
	fresh bool          // it starts
	gets  int           // GPUs beyond its base
	have  []cluster.GPU // the GPUs chosen beyond its base
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{cfg: settings(s), placer: plan.NewPlacer(rule), rule: rule, last: sim.Never}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// Knows declares speeds and the work that is left, by estimate.
func (p *Policy) Knows() know.Set {
	if p.cfg.work {
		return know.Speed | know.Work
	}
	return know.Speed | know.Estimate | know.Done
}

// Decide chooses anew when something happened and the last decision is a slot old.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.follow(v)
	if !p.due {
		return out
	}
	now := v.Now()
	if p.last != sim.Never && now < p.last+p.cfg.slot {
		return append(out, sim.Decision{Kind: sim.WakeAt, At: p.last + p.cfg.slot})
	}
	p.last, p.due = now, false
	p.begin(v)
	p.admit(v)
	p.open(v)
	p.share(v)
	return p.target.Decide(v, p.want(v), out)
}

// follow takes note of jobs that wait.
func (p *Policy) follow(v *sim.View) {
	if len(p.lives) < v.NumJobs() {
		p.lives = append(p.lives, make([]life, v.NumJobs()-len(p.lives))...)
	}
	for _, e := range v.Events() {
		p.due = p.due || e.Kind != sim.Timer && e.Kind != sim.Load
		if j := e.Job; j != sim.NoJob && int(j) < v.NumJobs() {
			if e.Kind == sim.Arrive {
				p.meet(v, j)
			}
			if v.Run(j).State() == sim.Waiting {
				p.wait(v, j)
			}
		}
	}
}

// meet looks at a job that arrives.
func (p *Policy) meet(v *sim.View, j sim.JobID) {
	c := p.curves.Counts(v, j)
	k := v.Run(j).Knobs()
	l := &p.lives[j]
	l.demand = plan.Demand{GPUs: int32(c.Lo), Type: v.Job(j).GPUType(), ShareMilli: k.ShareMilli,
		CPUMilli: k.CPUMilli, MemMiB: k.MemMiB}
	l.most, l.unit, l.speed = int32(c.Hi), int32(c.Unit), c.Speed
	if n := int32(v.Job(j).GPUs()); !p.cfg.elastic || !p.cfg.least {
		l.demand.GPUs = max(min(n, l.most), l.demand.GPUs) // it may ask for more than there are
	}
	if !p.cfg.elastic {
		l.most = l.demand.GPUs
	}
	l.most = max(l.most, l.demand.GPUs)
}

// wait puts a job into the line.
func (p *Policy) wait(v *sim.View, j sim.JobID) {
	l := &p.lives[j]
	if l.waits {
		return
	}
	l.waits, l.key = true, p.left(v, j)/max(l.speed[l.demand.GPUs], 1e-9)
	i, _ := slices.BinarySearchFunc(p.line, j, func(a, b sim.JobID) int {
		return cmp.Or(cmp.Compare(p.lives[a].key, p.lives[b].key), cmp.Compare(a, b))
	})
	p.line = slices.Insert(p.line, i, j)
}

// left is the work that a job has left, in seconds of one reference GPU.
func (p *Policy) left(v *sim.View, j sim.JobID) float64 {
	if p.cfg.work {
		return max(0, v.Run(j).Left()) / 1e6
	}
	if s := plan.PredictedLeft(v, j); s > 0 {
		return s * v.Job(j).Width()
	}
	return v.Job(j).Estimate() / 1e7
}

// begin lists the jobs that run, and what they hold beyond their base.
func (p *Policy) begin(v *sim.View) {
	p.placer.Begin(v)
	p.runs, p.arena, p.opened, p.beyond = p.runs[:0], p.arena[:0], false, 0
	for _, j := range v.Running() {
		held := v.Run(j).Held()
		r := run{job: j, typ: typeOf(v.Topology(), held), base: held}
		l := &p.lives[j]
		if n := int(l.demand.GPUs); len(held) > n && !slices.ContainsFunc(held,
			func(g cluster.GPU) bool { return !v.Up(g) }) {
			r.base, r.extra = p.split(v, held, n, p.cfg.baseOn)
			p.beyond += len(r.extra)
		}
		p.runs = append(p.runs, r)
	}
}

// admit places the base demands of jobs that wait, the shortest first.
func (p *Policy) admit(v *sim.View) {
	first, n := len(p.runs), 0
	for _, j := range p.line {
		l := &p.lives[j]
		if l.waits = v.Run(j).State() == sim.Waiting; !l.waits {
			continue
		}
		p.line[n], n = j, n+1
		gpus, ok := p.start(v, &l.demand)
		if !p.opened && (!ok || p.preferred(v, gpus) < len(gpus)) && v.Free().Total()+p.beyond >= int(l.demand.GPUs) {
			if ok {
				p.placer.Give(v, gpus, &l.demand)
			}
			p.open(v)
			gpus, ok = p.start(v, &l.demand)
		}
		if ok {
			p.runs = append(p.runs, run{job: j, base: gpus, fresh: true})
		}
	}
	p.line = p.line[:n]
	p.widest(v, p.runs[first:])
	for i := range p.runs[first:] {
		r := &p.runs[first+i]
		r.typ = typeOf(v.Topology(), r.base)
	}
}

// open plans as if all extra workers had ended.
func (p *Policy) open(v *sim.View) {
	if p.opened {
		return
	}
	p.opened = true
	for i := range p.runs {
		if r := &p.runs[i]; len(r.extra) > 0 {
			p.placer.Give(v, r.extra, &p.lives[r.job].demand)
		}
	}
}

// want lists what each job is to have.
func (p *Policy) want(v *sim.View) []plan.Want {
	p.wants = p.wants[:0]
	for i := range p.runs {
		r := &p.runs[i]
		w := plan.Want{Job: r.job, GPUs: r.base}
		if len(r.have) > 0 {
			from := len(p.arena)
			p.arena = append(append(p.arena, r.base...), r.have...)
			w.GPUs = p.arena[from:len(p.arena):len(p.arena)]
			slices.Sort(w.GPUs)
		} else if len(r.extra) > 0 {
			slices.Sort(w.GPUs)
		}
		p.wants = append(p.wants, w)
	}
	return p.wants
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	return &Policy{cfg: p.cfg, curves: p.curves.Clone(), placer: p.placer.Clone(), rule: p.rule,
		lives: slices.Clone(p.lives), line: slices.Clone(p.line), last: p.last, due: p.due}
}
