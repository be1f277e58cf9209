package ffdl

import (
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/rng"
)

// Policy is one FfDL scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg    config
	place  *plan.Placer
	draws  *rng.Stream
	queues []queue
	jobs   []job
	shapes []shape
	index  map[request]int32
	hosts  []host
	order  []int32   // machines of a placement
	buf    scratch   // of one gang
	loose  []binding // jobs with some of their pods, by arrival
	cards  []int32   // pods to bind, shuffled
	spare  [][]cluster.GPU
	wake   sim.Time
	active int // admitted jobs that have not ended
	idle   idleness
}

type config struct {
	limits    map[string]int32 // by type, "any" for none; nil = what there is
	unlimited bool
	poll      sim.Time
	scorer
	bsa           bool
	gang          bool
	samples, bias int
}

// job is what the policy keeps of one.
type job struct {
	shape, queue int32
	gpus         int32
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), index: map[request]int32{}, wake: sim.Never}
	c := &p.cfg
	c.limit(s)
	c.poll = sim.Seconds(s.Float("poll_s", 60, 0, 1e9))
	place, goal := s.Enum("place", "pack", "spread", "ratio", "bsa"), s.Enum("goal", "pack", "spread", "ratio")
	if c.bsa = place == "bsa"; c.bsa {
		place = goal
	}
	c.spread, c.ratio = place == "spread", place == "ratio"
	c.scorer.read(s)
	c.samples, c.bias = s.Int("samples", 20, 1, 1e6), s.Int("bias", 4, 0, 64)
	seed := s.Int64("seed", 0, 0, 1<<53)
	if c.gang = s.Bool("gang", true); c.bsa || !c.gang {
		p.draws = rng.Source{Seed: uint64(seed), Experiment: "ffdl"}.Stream("pods")
	}
	if c.bsa && !c.gang {
		s.Fault("gang is false with place=bsa, expected pack, spread or ratio: a sample is of a gang")
	}
	return p, s.Err()
}

// limit takes the limits.
func (c *config) limit(s *param.Set) {
	switch text := s.Text("limit", "cluster"); text {
	case "cluster":
	case "none":
		c.unlimited = true
	default:
		c.limits = map[string]int32{}
		for _, e := range strings.Split(text, "+") {
			i := strings.LastIndexByte(e, ':')
			n, err := strconv.ParseInt(e[i+1:], 10, 32)
			if i < 1 || err != nil || n < 1 {
				s.Wrong("limit", "none, cluster or TYPE:N+TYPE:N... with N >= 1")
				return
			}
			c.limits[e[:i]] = int32(n)
		}
	}
}

// Knows declares nothing: only what jobs ask for counts.
func (p *Policy) Knows() sim.Knowledge { return sim.KnowNothing }

// Decide admits jobs and places those that are admitted.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.hosts == nil {
		p.initialise(v)
	}
	p.idle.until(v.Now())
	p.place.Begin(v)
	for _, ev := range v.Events() {
		p.follow(v, ev)
	}
	p.poll(v)
	p.open(v)
	if p.cfg.gang {
		out = p.gangs(v, out)
	} else {
		out = p.bind(v, out)
	}
	return p.alarm(v, out)
}

// follow takes in an event.
func (p *Policy) follow(v *sim.View, ev sim.Event) {
	switch ev.Kind {
	case sim.Arrive:
		if v.State(ev.Job) == sim.Waiting {
			p.arrive(v, ev.Job)
		}
	case sim.Finish:
		x := &p.jobs[ev.Job]
		p.queues[x.queue].used -= int64(x.gpus)
		p.active--
	case sim.OutOfMemory, sim.Fail, sim.Repair:
		p.count(v)
		if ev.Job != sim.NoJob && v.State(ev.Job) == sim.Waiting { // it stays admitted
			p.shapes[p.jobs[ev.Job].shape].add(ev.Job)
		}
	}
}

// gangs starts admitted jobs that fit, by arrival.
func (p *Policy) gangs(v *sim.View, out []sim.Decision) []sim.Decision {
	for {
		best := p.first()
		if best < 0 {
			return out
		}
		s := &p.shapes[best]
		gpus, ok := p.put(v, s)
		if !ok {
			s.closed = true
			continue
		}
		out = append(out, sim.Decision{Kind: sim.Start, Job: s.take(), GPUs: gpus})
	}
}

// first is the open shape whose first job arrived first, -1 if there is none.
func (p *Policy) first() int {
	best := -1
	for i := range p.shapes {
		if s := &p.shapes[i]; !s.closed && s.head < len(s.jobs) && (best < 0 || s.jobs[s.head] < p.shapes[best].jobs[p.shapes[best].head]) {
			best = i
		}
	}
	return best
}

// put places a gang of a shape.
func (p *Policy) put(v *sim.View, s *shape) ([]cluster.GPU, bool) {
	if s.ShareMilli < 1000 { // Kubernetes shares no GPUs
		gpus, ok := p.place.Place(v, &s.Demand)
		if ok {
			p.charge(v, s, gpus)
		}
		return gpus, ok
	}
	f := v.Free().Of(s.Type)
	if f == nil || f.Total() < int(s.GPUs) || f.Largest(cluster.LevelMachine) < int(s.pod) || !p.look(v, f, s) {
		return nil, false
	}
	if p.cfg.bsa {
		p.sample(s)
	} else {
		p.greedy(s)
	}
	return p.book(v, f, s), true
}

// book takes GPUs for the pods on the machines of order.
func (p *Policy) book(v *sim.View, f *cluster.Free, s *shape) []cluster.GPU {
	b := &p.buf
	b.gpus = b.gpus[:0]
	for _, m := range p.order {
		b.pods[m]++
	}
	for _, m := range p.order {
		if n := b.pods[m]; n > 0 {
			b.gpus = f.FromMachine(b.gpus, int(m), int(n*s.pod), cluster.BestFit)
			b.pods[m] = 0
		}
	}
	sortGPUs(b.gpus)
	gpus := p.place.Given(v, &s.Demand, b.gpus)
	p.charge(v, s, gpus)
	return gpus
}
