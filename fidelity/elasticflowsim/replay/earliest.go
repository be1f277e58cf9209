package replay

import (
	"cmp"
	"slices"
)

// byDeadline sorts by deadline, equal ones as they are.
func byDeadline(jobs []*Job) {
	slices.SortStableFunc(jobs, func(a, b *Job) int { return cmp.Compare(a.deadlineOr(), b.deadlineOr()) })
}

// byGPUs sorts by the number of GPUs, the most first.
func byGPUs(jobs []*Job) {
	slices.SortStableFunc(jobs, func(a, b *Job) int { return cmp.Compare(b.gpus, a.gpus) })
}

// lookAll plans all jobs by deadline and reports whether each ends in time.
func (r *Run) lookAll(jobs []*Job) bool {
	byDeadline(jobs)
	r.free = steps{{r.now, r.cfg.GPUs}}
	good := true
	for _, j := range jobs {
		good = r.look(j) && good
	}
	return good
}

// look plans one job from now on: as many GPUs as it can use, or as are free, until it ends.
func (r *Run) look(j *Job) bool {
	was := r.free
	free := append(steps{}, was...)
	base := min(j.most, r.cfg.GPUs)
	at, avail, left, good := r.now, r.cfg.GPUs, j.left, true
	give := steps{{at, 0}}
	for _, x := range was {
		if x.at <= at {
			avail = x.gpus
			continue
		}
		n := base
		if avail < base {
			n = j.within(base, avail)
		}
		give = give.set(at, n)
		if n > 0 {
			end := ceil(float64(at) + left/j.rate(n))
			free = free.set(at, free.on(at)-n)
			if x.at >= end {
				if !was.has(end) {
					free = free.set(align(r.now, end, r.cfg.SlotS), avail)
				}
				return r.looked(j, free, give, end) && good
			}
			left -= float64(float64(x.at-at) * j.rate(n))
		}
		avail, at = free.on(x.at), x.at
		good = good && at <= j.deadlineOr()
	}
	give = give.set(at, base)
	end := ceil(float64(at) + left/j.rate(base))
	free = free.set(at, r.cfg.GPUs-base).set(align(r.now, end, r.cfg.SlotS), r.cfg.GPUs)
	return r.looked(j, free, give, end) && good
}

func (r *Run) looked(j *Job, free, give steps, end int64) bool {
	r.free, j.plan, j.planEnd = free.merged(), give.merged(), end
	return end <= j.deadlineOr()
}

// adopt puts the last look in force.
func (j *Job) adopt(now int64) {
	j.give, j.gpus, j.end = j.plan, j.plan.on(now), j.planEnd
}

// earliest is edf: all jobs run, the earliest deadline first.
func (r *Run) earliest(arrived []*Job) {
	if len(arrived) == 0 {
		r.lookAll(r.jobs)
	} else {
		r.jobs = append(r.jobs, arrived...)
		r.lookAll(slices.Clone(r.jobs))
	}
	for _, j := range r.jobs {
		j.adopt(r.now)
		if j.gpus > 0 {
			r.start(j)
		}
		if j.running {
			j.event = j.end
		}
	}
	placed := slices.Clone(r.jobs)
	byGPUs(placed)
	r.settle(placed)
}

// earliestAdmitted is edf-accessctrl: a job with which some job would be late is rejected.
func (r *Run) earliestAdmitted(arrived []*Job) {
	admitted := false
	for _, s := range arrived {
		if !r.lookAll(append(slices.Clone(r.jobs), s)) {
			r.reject(s)
			continue
		}
		admitted = true
		r.jobs = append(r.jobs, s)
		for _, j := range r.jobs {
			j.adopt(r.now)
			if j.gpus > 0 {
				r.start(j)
			}
			if j.running {
				j.event = j.end
			}
		}
	}
	if !admitted {
		r.lookAll(r.jobs)
		for _, j := range r.jobs {
			if j.give, j.gpus = j.plan, j.plan.on(r.now); j.gpus > 0 { // else it keeps its planned end
				r.start(j)
				j.end = j.planEnd
				j.event = j.end
			}
		}
	}
	r.settle(r.jobs)
}
