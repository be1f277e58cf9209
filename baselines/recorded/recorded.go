// Package recorded plays what the scheduler of a trace's own cluster did: each job starts when it
// started in the trace, on the machines on which it ran there. So one's own scheduler stands beside
// others in one table. The record of a job is in sim.Job.Record; docs/howto/traces.md states which
// formats have one.
//
// Reading guide: recorded.go has the order of decisions, spots.go the machines of a job, clone.go
// the copy for snapshots.
package recorded

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy starts jobs as a trace records it.
type Policy struct {
	rule  cluster.Rule
	place *plan.Placer
	// line has the jobs without a record.
	line plan.Queue
	// ahead has the jobs whose recorded start is to come, due the jobs that wait for room since then,
	// by recorded start and JobID.
	ahead plan.Heap[sim.Time, sim.JobID]
	due   []entry
	// tasks has what the records of waiting jobs state.
	tasks map[sim.JobID]task
	alarm plan.Alarm
	names names
	// arena holds the allocations of the present decision.
	arena  []cluster.GPU
	counts counts
}

// entry is a job whose recorded start has come.
type entry struct {
	at  sim.Time
	job sim.JobID
}

// task is what the record of a waiting job states.
type task struct {
	at sim.Time
	// spots are its machines; nil = any.
	spots []spot
	// loose states that the GPUs of each machine are not recorded, away that machines are which the
	// cluster does not have or that cannot hold the job, again that the job started before.
	loose, away, again bool
}

// counts are the first starts of jobs with a record.
type counts struct {
	jobs, late, away   int
	wait, most, behind sim.Time
}

// New plays the record of a trace. It has no settings.
//
//  1. A job with a recorded start waits for that instant.
//  2. Then it starts on its recorded machines, on free GPUs there. Where these have no room, it
//     waits until they have, and later jobs pass it.
//  3. Where no machines are recorded, or machines which the cluster does not have or that cannot
//     hold the job, any free GPUs do: the nearest to one another.
//  4. Jobs without a record follow in order of arrival on what is left; the first that does not
//     fit blocks the others. No job is preempted.
//
// Machines are found by the names of a list of nodes. In a cluster without names the n-th name that
// comes up among the arriving jobs is the n-th machine.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return &Policy{rule: rule, place: plan.NewPlacer(rule)}, s.Err()
}

// Knows declares the records of a trace.
func (p *Policy) Knows() know.Set { return know.Record }

// Decide starts the jobs whose recorded start has come, then the others.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting {
				p.add(v, ev.Job, ev.Kind != sim.Arrive)
			}
		}
	}
	for p.ahead.Len() > 0 {
		j, at, _ := p.ahead.First()
		if at > v.Now() {
			break
		}
		p.ahead.Drop(j)
		p.wait(j, at)
	}
	p.place.Begin(v)
	p.arena = p.arena[:0]
	out = p.startDue(v, out)
	out = p.startLine(v, out)
	next := sim.Never
	if p.ahead.Len() > 0 {
		_, next, _ = p.ahead.First()
	}
	return p.alarm.Set(v.Now(), next, out)
}

// add takes up a job that begins to wait.
func (p *Policy) add(v *sim.View, j sim.JobID, again bool) {
	if p.line.Has(j) || p.waits(j) {
		return
	}
	job := v.Job(j).Public()
	if job.Record == nil {
		p.line.Add(v, j, 0, 0)
		return
	}
	if p.tasks == nil {
		p.tasks = map[sim.JobID]task{}
		p.ahead = plan.NewHeap[sim.Time, sim.JobID](make([]int32, v.NumJobs()))
	}
	t := p.task(v, j, &job)
	t.again = again
	p.tasks[j] = t
	if t.at > v.Now() {
		p.ahead.Set(j, t.at)
	} else {
		p.wait(j, t.at)
	}
}

// waits reports whether a job with a record waits.
func (p *Policy) waits(j sim.JobID) bool {
	_, ok := p.tasks[j]
	return ok
}

// wait adds a job to due.
func (p *Policy) wait(j sim.JobID, at sim.Time) {
	e := entry{at, j}
	i, _ := slices.BinarySearchFunc(p.due, e, func(a, b entry) int {
		if a.at != b.at {
			return int(min(max(a.at-b.at, -1), 1))
		}
		return int(a.job - b.job)
	})
	p.due = slices.Insert(p.due, i, e)
}

// startDue starts the jobs whose recorded start has come where their machines have room.
func (p *Policy) startDue(v *sim.View, out []sim.Decision) []sim.Decision {
	left := p.due[:0]
	for _, e := range p.due {
		t := p.tasks[e.job]
		gpus, ok := p.gpus(v, e.job, &t)
		if !ok {
			left = append(left, e)
			continue
		}
		if !t.again {
			p.counts.add(&t, v.Now(), v.Job(e.job).Submit())
		}
		delete(p.tasks, e.job)
		out = append(out, sim.Decision{Kind: sim.Start, Job: e.job, GPUs: gpus})
	}
	p.due = left
	return out
}

// startLine starts jobs without a record in order of arrival, up to the first that does not fit.
func (p *Policy) startLine(v *sim.View, out []sim.Decision) []sim.Decision {
	p.line.Open()
	for {
		j := p.line.Best()
		if j == sim.NoJob {
			return out
		}
		n := len(out)
		if out = plan.Start(v, &p.line, p.place, nil, j, out); len(out) == n {
			return out
		}
	}
}

// add counts the first start of a job with a record.
func (c *counts) add(t *task, now, submit sim.Time) {
	c.jobs++
	c.wait += t.at - submit
	if t.away {
		c.away++
	}
	if by := now - t.at; by > 0 {
		c.late++
		c.behind += by
		c.most = max(c.most, by)
	}
}

// Measures gives the jobs with a record that started, the mean wait that the trace records for
// them, and how many started later than recorded, or on other machines.
func (p *Policy) Measures(yield func(name, of, unit string, value float64)) {
	c := &p.counts
	yield("log_jobs", "", "count", float64(c.jobs))
	if c.jobs == 0 {
		return
	}
	yield("log_queue_mean_s", "", "s", c.wait.Seconds()/float64(c.jobs))
	yield("log_late_jobs", "", "count", float64(c.late))
	yield("log_late_mean_s", "", "s", c.behind.Seconds()/float64(c.jobs))
	yield("log_late_max_s", "", "s", c.most.Seconds())
	yield("log_elsewhere_jobs", "", "count", float64(c.away))
}
