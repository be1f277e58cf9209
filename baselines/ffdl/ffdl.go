package ffdl

import (
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
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
	polls  plan.Alarm
	active int // admitted jobs that have not ended
	idle   idleness

	tenants  []owner // with quotas
	byVC     map[string]int32
	frees    []sim.JobID // admitted, of the free tier, in the order of admission
	back     bool        // some were evicted and are in their queues, since these were looked at
	draining int         // of jobs that write checkpoints
	gone     []sim.JobID
	stops    []sim.Decision
}

type config struct {
	limits    map[string]int32 // by type, "any" for none; nil = what there is
	unlimited bool
	poll      sim.Time
	scorer
	bsa           bool
	gang, quota   bool
	samples, bias int
}

// job is what the policy keeps of one.
type job struct {
	shape, queue int32
	gpus         int32
	tenant       int32
	low          bool     // of negative priority
	free         bool     // admitted to the free tier
	leaving      bool     // evicted, and writes a checkpoint
	moved        sim.Time // when it started or was evicted last
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule), index: map[request]int32{}, byVC: map[string]int32{}}
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
	tiers := []string{"free", "off"}
	if !c.gang {
		tiers = []string{"off", "free"}
	}
	if c.quota = s.Enum("quota", tiers...) == "free"; c.quota && !c.gang {
		s.Fault("gang is false with quota=free, expected quota=off: a gang is evicted for another")
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
func (p *Policy) Knows() know.Set { return know.Nothing }

// Decide admits jobs and places admitted ones.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.hosts == nil {
		p.initialise(v)
	}
	p.idle.until(v.Now())
	p.place.Begin(v)
	p.open(v)
	p.stops = p.stops[:0]
	for _, ev := range v.Events() {
		p.follow(v, ev)
	}
	p.poll(v)
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
		if v.Run(ev.Job).State() == sim.Waiting {
			p.arrive(v, ev.Job)
		}
	case sim.Finish:
		p.discharge(ev.Job)
	case sim.OutOfMemory, sim.Fail, sim.Repair, sim.Drained:
		if ev.Kind != sim.Drained {
			p.count(v)
		}
		if ev.Job == sim.NoJob || v.Run(ev.Job).State() != sim.Waiting {
			return
		}
		if x := &p.jobs[ev.Job]; x.leaving {
			x.leaving = false
			p.draining--
			p.join(ev.Job)
		} else { // it stays admitted
			p.shapes[p.jobs[ev.Job].shape].add(ev.Job)
		}
	}
}

// gangs starts admitted jobs that fit, by arrival, once jobs that left a limit have stopped.
func (p *Policy) gangs(v *sim.View, out []sim.Decision) []sim.Decision {
	out = append(out, p.stops...)
	for {
		best := p.first()
		// what was evicted may be within a quota now, or fit elsewhere
		if p.back && p.cfg.poll == 0 && (best < 0 || p.shapes[best].free) {
			n := len(p.stops)
			p.back = false
			p.poll(v)
			out = append(out, p.stops[n:]...)
			continue
		}
		if best < 0 {
			return out
		}
		s := &p.shapes[best]
		gpus, ok := p.put(v, s)
		if !ok {
			n := len(p.stops)
			gpus, ok = p.oust(v, s)
			out = append(out, p.stops[n:]...)
		}
		if !ok {
			s.closed = true
			continue
		}
		j := s.take()
		p.jobs[j].moved = v.Now()
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
	}
}

// first is the open shape whose first job arrived first, shapes of the free tier last, -1 if there
// is none.
func (p *Policy) first() int {
	best := -1
	for i := range p.shapes {
		s := &p.shapes[i]
		if s.closed || s.head == len(s.jobs) || s.free && p.draining > 0 {
			continue
		}
		if best < 0 || p.shapes[best].free && !s.free || s.free == p.shapes[best].free &&
			s.jobs[s.head] < p.shapes[best].jobs[p.shapes[best].head] {
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
			p.charge(v, s, gpus, 1)
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
	p.charge(v, s, gpus, 1)
	return gpus
}
