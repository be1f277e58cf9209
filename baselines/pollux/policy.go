package pollux

import (
	"slices"

	"tarry/baselines/pollux/search"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/rng"
)

// Policy is Pollux' scheduler together with the agents of its jobs. Build it with New; it belongs
// to one run.
type Policy struct {
	cfg    config
	search Finder
	target plan.Target
	nodes  []node
	books  []*book // of each job that Pollux schedules and that has not ended
	active []sim.JobID
	apart  []sim.JobID // jobs that it does not schedule
	queue  plan.Queue  // the waiting ones of them
	place  *plan.Placer
	next   sim.Time // the next search, if nothing happens before
	wakes  plan.Alarm
	calm   int // searches in a row that changed nothing, since anything happened

	problem search.Problem
	order   []*book
	curves  []curve
	rows    []uint8 // of the state found, job by job
	bases   []uint8
	barred  map[string][]bool
	taken   []bool // GPUs that jobs keep or get in this decision
	gpus    []cluster.GPU
	wants   []plan.Want
	spare   []*book
}

// Finder finds the state to lead to.
type Finder interface {
	// Open states the GPUs of each node, once, before the first search.
	Open(nodes []int)
	// Run finds a state, of which Row gives a job's GPUs of each node.
	Run(p *search.Problem)
	Row(job int, row []uint8)
	// Clone gives an independent copy.
	Clone() Finder
}

// genetic is Pollux' own.
type genetic struct{ *search.Search }

func (genetic) Open([]int)      {}
func (g genetic) Clone() Finder { return genetic{g.Search.Clone()} }

// New is Pollux. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := newConfig(s)
	if err := s.Err(); err != nil {
		return nil, err
	}
	found, err := search.New(c.search, rng.Source{Seed: c.seed, Experiment: "pollux"}.Stream("search"))
	if err != nil {
		return nil, err
	}
	return newPolicy(c, genetic{found}, rule), nil
}

// Agents are the settings of the agents of jobs for By.
type Agents struct {
	Interval, Restart sim.Time
	Jobs, Max         int // of a search, and GPUs of a job, at most
	Tuned             bool
}

// By is a policy over Pollux' agents that finds its states in another way.
func By(f Finder, a Agents, rule cluster.Rule) *Policy {
	return newPolicy(config{interval: a.Interval, jobs: a.Jobs, restart: a.Restart, tuned: a.Tuned, max: a.Max,
		machines: a.Max}, f, rule)
}

func newPolicy(c config, f Finder, rule cluster.Rule) *Policy {
	return &Policy{cfg: c, search: f, place: plan.NewPlacer(rule), next: sim.Never, barred: map[string][]bool{}}
}

// Knows declares what jobs measure of themselves.
func (p *Policy) Knows() know.Set { return know.Progress }

// Decide follows the jobs, tunes the batch of jobs that ended an epoch, and searches when that is
// due.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.nodes == nil {
		p.open(v)
	}
	out, changed := p.resized(v, out)
	out, happened := p.follow(v, out)
	happened = happened || changed
	if p.queue.Len() > 0 {
		out = plan.Fill(v, &p.queue, p.place, nil, out)
	}
	late := v.Now() % p.cfg.interval
	if happened {
		p.calm, p.next = 0, min(p.next, v.Now()-late+p.cfg.interval)
	}
	if len(p.active) > 0 && late == 0 && (happened || p.next <= v.Now()) {
		n := len(out)
		if p.calm < 2*calmed || p.calm&(p.calm-1) == 0 {
			out = p.round(v, out)
		}
		if p.calm++; len(out) > n {
			p.calm = 0
		}
		p.next = v.Now() + p.pause()
		if p.calm > 2*calmed && !slices.ContainsFunc(p.active,
			func(j sim.JobID) bool { return v.Run(j).State() != sim.Waiting }) {
			p.next = sim.Never // none of them can start as things are
		}
	}
	if len(p.active) == 0 {
		p.next = sim.Never
	}
	return p.wakes.Set(v.Now(), p.next, out)
}

// calmed is how many searches in a row change nothing before the time to the next doubles, and
// doubled how often it does.
const (
	calmed  = 10
	doubled = 9
)

