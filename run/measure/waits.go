package measure

import (
	"sort"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/end"
)

// waits finds how long jobs have no GPUs although as many of their type are free as they ask for.
// That is what delay timers, a blocked head of the queue, quotas or reservations cost a job; the
// rest of its time without GPUs is lack of GPUs. Where they lie does not matter: a policy that
// waits for near ones declines them.
//
// What is free counts after each decision. The books grow by a few numbers each time that there
// become enough GPUs for a demand or too few, and by one per job in the system.
type waits struct {
	top   *cluster.Topology
	wants []want
	jobs  map[sim.JobID]*waiting
}

// want is a demand: when there were enough free GPUs for it.
type want struct {
	gpus  int
	typ   string
	level cluster.Level // the finest unit that can hold it, a machine at least
	spans []span        // alternating, in order of time; before the first there were too few
}

// span begins at a time; clock is the time with enough GPUs before it, offers how often it came to
// that, this span included.
type span struct {
	at, clock sim.Time
	open      bool
	offers    int
}

// waiting is a job in the system.
type waiting struct {
	want    int
	without bool     // it has no GPUs
	since   sim.Time // from then on
	declined
}

// declined is for how long jobs had no GPUs although enough were free, and in how many stretches.
type declined struct {
	time   sim.Time
	offers int
}

// arrive begins to follow a job.
func (w *waits) arrive(v *sim.View, j sim.JobID) {
	gpus, typ := v.Job(j).GPUs(), v.Job(j).GPUType()
	i := 0
	for i < len(w.wants) && (w.wants[i].gpus != gpus || w.wants[i].typ != typ) {
		i++
	}
	if i == len(w.wants) {
		l, _ := w.top.Finest(cluster.LevelMachine, gpus, cluster.PerGPU{Type: typ})
		w.wants = append(w.wants, want{gpus: gpus, typ: typ, level: l})
	}
	w.jobs[j] = &waiting{want: i, without: true, since: v.Now()}
}

// instant takes in what is free after a decision.
func (w *waits) instant(now sim.Time, free *cluster.Free) {
	for i := range w.wants {
		x := &w.wants[i]
		f := free.Of(x.typ)
		x.set(now, f != nil && f.Total() >= x.gpus)
	}
}

// set notes whether there are enough GPUs from now on.
func (x *want) set(now sim.Time, open bool) {
	n := len(x.spans)
	if n == 0 {
		if open {
			x.spans = append(x.spans, span{at: now, open: true, offers: 1})
		}
		return
	}
	last := &x.spans[n-1]
	switch {
	case last.open == open:
	case last.at == now: // it did not last
		x.spans = x.spans[:n-1]
	case open:
		x.spans = append(x.spans, span{at: now, clock: last.clock, open: true, offers: last.offers + 1})
	default:
		x.spans = append(x.spans, span{at: now, clock: last.clock + now - last.at, offers: last.offers})
	}
}

// between is what a job declined that had no GPUs from a to b.
func (x *want) between(a, b sim.Time) (d declined) {
	if b <= a {
		return d
	}
	from := x.last(func(s *span) bool { return s.at <= a })
	to := x.last(func(s *span) bool { return s.at < b })
	d.time, d.offers = to.clock-from.clock, to.offers-from.offers
	if to.open {
		d.time += b - to.at
	}
	if from.open {
		d.time -= a - from.at
		d.offers++
	}
	return d
}

// last is the last span that begins early enough.
func (x *want) last(early func(s *span) bool) span {
	i := sort.Search(len(x.spans), func(i int) bool { return !early(&x.spans[i]) })
	if i == 0 {
		return span{}
	}
	return x.spans[i-1]
}

// interval ends a wait where the allocation began, and begins one where the job lost its GPUs.
func (w *waits) interval(i *sim.Interval) {
	j := w.jobs[i.Job]
	if j == nil {
		return
	}
	w.end(j, i.Start)
	switch i.Reason {
	case end.Preempt, end.Fault, end.OutOfMemory:
		j.without, j.since = true, i.End
	}
}

func (w *waits) end(j *waiting, at sim.Time) {
	if j.without {
		d := w.wants[j.want].between(j.since, at)
		j.time, j.offers, j.without = j.time+d.time, j.offers+d.offers, false
	}
}

// leave ends a job; level is the finest unit that can hold it.
func (w *waits) leave(id sim.JobID, now sim.Time) (d declined, level cluster.Level) {
	j := w.jobs[id]
	if j == nil {
		return d, level
	}
	delete(w.jobs, id)
	w.end(j, now)
	return j.declined, w.wants[j.want].level
}

// declines adds up what finished jobs declined.
type declines struct {
	jobs, offers int
	time         sim.Time
	byLevel      [cluster.LevelCluster + 1]struct {
		jobs int
		time sim.Time
	}
}

func (d *declines) add(x declined, level cluster.Level) {
	d.jobs++
	d.offers += x.offers
	d.time += x.time
	d.byLevel[level].jobs++
	d.byLevel[level].time += x.time
}

// plus adds another's.
func (d *declines) plus(o *declines) {
	d.jobs, d.offers, d.time = d.jobs+o.jobs, d.offers+o.offers, d.time+o.time
	for l := range d.byLevel {
		d.byLevel[l].jobs += o.byLevel[l].jobs
		d.byLevel[l].time += o.byLevel[l].time
	}
}

// rows gives means over finished jobs: of all, and of jobs whose finest unit is a machine, or a
// rack. Larger jobs have no near place to wait for.
func (d *declines) rows(of string, add Add) {
	add("delay_wait_mean_s", of, "s", share(d.time.Seconds(), float64(d.jobs)))
	add("delay_offers_mean", of, "count", share(float64(d.offers), float64(d.jobs)))
	for _, l := range [...]cluster.Level{cluster.LevelMachine, cluster.LevelRack} {
		if x := &d.byLevel[l]; x.jobs > 0 {
			add("delay_wait_"+l.String()+"_mean_s", of, "s", share(x.time.Seconds(), float64(x.jobs)))
		}
	}
}
