package iadeep

import (
	"slices"

	"tarry/baselines/iadeep/lcb"
	"tarry/sim"
	"tarry/sim/cluster"
)

// tuning is the batches of some tasks being tuned.
type tuning struct {
	group  []sim.JobID // the new task and those beside it
	tasks  []sim.JobID // tasks of group whose batch is tuned, at most a few
	own    []int32     // their own batches, in samples
	gpus   []cluster.GPU
	search *lcb.Search // nil until the first measurement, which is with the batches as they are
	point  int
	due    sim.Time
}

// most bounds the tasks that are tuned together.
const most = 4

// open begins to measure the jobs that were started beside others: with the batches as they are at
// first.
func (p *Policy) open(v *sim.View) {
	for _, s := range p.board.Starts() {
		p.group = append(p.group[:0], s.Job)
		for _, g := range s.GPUs {
			for _, x := range v.On(g) {
				if !slices.Contains(p.group, x) {
					p.group = append(p.group, x)
				}
			}
		}
		if len(p.group) == 1 {
			continue
		}
		slices.Sort(p.group[1:])
		t := tuning{group: slices.Clone(p.group), gpus: slices.Clone(s.GPUs), due: v.Now() + p.cfg.trial}
		for _, x := range p.group {
			if b := p.samples(v, x); p.cfg.tune && !p.tuned[x] && b > 0 && len(t.tasks) < most {
				t.tasks, t.own = append(t.tasks, x), append(t.own, b)
			}
			if x != s.Job && slices.Contains(t.tasks, x) {
				t.gpus = append(t.gpus, v.Run(x).Held()...)
			}
		}
		for _, g := range t.gpus {
			p.closed[g]++
		}
		p.tunings = append(p.tunings, t)
	}
}

// samples is a job's own batch, 0 where it is not known.
func (p *Policy) samples(v *sim.View, j sim.JobID) int32 {
	a := v.Job(j).Public()
	if a.BatchSize > 0 {
		return a.BatchSize
	}
	if b := v.Job(j).Batches().Initial; b > 0 {
		return b
	}
	return p.cfg.batch
}

// try continues the tunings whose trial has ended, and gives up tunings of which a task has ended
// or stopped.
func (p *Policy) try(v *sim.View, out []sim.Decision) []sim.Decision {
	kept := p.tunings[:0]
	for i := range p.tunings {
		t := &p.tunings[i]
		more := true
		switch {
		case slices.ContainsFunc(t.group, func(j sim.JobID) bool { return v.Run(j).State() != sim.Running }):
			out, more = p.end(v, t, out), false
		case t.due <= v.Now():
			out, more = p.next(v, t, out)
		}
		if more {
			kept = append(kept, *t)
		}
	}
	clear(p.tunings[len(kept):])
	p.tunings = kept
	return out
}

// next takes the measurement of a trial and begins the next one; false when there is none.
func (p *Policy) next(v *sim.View, t *tuning, out []sim.Decision) ([]sim.Decision, bool) {
	pd := p.degradation(v, t.group)
	if t.search == nil {
		p.here = p.here[:0]
		for _, j := range t.group {
			p.here = append(p.here, v.Job(j).Model())
		}
		p.table.Note(p.here, pd)
		if len(t.tasks) == 0 {
			return p.end(v, t, out), false
		}
		t.search = lcb.New(p.cfg.search, p.ranges(v, t))
	} else {
		t.search.Note(t.point, pd)
	}
	point, more := t.search.Next()
	if !more {
		return p.end(v, t, out), false
	}
	t.point, t.due = point, v.Now()+p.cfg.trial
	return p.set(v, t, t.search.Batches(point), out), true
}

// ranges are the batches that tasks may have.
func (p *Policy) ranges(v *sim.View, t *tuning) []lcb.Task {
	of := make([]lcb.Task, len(t.tasks))
	for i, j := range t.tasks {
		b, n := v.Job(j).Batches(), int32(len(v.Run(j).Held()))
		of[i] = lcb.Task{Own: t.own[i], Least: b.MinLocal * n, Most: b.Max}
		if local := b.MaxLocal * n; local > 0 && (of[i].Most == 0 || local < of[i].Most) {
			of[i].Most = local
		}
	}
	return of
}

// stalled is what a task counts that makes no progress.
const stalled = 1000

// degradation is the sum of (t - t0)/t0 over tasks, t the time for a unit of progress now, t0 alone
// with their own batch.
func (p *Policy) degradation(v *sim.View, group []sim.JobID) float64 {
	sum := 0.0
	for _, j := range group {
		if part := p.part(v, j); part > 1.0/(stalled+1) {
			sum += 1/part - 1
		} else {
			sum += stalled
		}
	}
	return sum
}

// set gives tasks batches, in samples.
func (p *Policy) set(v *sim.View, t *tuning, batches []int32, out []sim.Decision) []sim.Decision {
	for i, j := range t.tasks {
		want := float64(batches[i]) / float64(t.own[i])
		if v.Run(j).State() == sim.Running && v.Run(j).Knobs().Batch != want {
			out = append(out, sim.Decision{Kind: sim.Tune, Job: j, Knobs: sim.Knobs{Batch: want}})
		}
	}
	return out
}

// end keeps the best batches that were measured, and opens the GPUs.
func (p *Policy) end(v *sim.View, t *tuning, out []sim.Decision) []sim.Decision {
	for _, g := range t.gpus {
		p.closed[g]--
	}
	if t.search == nil {
		return out
	}
	best := t.own
	if k, ok := t.search.Best(); ok {
		best = t.search.Batches(k)
		for _, j := range t.tasks {
			p.tuned[j] = v.Run(j).State() == sim.Running
		}
	}
	return p.set(v, t, best, out)
}
