package measure

import (
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	owner "tarry/sim/tenant"
)

// Add takes one number: its name with the unit last, whose it is ("" = all jobs'), its unit, and
// the value.
type Add func(name, of, unit string, value float64)

// Measurer is a policy, a speed model or the services of a run with measures of its own. Measures is called once, after
// the run.
type Measurer interface {
	Measures(yield func(name, of, unit string, value float64))
}

// Tenants lists what a run's tenants may be: the users, the virtual clusters or the groups of its
// jobs.
func Tenants() []string { return []string{"user", "vc", "group"} }

// Book follows one run. What it holds grows with the jobs that have deadlines, by one number each,
// with the tenants and their jobs, and with the jobs in the system; with quotas also with
// allocations, and as waits states.
type Book struct {
	gpus   int
	who    func(*sim.Job) string // nil = no tenants
	byVC   bool                  // who is the virtual cluster
	owners *owner.Set            // nil = no tenant owns GPUs
	all    tally
	best   bestEffort
	sizes  sizes
	grown  growth
	each   map[string]*tenant
	kills  kills
	outs   int  // how often a job ran out of GPU memory
	mem    bool // whether the cluster states memory of GPUs
	waits  waits
	meter  Meter              // nil = there is none
	beside Measurer           // nil = there is none
	marks  map[sim.JobID]area // of the jobs in the system: the area under jobs in the system at their arrival
}

// New starts the book of a run on a cluster. tenants is one of Tenants, or "" = there are none.
// owners reports what they own; nil = nothing.
func New(top *cluster.Topology, tenants string, owners *owner.Set) *Book {
	b := &Book{owners: owners, byVC: tenants == "vc", gpus: top.GPUs(), mem: top.StatesGPUMiB(),
		each: map[string]*tenant{}, marks: map[sim.JobID]area{}, waits: waits{top: top, jobs: map[sim.JobID]*waiting{}}}
	switch tenants {
	case "user":
		b.who = func(j *sim.Job) string { return j.User }
	case "vc":
		b.who = func(j *sim.Job) string { return j.VC }
	case "group":
		b.who = func(j *sim.Job) string { return j.Group }
	}
	return b
}

// Meter counts what jobs draw. Job gives the energy of a job in kWh, Rows the measures of all.
type Meter interface {
	Interval(j *sim.Job, i *sim.Interval)
	Job(j *sim.Job, r *sim.Record, now sim.Time) (kWh float64)
	Rows(add Add)
}

// With adds a meter.
func (b *Book) With(m Meter) { b.meter = m }

// Beside adds measures, of services.
func (b *Book) Beside(m Measurer) { b.beside = m }

// Look sees each instant before the policy does.
func (b *Book) Look(v *sim.View, e *sim.Engine) {
	if b.who == nil {
		return
	}
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			b.marks[ev.Job] = areaOf(e)
			b.waits.arrive(v, ev.Job)
		}
	}
}

// Instant takes in what is free after a decision.
func (b *Book) Instant(now sim.Time, free *cluster.Free) {
	if b.who != nil {
		b.waits.instant(now, free)
	}
}

// Interval counts an allocation.
func (b *Book) Interval(j *sim.Job, i *sim.Interval) {
	b.sizes.interval(j, i)
	b.grown.interval(i)
	if b.meter != nil {
		b.meter.Interval(j, i)
	}
	if b.who != nil {
		b.waits.interval(i)
		t, n := b.tenant(j), float64(float64(len(i.GPUs))*float64(i.ShareMilli))/1000
		t.gpuS += float64((i.End - i.Start).Seconds() * n)
		if b.byVC && b.owners.Len() > 0 {
			t.held = append(t.held, change{i.Start, n}, change{i.End, -n})
		}
	}
}

// Job counts a job that ended, or that the end of the run cut.
func (b *Book) Job(j *sim.Job, r *sim.Record, e *sim.Engine) {
	var t *tenant
	if b.who != nil {
		t = b.tenant(j)
		t.jobs++
	}
	b.sizes.job(j, r)
	b.outs += int(r.OutOfMemory)
	b.kills.job(j, r)
	if b.meter != nil {
		kWh := b.meter.Job(j, r, e.Now())
		if t != nil {
			t.kWh += kWh
		}
	}
	switch {
	case j.Deadline > 0:
		b.all.count(j, r, e.Now())
		if t != nil {
			t.tally.count(j, r, e.Now())
		}
		if r.State == sim.Done {
			b.all.late = append(b.all.late, (r.End - j.Deadline).Seconds())
		}
	case r.State == sim.Done:
		b.best.done(j, r)
	}
	if j.Deadline == 0 {
		b.best.jobs++
	}
	if t != nil {
		d, level := b.waits.leave(r.Job, e.Now())
		if r.State == sim.Done {
			t.done(b.rho(j, r, e), j, r)
			t.declines.add(d, level)
		}
		delete(b.marks, r.Job)
	}
}

// Rows returns the measures, the policy's last.
func (b *Book) Rows(p sim.Policy, add Add) {
	b.all.rows(add)
	if b.all.jobs > 0 {
		b.best.rows(add)
	}
	b.sizes.rows(add)
	b.grown.rows(add)
	b.kills.rows(add)
	if b.meter != nil {
		b.meter.Rows(add)
	}
	if b.beside != nil {
		b.beside.Measures(add)
	}
	if b.mem {
		add("out_of_memory", "", "events", float64(b.outs))
	}
	if b.who != nil {
		b.tenantRows(add)
	}
	if m, ok := p.(Measurer); ok {
		m.Measures(add)
	}
}

// tenant returns the tenant of a job.
func (b *Book) tenant(j *sim.Job) *tenant {
	name := b.who(j)
	if name == "" {
		name = unknown
	}
	t := b.each[name]
	if t == nil {
		t = &tenant{name: strings.Clone(name)}
		b.each[name] = t
	}
	return t
}

// unknown is the tenant of jobs that the trace gives none.
const unknown = "(unknown)"

// tenants lists them by name.
func (b *Book) tenants() []*tenant {
	var all []*tenant
	for _, t := range b.each {
		all = append(all, t)
	}
	slices.SortFunc(all, func(x, y *tenant) int { return strings.Compare(x.name, y.name) })
	return all
}
