package hours

import (
	"slices"

	"tarry/baselines/hours/slots"
	"tarry/sim"
	"tarry/sim/plan"
)

// anew plans all jobs from now on, lets those start whose slot has come, and with pauses preempts
// others.
func (p *Policy) anew(v *sim.View, out []sim.Decision) []sim.Decision {
	p.open(v)
	for _, j := range v.Running() {
		p.add(v, j, !p.preempt)
	}
	p.ready = slices.DeleteFunc(p.ready, func(j sim.JobID) bool { return !p.queue.Has(j) })
	slices.Sort(p.ready)
	p.ready = slices.Compact(p.ready)
	waiting := len(p.ready)
	for _, j := range p.ready {
		if p.preempt { // what was to start and does not fit is planned as the rest
			p.queue.Remove(j)
			p.held = append(p.held, j)
		} else {
			p.day.Jobs[p.add(v, j, false)].Due = 0
		}
	}
	if p.preempt {
		p.ready, waiting = p.ready[:0], 0
	}
	slices.Sort(p.held)
	for _, j := range p.held {
		p.add(v, j, false)
	}
	solved := false
	if p.states > 0 && len(p.jobs) <= fewJobs && waiting == 0 {
		ok, done := p.solver.Solve(&p.day, p.states)
		if solved = ok && done; solved {
			p.planner.Take(&p.day, &p.solver)
		}
	}
	if !solved {
		p.planner.Plan(&p.day, p.passes)
	}
	if p.preempt {
		out = p.pause(v, out)
	}
	p.held = slices.DeleteFunc(p.held, func(j sim.JobID) bool { return p.comes(j) && p.release(v, j) })
	return out
}

// fewJobs is how many are planned exactly.
const fewJobs = 8

// open begins a day at this instant, without jobs.
func (p *Policy) open(v *sim.View) {
	if p.of == nil {
		p.of, p.days = make([]int32, v.NumJobs()), make([]int32, v.NumJobs())
	}
	p.number++
	now := v.Now()
	p.next = now - now%p.slot + p.slot
	d := &p.day
	d.Slots, d.Jobs, p.jobs = d.Slots[:0], d.Jobs[:0], p.jobs[:0]
	for t := now; len(d.Slots) < p.slots; {
		end := t - t%p.slot + p.slot
		d.Slots = append(d.Slots, slots.Slot{Price: p.at(v, t), Len: int64(end - t)})
		t = end
	}
	d.Preempt, p.length = p.preempt, int64(p.next-now)+int64(p.slots-1)*int64(p.slot)
	p.nodes.describe(v, p)
}

// add puts a job into the day.
func (p *Policy) add(v *sim.View, j sim.JobID, runs bool) int {
	n := len(p.day.Jobs)
	x := slots.Job{GPUs: max(1, int(v.Job(j).Width())), Left: int64(left(v, j)), Begun: runs}
	if runs {
		x.GPUs, x.Left = len(v.Run(j).Held()), min(x.Left, p.length)
	}
	x.Watts = float64(x.GPUs) * p.nodes.gpuW
	x.Due, x.Starts = p.dueSlot(v, j, &x)
	p.day.Jobs, p.jobs = append(p.day.Jobs, x), append(p.jobs, j)
	p.of[j], p.days[j] = int32(n), p.number
	return n
}

// dueSlot is the first slot in which a job may not run, and in which it may not start. A deadline is
// kept to the slot; a job with slack may run for its time from a slot that begins within the slack.
func (p *Policy) dueSlot(v *sim.View, j sim.JobID, x *slots.Job) (due, starts int) {
	if x.Begun {
		return p.slots, 0
	}
	if d := v.Job(j).Deadline(); d != sim.Never {
		t := 0
		for t < p.slots && p.begin(t+1) <= d {
			t++
		}
		if t == p.slots {
			t++
		}
		return t, 0
	}
	latest, t := p.due(v, j)-sim.Time(x.Left), 1
	for t < p.slots && p.begin(t) <= latest {
		t++
	}
	rest := x.Left
	starts = t
	for t--; t < p.slots && rest > 0; t++ {
		rest -= p.day.Slots[t].Len
	}
	if rest > 0 {
		t = p.slots + 1
	}
	return t, starts
}

// begin is where a slot > 0 begins, or the last one ends.
func (p *Policy) begin(t int) sim.Time { return p.next + sim.Time(t-1)*p.slot }

// comes reports whether a job of the day is to run in slot 0, or cannot be done in time.
func (p *Policy) comes(j sim.JobID) bool { return !p.planner.Waits(int(p.of[j])) }

// insert plans the jobs that began to wait, from held[first] on, beside what is planned.
func (p *Policy) insert(v *sim.View, first int) {
	kept := p.held[:first]
	for _, j := range p.held[first:] {
		if len(p.days) == 0 || p.number == 0 {
			p.open(v)
			p.planner.Open(&p.day)
		}
		if p.days[j] != p.number {
			p.planner.Insert(p.add(v, j, false))
		}
		if !p.comes(j) || !p.release(v, j) {
			kept = append(kept, j)
		}
	}
	p.held = kept
}

// pause preempts the running jobs that are not to run in slot 0.
func (p *Policy) pause(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, j := range v.Running() {
		if !p.comes(j) {
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
			p.held = append(p.held, j)
			p.paused = append(p.paused, j)
		}
	}
	slices.Sort(p.held)
	return out
}

// start starts jobs whose slot has come, the first due first, as they fit, also on GPUs of jobs that
// are paused at this instant.
func (p *Policy) start(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	for _, j := range p.paused {
		if v.Run(j).CheckpointTime() == 0 {
			p.place.Vacate(v, j, p.queue.Demand(j))
		}
	}
	p.paused = p.paused[:0]
	out = p.fill(v, out)
	if v.Free().Total() > 0 && len(p.held) > 0 {
		out = p.early(v, out)
	}
	return out
}

// fill starts jobs of the queue that fit.
func (p *Policy) fill(v *sim.View, out []sim.Decision) []sim.Decision {
	p.queue.Open()
	for j := p.queue.Best(); j != sim.NoJob; j = p.queue.Best() {
		out = plan.Start(v, &p.queue, p.place, nil, j, out)
		if p.queue.Has(j) {
			p.queue.Close(j)
		}
	}
	return out
}

// early starts jobs for which slot 0 had no room when it was planned, and has now, before their slot.
func (p *Policy) early(v *sim.View, out []sim.Decision) []sim.Decision {
	n := len(p.ready)
	for _, j := range p.held {
		if p.days[j] == p.number && !p.planner.Gains(int(p.of[j])) {
			p.release(v, j)
		}
	}
	if len(p.ready) == n {
		return out
	}
	out = p.fill(v, out)
	for _, j := range p.ready[n:] {
		if p.queue.Has(j) {
			p.queue.Remove(j)
			continue
		}
		i := slices.Index(p.held, j)
		p.held = slices.Delete(p.held, i, i+1)
		p.planner.Now(int(p.of[j]))
	}
	p.ready = p.ready[:n]
	return out
}
