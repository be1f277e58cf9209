package pal

import (
	"maps"
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one PAL. Build it with New; it belongs to one run.
type Policy struct {
	cfg     config
	queue   plan.Queue
	place   *plan.Placer
	target  plan.Target
	choice  chooser
	classes map[string]*class // by model
	running []pick
	picks   []pick
	idle    []pick // running jobs that are preempted
	wants   []plan.Want
	round   plan.Alarm // the next
	changed bool       // something happened since the last round
	one     [1]cluster.GPU
}

// config has the parameters.
type config struct {
	order, place    string
	locality        [cluster.LevelCluster + 1]float64
	sticky, byClass bool
	backfill        bool
	round           sim.Time
	bins            int
	sigmas          float64
	queues          []sim.Time
}

// New is PAL. Parameters: Params. The error joins every fault of them.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), classes: map[string]*class{}}
	c := &p.cfg
	c.order, c.place = s.Enum("order", "las", "fifo", "srtf"), s.Enum("place", "pal", "pm-first", "packed")
	penalties := s.Floats("locality", []float64{1, 1, 1.2, 1.5}, 1, 1e6)
	if len(penalties) != 4 {
		s.FaultAt("locality", "locality has %d penalties, expected four: in a slot, machine, rack and several racks",
			len(penalties))
		penalties = make([]float64, 4)
	}
	copy(c.locality[cluster.LevelSlot:], penalties)
	if c.place == "pm-first" { // only scores count: several racks will do as well as a slot
		c.locality = [...]float64{1, math.Inf(1), math.Inf(1), math.Inf(1), 1}
	}
	c.sticky, c.byClass, c.backfill = s.Bool("sticky", false), s.Bool("by_class", true), s.Bool("backfill", false)
	c.round = sim.Seconds(s.Float("round", 300, 0, 1e12))
	c.bins, c.sigmas = s.Int("bins", 0, 0, mostBins), s.Float("outliers", 3, 0, 1e6)
	last := 0.0
	for _, b := range s.Floats("queues", []float64{3600}, 0.001, 1e12) {
		if b <= last {
			s.FaultAt("queues", "queues are %v after %v GPU-seconds, expected ascending", b, last)
		}
		last = b
		c.queues = append(c.queues, sim.Seconds(b))
	}
	return p, s.Err()
}

// Knows implements sim.Policy: speeds, and for srtf the work that is left.
func (p *Policy) Knows() know.Set {
	k := know.Nothing
	if p.cfg.place != "packed" {
		k |= know.Speed
	}
	if p.cfg.order == "srtf" {
		k |= know.Work
	}
	return k
}

// Decide plans a round when one is due, and between rounds gives out what is free.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		p.changed = p.changed || ev.Kind != sim.Timer
	}
	p.queue.Follow(v, p.key, nil)
	due := p.round.Rung(v.Now()) || p.cfg.round == 0
	switch {
	case due && (p.queue.Len() > 0 || p.changed && !p.cfg.sticky && len(v.Running()) > 0):
		p.changed = false
		out = p.plan(v, out)
	case p.queue.Len() > 0 && (v.Free().Total() > 0 || p.queue.Sharing()):
		out = p.fill(v, out)
	}
	return p.wake(v, out)
}

// fill gives out what is free; running jobs keep what they have.
func (p *Policy) fill(v *sim.View, out []sim.Decision) []sim.Decision {
	// GPUs on which checkpoints are written are claimed, too: jobs that waited for them start when
	// they are free
	left := int64(v.Usable()) * 1000
	for _, j := range v.Running() {
		left -= p.queue.Demand(j).Milli()
	}
	p.running = p.running[:0]
	p.choose(left)
	p.arrange(v)
	p.place.Begin(v)
	for _, x := range p.picks {
		if gpus, ok := p.put(v, x); ok {
			out = append(out, sim.Decision{Kind: sim.Start, Job: x.job, GPUs: gpus})
		} else {
			p.queue.Add(v, x.job, x.key, 0)
		}
	}
	return out
}

// plan decides who runs, places them and leads there.
func (p *Policy) plan(v *sim.View, out []sim.Decision) []sim.Decision {
	p.rank(v)
	p.choose(int64(v.Usable()) * 1000)
	p.arrange(v)
	p.place.Begin(v)
	p.wants = p.wants[:0]
	for _, x := range p.picks {
		if x.running && p.cfg.sticky {
			p.wants = append(p.wants, plan.Want{Job: x.job, GPUs: v.Run(x.job).Held()})
		} else if x.running {
			p.place.Vacate(v, x.job, p.queue.Demand(x.job))
		}
	}
	for _, x := range p.idle {
		if v.Run(x.job).CheckpointTime() == 0 {
			p.place.Vacate(v, x.job, p.queue.Demand(x.job))
		}
	}
	for _, x := range p.picks {
		if x.running && p.cfg.sticky {
			continue
		}
		if gpus, ok := p.put(v, x); ok {
			p.wants = append(p.wants, plan.Want{Job: x.job, GPUs: gpus})
		} else if x.running {
			p.idle = append(p.idle, x)
		} else {
			p.queue.Add(v, x.job, x.key, 0)
		}
	}
	v.Free().Rollback(0)
	out = p.target.Decide(v, p.wants, out)
	for _, j := range p.target.Late() {
		if v.Run(j).State() == sim.Waiting {
			p.queue.Add(v, j, p.key(v, j), 0)
		}
	}
	for _, x := range p.idle {
		if v.Run(x.job).CheckpointTime() == 0 { // it waits at once
			p.queue.Add(v, x.job, x.key, 0)
		}
	}
	return out
}

// put chooses and books the GPUs of a job.
func (p *Policy) put(v *sim.View, x pick) ([]cluster.GPU, bool) {
	d := p.queue.Demand(x.job)
	if x.class == nil {
		return p.place.Place(v, d)
	}
	f := v.Free().Of(d.Type)
	if f == nil || f.Total() < int(d.GPUs) {
		return nil, false
	}
	return p.place.Given(v, d, p.choice.matrix(v.Topology(), f, x.class, int(d.GPUs))), true
}

// classOf is what is known of the job's model; it is measured when it is first asked for.
func (p *Policy) classOf(v *sim.View, j sim.JobID) *class {
	c, ok := p.classes[v.Job(j).Model()]
	if !ok {
		c = p.profile(v, j)
		p.classes[v.Job(j).Model()] = c
	}
	return c
}

// wake asks for the next round while one can change something: while jobs wait, and after a change
// that lets jobs move.
func (p *Policy) wake(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.cfg.round == 0 || p.round.At(v.Now()) != sim.Never {
		return out
	}
	// on an idle cluster the jobs that wait cannot be placed: no round changes that
	busy := len(v.Running())+v.Draining()+len(out) > 0
	if p.queue.Len() > 0 && busy || p.changed && !p.cfg.sticky && len(v.Running())+len(out) > 0 {
		out = p.round.Set(v.Now(), (v.Now()/p.cfg.round+1)*p.cfg.round, out)
	}
	return out
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := &Policy{cfg: p.cfg, queue: p.queue.Clone(), place: p.place.Clone(), classes: map[string]*class{},
		round: p.round, changed: p.changed}
	maps.Copy(c.classes, p.classes) // a class does not change once it is made
	return c
}
