package elasticflowsim

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/fidelity/elasticflowsim/replay"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one of ElasticFlow's schedulers as its authors' simulator runs it. Build it with New; it
// belongs to one run. Decisions are taken at whole seconds.
type Policy struct {
	cfg     config
	curves  plan.Curves
	target  plan.Target
	run     *replay.Run // nil before the first decision
	came    int
	lagging []sim.JobID // ended in the books and not yet in the kernel
	store   []cluster.GPU
	wants   []plan.Want
	logged  []logged
	jobs    map[int32]label
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
	p := &Policy{cfg: settings(s), jobs: map[int32]label{}}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// Knows declares speeds and the work that is left: deadlines are kept by these.
func (p *Policy) Knows() know.Set { return know.Speed | know.Work }

// label is how the log names a job, and whether it has no deadline.
type label struct {
	name string
	best bool
}

// logged is what the simulator logs of a job.
type logged struct {
	label
	endS      int64
	met, turn bool
}

// Keys of timers.
const (
	keyDue  = 0
	keyHold = 1
)

// Decide moves the books to the present and the kernel to the books.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.run == nil {
		lo, hi := v.Topology().MachineGPUs(0)
		p.run = replay.New(replay.Config{Schedule: p.cfg.variant, SlotS: int64(p.cfg.slot / sim.Second),
			GPUs: int32(v.Topology().GPUs()), PerNode: int32(hi - lo),
			Most: p.cfg.most, Base: p.cfg.base})
	}
	for _, e := range v.Events() {
		if e.Kind == sim.Arrive {
			p.came++
			a := v.Job(e.Job).Public()
			p.jobs[int32(e.Job)] = label{a.ID, a.Deadline == 0}
			p.run.Arrive(seconds(v.Job(e.Job).Submit()), p.book(v, e.Job))
		}
	}
	due, ok := p.run.Due(p.came < v.NumJobs())
	stepped := false
	for ok && sim.Time(due)*sim.Second <= v.Now() {
		if soon(v, p.run.Jobs(), due) {
			return append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Microsecond, Key: keyDue})
		}
		out = p.judge(v, p.run.Step(due), out)
		stepped = true
		due, ok = p.run.Due(p.came < v.NumJobs())
	}
	if stepped {
		out = p.lead(v, out)
	}
	if p.cfg.earliest {
		out = p.hold(v, out)
	}
	at := sim.Never
	if ok {
		at = sim.Time(due) * sim.Second
	}
	return append(out, sim.Decision{Kind: sim.WakeAt, At: at, Key: keyDue})
}

// seconds is a time in whole seconds, not before it.
func seconds(t sim.Time) int64 { return int64((t + sim.Second - 1) / sim.Second) }

// soon reports whether a job that ends in the books by a time has microseconds left in the kernel:
// what its rounding leaves.
func soon(v *sim.View, jobs []*replay.Job, due int64) bool {
	return slices.ContainsFunc(jobs, func(j *replay.Job) bool {
		id := sim.JobID(j.ID)
		return j.Ends(due) && v.Run(id).State() == sim.Running && v.Run(id).Left() <= 100*v.Run(id).Speed().Rate
	})
}

// book makes the simulator's books of a job: throughputs of the table, or the speed model's
// predictions where it has none.
func (p *Policy) book(v *sim.View, id sim.JobID) *replay.Job {
	model := v.Job(id).Model()
	name, batch := split(model)
	iterations := float64(v.Job(id).Iterations())
	lo, hi := v.Job(id).Range()
	var counts []int32
	var rates []float64
	for _, n := range p.cfg.sizes() {
		if r, ok := p.cfg.table.PerS(model, n, p.cfg.gpu); ok && n >= lo && n <= hi {
			counts, rates = append(counts, int32(n)), append(rates, r)
		}
	}
	if len(counts) == 0 || iterations == 0 {
		iterations = v.Run(id).Left() / 1e6
		counts, rates = nil, nil
		curve := p.curves.Of(v, id)
		for n := max(lo, 1); n < len(curve); n *= 2 {
			if curve[n] > 0 {
				counts, rates = append(counts, int32(n)), append(rates, curve[n])
			}
		}
		if len(counts) == 0 {
			counts, rates = []int32{int32(v.Job(id).GPUs())}, []float64{float64(v.Job(id).GPUs())}
		}
	}
	most := counts[len(counts)-1]
	if batch > 0 {
		if most = min(most, 64, batch); !p.cfg.earliest {
			most = replay.Most(p.cfg.gpu, name, batch)
		}
	}
	deadline := int64(v.Job(id).Deadline() / sim.Second)
	return replay.NewJob(int32(id), deadline, iterations, counts, rates, max(most, counts[0]))
}

// split takes a model's name and batch size apart; 0 where it has none.
func split(model string) (name string, batch int32) {
	name, rest, ok := strings.Cut(model, " (batch size ")
	n, err := strconv.ParseInt(strings.TrimSuffix(rest, ")"), 10, 32)
	if !ok || err != nil {
		return model, 0
	}
	return name, int32(n)
}

// note logs what became of a job.
func (p *Policy) note(x *replay.Verdict) {
	p.logged = append(p.logged, logged{p.jobs[x.Job.ID], x.End, x.Met, x.Rejected})
}

