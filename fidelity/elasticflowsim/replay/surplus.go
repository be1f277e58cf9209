package replay

import (
	"cmp"
	"math"
	"slices"
)

// estimate plans all jobs by deadline, each with its minimum satisfactory share, and reports
// whether each ends in time.
func (r *Run) estimate(jobs []*Job) bool {
	byDeadline(jobs)
	r.free = steps{{r.now, r.cfg.GPUs}}
	good := true
	for _, j := range jobs {
		p := r.share(j, r.free, 0)
		r.free, j.give, j.end, j.real, j.hasReal = p.free.merged(), p.steps.merged(), p.end, p.real, true
		good = good && p.real <= j.deadlineOr()
	}
	return good
}

// flow is ef: all jobs run.
func (r *Run) flow(arrived []*Job) {
	r.jobs = append(r.jobs, arrived...)
	r.estimate(r.jobs)
	r.allot()
	for _, j := range r.run {
		r.scaleAt(j)
	}
	wide := slices.Clone(r.run)
	slices.SortStableFunc(wide, func(a, b *Job) int {
		return cmp.Compare(min(b.gpus, r.cfg.PerNode),
			min(a.gpus, r.cfg.PerNode))
	})
	r.settle(wide)
}

// flowAdmitted is ef-accessctrl: jobs that come together are admitted together, if all jobs end in
// time.
func (r *Run) flowAdmitted(arrived []*Job) {
	if len(arrived) == 0 {
		r.estimate(r.jobs)
	} else if all := append(slices.Clone(r.jobs), arrived...); r.estimate(all) {
		r.jobs = append(r.jobs, arrived...)
		byDeadline(r.jobs)
	} else {
		for _, j := range arrived {
			if j.Deadline == 0 {
				r.jobs = append(r.jobs, j)
			} else {
				r.reject(j)
			}
		}
		r.estimate(r.jobs)
	}
	r.allot()
	byGPUs(r.jobs)
	r.rescale()
	r.settle(r.jobs)
}

// allot starts the jobs whose plans begin now and gives the rest of the GPUs out.
func (r *Run) allot() {
	for _, j := range r.jobs {
		j.gpus = j.give.on(r.now)
		r.move(j, j.was, j.end)
	}
	r.begin()
	left := r.cfg.GPUs
	for _, j := range r.jobs {
		j.next = j.above(j.gpus)
		left -= j.gpus
	}
	if left <= 0 {
		return
	}
	for _, j := range r.jobs {
		r.weigh(j, left)
	}
	r.rank()
	for gave := true; left > 0 && gave; {
		gave = false
		for _, j := range r.jobs {
			if j.next == j.gpus || j.next-j.gpus > left {
				continue
			}
			left -= j.next - j.gpus
			r.move(j, j.end, j.more.end)
			r.free, j.give, j.end, j.gpus = j.more.free, j.more.steps, j.more.end, j.next
			if !r.cfg.Base {
				j.real = j.more.real
			}
			j.next, gave = j.above(j.gpus), true
			r.start(j)
			break
		}
		for _, j := range r.jobs {
			if j.next > j.gpus {
				r.weigh(j, left)
			}
		}
		r.rank()
	}
}

// begin starts the jobs that wait and whose plans begin now, in the order in which they came; the
// first GPUs of the others are events under ef.
func (r *Run) begin() {
	waiting := slices.DeleteFunc(slices.Clone(r.jobs), func(j *Job) bool { return j.running })
	slices.SortFunc(waiting, func(a, b *Job) int { return cmp.Compare(a.ID, b.ID) })
	for _, j := range waiting {
		if i := slices.IndexFunc(j.give, func(x point) bool { return x.gpus > 0 }); i < 0 || j.give[i].at <= r.now {
			r.start(j)
		} else if r.cfg.Schedule == "ef" {
			r.scaleAt(j)
		}
	}
}

// rank sorts jobs by the gain of one more GPU: jobs that get none first.
func (r *Run) rank() {
	slices.SortStableFunc(r.jobs, func(a, b *Job) int { return cmp.Compare(b.value, a.value) })
}

// weigh looks what the next level would add in GPU time, for each GPU added.
func (r *Run) weigh(j *Job, left int32) {
	if j.next == j.gpus || j.next-j.gpus > left {
		j.value = math.Inf(-1)
		return
	}
	free := append(steps{}, r.free...)
	if !free.has(j.end) {
		free = free.set(j.end, free.before(j.end, 0))
	}
	had := int32(0)
	for _, x := range j.give {
		if !free.has(x.at) {
			free = free.set(x.at, free.before(x.at+1, r.cfg.GPUs))
		}
		for k := range free {
			if free[k].at >= x.at && free[k].at < j.end {
				free[k].gpus += x.gpus - had
			}
		}
		had = x.gpus
	}
	j.more = r.share(j, free.merged(), j.next)
	j.more.free, j.more.steps = j.more.free.merged(), j.more.steps.merged()
	j.value = (j.more.steps.gpuTime(j.more.end) - j.give.gpuTime(j.end)) / float64(j.next-j.gpus)
	if !r.cfg.Most {
		j.value = -j.value
	}
	if j.gpus == 0 {
		j.value = math.Inf(1)
	}
}
