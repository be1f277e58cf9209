package ces

import "tarry/sim"

// job is what is kept of one.
type job struct {
	link  int32 // first of its links plus 1; 0 = it runs nowhere
	waits bool
}

// link states that a job has GPUs on a machine.
type link struct {
	machine, next int32 // next = another of the same job, or of the unused ones; -1 = none
	milli         int32 // thousandths of GPUs
}

// follow takes in the events.
func (p *Policy) follow(v *sim.View) {
	for n := v.NumJobs() - len(p.jobs); n > 0; n-- {
		p.jobs = append(p.jobs, job{})
	}
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Finish, sim.Drained, sim.OutOfMemory, sim.Fail, sim.Arrive:
			if ev.Job == sim.NoJob {
				continue
			}
			p.left(v, ev.Job)
			if x := &p.jobs[ev.Job]; v.Run(ev.Job).State() == sim.Waiting && !x.waits {
				x.waits = true
				p.waiting++
				p.ask(v, ev.Job, 1)
			}
		case sim.Repair:
			for m := range p.machines { // machines that could not be put to sleep
				p.rest(int32(m), v.Now())
			}
		}
	}
}

// ask counts a job in or out of what waiting jobs want.
func (p *Policy) ask(v *sim.View, j sim.JobID, by int) {
	p.wants[p.typeOf(v, v.Job(j).GPUType())].add(v, j, by)
}

func (w *want) add(v *sim.View, j sim.JobID, by int) {
	w.jobs += by
	w.milli += int64(by) * int64(shareOf(v, j)) * int64(v.Job(j).GPUs())
}

// shareOf is the thousandths of each GPU that a job has.
func shareOf(v *sim.View, j sim.JobID) int32 {
	if share := v.Job(j).ShareMilli(); share > 0 {
		return share
	}
	return 1000
}

// typeOf is the index of a GPU type, the index of any for jobs that take any.
func (p *Policy) typeOf(v *sim.View, name string) int {
	types := v.Topology().Types()
	if name != "" && len(types) > 1 {
		for i := range types {
			if types[i] == name {
				return i
			}
		}
	}
	return len(p.wants) - 1
}

// started notes where a job runs, and what it waited for a boot.
func (p *Policy) started(v *sim.View, d *sim.Decision) {
	x := &p.jobs[d.Job]
	x.waits = false
	p.waiting--
	p.running++
	p.ask(v, d.Job, -1)
	share, t := shareOf(v, d.Job), v.Topology()
	late := -1 // the machine that was up last
	for i := 0; i < len(d.GPUs); {
		m, n := t.Machine(d.GPUs[i]), int32(0)
		for ; i < len(d.GPUs) && t.Machine(d.GPUs[i]) == m; i++ {
			n++
		}
		p.join(d.Job, int32(m), n*share)
		if late < 0 || p.machines[m].up > p.machines[late].up {
			late = m
		}
	}
	p.book.started(v.Run(d.Job).Since(), &p.machines[late])
}

// join puts a job on a machine.
func (p *Policy) join(j sim.JobID, m, milli int32) {
	l := link{machine: m, next: p.jobs[j].link - 1, milli: milli}
	at := p.vacant
	if at < 0 {
		at = int32(len(p.links))
		p.links = append(p.links, l)
	} else {
		p.vacant = p.links[at].next
		p.links[at] = l
	}
	p.jobs[j].link = at + 1
	p.book.milli += int64(milli)
	if x := &p.machines[m]; x.jobs == 0 {
		p.used++
	}
	p.machines[m].jobs++
}

// left takes a job off its machines.
func (p *Policy) left(v *sim.View, j sim.JobID) {
	x := &p.jobs[j]
	if x.link == 0 {
		return
	}
	p.running--
	p.quiet = max(p.cfg.history, warm) + 1
	for at := x.link - 1; at >= 0; {
		l := &p.links[at]
		p.book.milli -= int64(l.milli)
		m := &p.machines[l.machine]
		if m.jobs--; m.jobs == 0 {
			p.used--
			m.idle = v.Now()
			p.rest(l.machine, v.Now())
		}
		next := l.next
		l.next, p.vacant = p.vacant, at
		at = next
	}
	x.link = 0
}