// pause is the time to the next search. Where nothing happens, and the jobs that run measure
// nothing but their speed, it grows; in the end searches are made at powers of two of it only.
func (p *Policy) pause() sim.Time {
	for _, j := range p.active {
		if !p.books[j].blind && p.books[j].gpus > 0 {
			p.calm = 0
			break
		}
	}
	return p.cfg.interval << min(max(0, p.calm-calmed), doubled)
}

// resized takes note of jobs that the operator of services gave other GPUs: their batches follow.
func (p *Policy) resized(v *sim.View, out []sim.Decision) (_ []sim.Decision, changed bool) {
	for _, j := range p.active {
		b, r := p.books[j], v.Run(j)
		if r.State() != sim.Running || len(r.Held()) == b.gpus {
			continue
		}
		changed = true
		b.gets(v.Now(), r.Time(), p.spread(r.Held()), len(r.Held()))
		if !p.cfg.tuned || b.fixed {
			continue
		}
		out = b.tune(v, out)
		if at, ok := whole(r.Done()); ok {
			out = append(out, sim.Decision{Kind: sim.Watch, Job: j, Counter: sim.Progress, Bound: at + 1})
		}
	}
	return out, changed
}

// follow takes note of what happened, and reports whether anything did that concerns a search.
func (p *Policy) follow(v *sim.View, out []sim.Decision) (_ []sim.Decision, happened bool) {
	for _, e := range v.Events() {
		switch e.Kind {
		case sim.Arrive:
			if v.Run(e.Job).State() == sim.Waiting {
				p.join(v, e.Job)
			}
		case sim.Finish:
			p.leave(e.Job)
		case sim.Drained, sim.OutOfMemory, sim.Fail:
			p.stopped(v, e.Job)
		case sim.Cross:
			if v.Run(e.Job).State() == sim.Running {
				out = p.reached(v, p.books[e.Job], out)
			}
			continue
		case sim.Timer:
			continue
		}
		happened = true
	}
	return out, happened
}

// stopped notes a job that waits again.
func (p *Policy) stopped(v *sim.View, j sim.JobID) {
	if j == sim.NoJob || v.Run(j).State() != sim.Waiting {
		return
	}
	if b := p.books[j]; b != nil {
		b.stops(v.Now())
	} else if !p.queue.Has(j) {
		p.queue.Add(v, j, float64(v.Job(j).Submit()), 0)
	}
}

// join takes in a job that has arrived.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	a := v.Job(j).Public()
	if a.ShareMilli > 0 && a.ShareMilli < 1000 || a.CPUMilli > 0 || a.MemMiB > 0 {
		p.apart = append(p.apart, j)
		p.queue.Add(v, j, float64(v.Job(j).Submit()), 0)
		return
	}
	p.books[j] = p.book(v, j, &a)
	p.active = append(p.active, j)
}

// leave forgets a job that has ended.
func (p *Policy) leave(j sim.JobID) {
	list := &p.apart
	if b := p.books[j]; b != nil {
		p.books[j] = nil
		p.spare = append(p.spare, b)
		list = &p.active
	}
	if i := slices.Index(*list, j); i >= 0 {
		*list = slices.Delete(*list, i, i+1)
	}
}

// reached is called when the work that a job has done reaches what is watched: it begins to run, or
// ends an epoch. The batch is tuned with what was measured in the epoch that ends; what the next
// one measures is known from now on.
func (p *Policy) reached(v *sim.View, b *book, out []sim.Decision) []sim.Decision {
	if b == nil {
		return out
	}
	ended := b.epoch
	b.epoch = true
	b.observe(v)
	if ended && p.cfg.tuned {
		if b.noisy {
			out = b.tune(v, out)
		}
	}
	b.listen(v)
	return p.watch(v, b, out)
}

// watch asks to hear of the end of the epoch.
func (p *Policy) watch(v *sim.View, b *book, out []sim.Decision) []sim.Decision {
	if !p.cfg.tuned || b.fixed {
		return out
	}
	if at, ok := whole(v.Run(b.id).NextMark()); ok {
		at = max(at, sim.Time(v.Run(b.id).Done())+1) // a mark on a grid may lie at what is done already
		out = append(out, sim.Decision{Kind: sim.Watch, Job: b.id, Counter: sim.Progress, Bound: at})
	}
	return out
}

// whole rounds work up; false where no bound can be made of it.
func whole(work float64) (sim.Time, bool) {
	if !(work < 1<<62) {
		return 0, false
	}
	t := sim.Time(work)
	if float64(t) < work {
		t++
	}
	return t, true
}