// judge notes what became of jobs, and turns away rejected ones.
func (p *Policy) judge(v *sim.View, all []replay.Verdict, out []sim.Decision) []sim.Decision {
	for _, x := range all {
		id := sim.JobID(x.Job.ID)
		p.note(&x)
		switch s := v.Run(id).State(); {
		case x.Rejected && s == sim.Waiting:
			out = append(out, sim.Decision{Kind: sim.Reject, Job: id})
		case !x.Rejected && (s == sim.Running || s == sim.Waiting || s == sim.Draining):
			p.lagging = append(p.lagging, id)
		}
	}
	return out
}

// lead gives jobs the GPUs of the books. A job that the books hold to have ended and that runs
// still, because of costs or other speeds, keeps its GPUs until it ends.
func (p *Policy) lead(v *sim.View, out []sim.Decision) []sim.Decision {
	p.store, p.wants = p.store[:0], p.wants[:0]
	n := 0
	for _, id := range p.lagging {
		if s := v.Run(id).State(); s == sim.Running || s == sim.Waiting || s == sim.Draining {
			p.lagging[n] = id
			n++
			if s == sim.Running {
				p.wants = append(p.wants, plan.Want{Job: id, GPUs: v.Run(id).Held()})
			}
		}
	}
	p.lagging = p.lagging[:n]
	var tunes []sim.Decision
	for _, j := range p.run.Jobs() {
		id := sim.JobID(j.ID)
		if s := v.Run(id).State(); j.GPUs() == 0 || j.First() < 0 || s != sim.Waiting && s != sim.Running {
			continue
		}
		from := len(p.store)
		for g := j.First(); g < j.First()+j.GPUs(); g++ {
			p.store = append(p.store, cluster.GPU(g))
		}
		w := plan.Want{Job: id, GPUs: p.store[from:len(p.store):len(p.store)]}
		w.Delay = sim.Time(j.Overhead()) * sim.Second
		if w.Delay > 0 && slices.Equal(v.Run(id).Held(), w.GPUs) {
			tunes = append(tunes, sim.Decision{Kind: sim.Tune, Job: id, Knobs: sim.Knobs{Delay: w.Delay}})
			w.Delay = 0
		}
		p.wants = append(p.wants, w)
	}
	for _, id := range p.lagging { // one that has no GPUs takes what no other wants
		if v.Run(id).State() == sim.Waiting {
			p.anywhere(v, id)
		}
	}
	return append(p.target.Decide(v, p.wants, out), tunes...)
}

// anywhere wants the least number of GPUs that are free and unwanted.
func (p *Policy) anywhere(v *sim.View, id sim.JobID) {
	lo, _ := v.Job(id).Range()
	from := len(p.store)
	for g := cluster.GPU(0); int(g) < v.Topology().GPUs() && len(p.store)-from < lo; g++ {
		wanted := func(w plan.Want) bool { return slices.Contains(w.GPUs, g) }
		if v.Up(g) && v.Share(g) == 0 && !slices.ContainsFunc(p.wants, wanted) {
			p.store = append(p.store, g)
		}
	}
	if len(p.store)-from == lo {
		p.wants = append(p.wants, plan.Want{Job: id, GPUs: p.store[from:len(p.store):len(p.store)]})
	}
}

// hold makes jobs of earliest deadline first end at the whole second at which the books end them:
// in their last second they are held back.
func (p *Policy) hold(v *sim.View, out []sim.Decision) []sim.Decision {
	next := sim.Never
	for _, j := range p.run.Jobs() {
		id, end := sim.JobID(j.ID), sim.Time(j.End())*sim.Second
		if j.GPUs() == 0 || end <= v.Now() {
			continue
		}
		if at := end - sim.Second; at > v.Now() {
			next = min(next, at)
			continue
		}
		rate := v.Run(id).Speed().Rate
		if v.Run(id).State() != sim.Running || rate == 0 {
			continue
		}
		if d := end - v.Now() - sim.Time(math.Ceil(v.Run(id).Left()/rate-1e-3)); d > 0 {
			out = append(out, sim.Decision{Kind: sim.Tune, Job: id, Knobs: sim.Knobs{Delay: d}})
		}
	}
	return append(out, sim.Decision{Kind: sim.WakeAt, At: next, Key: keyHold})
}

// Measures gives what the authors' simulator logs: the ends of its jobs, and the part of jobs with a
// deadline that it counts as accepted.
func (p *Policy) Measures(yield func(name, of, unit string, value float64)) {
	o := &Policy{logged: slices.Clone(p.logged), jobs: p.jobs}
	if p.run != nil { // the kernel's last job ends before the end that is logged
		run := p.run.Clone()
		for due, ok := run.Due(false); ok && len(o.logged) < len(o.jobs); due, ok = run.Due(false) {
			for _, x := range run.Step(due) {
				o.note(&x)
			}
		}
	}
	met, all := 0, 0
	for _, l := range o.logged {
		if !l.turn {
			yield("logged_end_s", l.name, "s", float64(l.endS))
		}
		if l.best {
			continue
		}
		if all++; l.met {
			met++
		}
	}
	if all > 0 {
		yield("logged_satisfied_frac", "", "fraction", float64(met)/float64(all))
	}
}
