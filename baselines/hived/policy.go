package hived

import (
	"slices"
	"strconv"

	"tarry/baselines/hived/cells"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// where a job is, for the policy.
type where uint8

const (
	away      where = iota // it has not come, or has left
	waiting                // in a line
	reserving              // its GPUs are reserved and others write their checkpoints there
	running                // holds cells or idle GPUs
	stopping               // writes its checkpoint, and holds what it held
)

// member is what is kept of a job.
type member struct {
	name  string // its group in the cells
	where where
	// loose: it holds idle GPUs and no cells.
	loose bool
	level uint8 // queue of las
	prio  int16 // in the cells
	line  int16 // index of its line
	class int32
	try   int16 // of its class, that it holds or reserves
}

// Policy is HiveD with an order of jobs for each virtual cluster. Build it with New; it belongs to
// one run.
type Policy struct {
	cfg     config
	chains  []chain
	cells   *cells.Cluster
	one     bool // one virtual cluster owns all
	untyped bool // the cluster has no types of GPUs, so that every job's type is served
	lines   []line
	index   map[string]int // of a virtual cluster, in lines; the last line is of opportunistic jobs
	nobody  string         // the virtual cluster in whose name they ask
	jobs    []member
	// reserves are the jobs that wait for others to stop, in the order in which they reserved.
	reserves []sim.JobID
	list     []sim.JobID // scratch
	freed    bool        // GPUs came free, or nodes changed, at this instant
	moved    bool        // a job was started or stopped
	bad      []bool
	someBad  bool
}

// New gives HiveD, Zhao et al., OSDI 2020. Parameters: Params.
func New(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
	p := &Policy{cfg: settings(s)}
	return p, s.Err()
}

// Knows implements sim.Policy: what jobs ask for is enough.
func (p *Policy) Knows() know.Set { return know.Nothing }

// Decide implements sim.Policy.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.cells == nil {
		p.init(v)
	}
	for len(p.jobs) < v.NumJobs() {
		p.jobs = append(p.jobs, member{})
	}
	p.freed = false
	out = p.follow(v, out)
	return p.serve(v, out)
}

// init builds the cells.
func (p *Policy) init(v *sim.View) {
	top := v.Topology()
	p.chains = chainsOf(top)
	p.untyped = len(top.Types()) == 1 && top.Types()[0] == ""
	cfg := cells.Config{Types: map[string]cells.Type{}, Healthy: true}
	for i := range p.chains {
		p.chains[i].describe(&cfg, top)
	}
	cfg.VCs, p.one = assign(v, &p.cfg, p.chains)
	p.index = map[string]int{}
	for i := range cfg.VCs {
		p.index[cfg.VCs[i].Name] = i
		p.lines = append(p.lines, line{vc: cfg.VCs[i].Name, index: map[demand]int32{}})
	}
	// Opportunistic jobs ask in the name of a virtual cluster that has nothing, which does not
	// matter to them.
	for p.nobody = "nobody"; slices.ContainsFunc(cfg.VCs,
		func(v cells.VC) bool { return v.Name == p.nobody }); p.nobody += "'" {
	}
	cfg.VCs = append(cfg.VCs, cells.VC{Name: p.nobody})
	p.lines = append(p.lines, line{vc: p.nobody, index: map[demand]int32{}})
	p.bad = make([]bool, top.Machines())
	var err error
	if p.cells, err = cells.New(cfg); err != nil {
		panic("hived: the cells that it made itself do not fit: " + err.Error())
	}
}

// arrive takes in a job.
func (p *Policy) arrive(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	m := &p.jobs[j]
	m.name = strconv.Itoa(int(j))
	return p.enlist(v, j, out)
}

// enlist puts a job into the line where it belongs. A job that nothing could ever hold is rejected.
func (p *Policy) enlist(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	m, d := &p.jobs[j], demandOf(v, j)
	own := v.Job(j).Public().Priority
	i, has := p.index[v.Job(j).VC()]
	if p.one {
		i, has = 0, true
	}
	if has && own >= 0 {
		if c := p.classOf(i, d); len(p.lines[i].classes[c].tries) > 0 {
			p.rank(v, j, own)
			m.line, m.class, m.where = int16(i), c, waiting
			p.lines[i].add(c, entry{int32(cells.MaxPriority) - int32(m.prio), j})
			return out
		}
	}
	if own < 0 || p.cfg.over != "none" {
		i = len(p.lines) - 1
		if c := p.classOf(i, d); len(p.lines[i].classes[c].loose) > 0 {
			m.prio, m.line, m.class, m.where = cells.Opportunistic, int16(i), c, waiting
			p.lines[i].add(c, entry{max(0, -own), j})
			return out
		}
	}
	m.where = away
	return append(out, sim.Decision{Kind: sim.Reject, Job: j})
}

// classOf gives the class of a demand in a line, and makes it at the first job.
func (p *Policy) classOf(i int, d demand) int32 {
	l := &p.lines[i]
	if c, known := l.index[d]; known {
		return c
	}
	c := class{demand: d}
	if l.vc != p.nobody {
		c.tries = p.tries(&d, l.vc, 0)
	}
	if l.vc == p.nobody || p.cfg.over == "waiting" {
		c.loose = p.tries(&d, p.nobody, cells.Opportunistic)
	}
	l.classes = append(l.classes, c)
	l.index[d] = int32(len(l.classes) - 1)
	return l.index[d]
}

// rank sets a job's queue by its service and its priority in the cells, which follows its class of
// priority and, within it, of its queue.
func (p *Policy) rank(v *sim.View, j sim.JobID, own int32) {
	m, queues := &p.jobs[j], len(p.cfg.bounds)+1
	for int(m.level) < len(p.cfg.bounds) && v.Run(j).Service() >= p.cfg.bounds[m.level] {
		m.level++
	}
	own = min(own, int32((cells.MaxPriority+1)/queues-1))
	m.prio = int16(int(own)*queues + queues - 1 - int(m.level))
}
