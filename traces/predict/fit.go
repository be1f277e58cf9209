package predict

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// latest gives an estimator that is to learn all jobs of the past again in the order of their
// submits, nil where the order does not matter. The jobs that end last are the longest: an
// estimator that remembers the latest best must not hear of them last.
func latest(e estimator) estimator {
	if r, ok := e.(interface{ relearn() estimator }); ok {
		return r.relearn()
	}
	return nil
}

// settle ends the learning of the past: what was learned may be shared by clones from now on.
func settle(e estimator) {
	if s, ok := e.(interface{ settle() }); ok {
		s.settle()
	}
}

// Fit learns from jobs.
func (p *online) Fit(jobs []sim.Job) {
	p.est, p.all, p.size, p.ended = p.est.empty(), errs{}, [classes]errs{}, nil
	if p.scale != nil {
		p.scale = newScales()
	}
	if p.history > 0 && len(jobs) > p.history {
		jobs = jobs[len(jobs)-p.history:]
	}
	r := &replay{p: p, jobs: jobs, ends: endings(jobs), looked: make([][]float64, len(jobs))}
	for i := range jobs {
		for r.ended(i) {
			r.learn()
		}
		if i*10 >= len(jobs) { // the first tenth is learned from only
			r.foretell(i)
		}
	}
	r.rest()
	settle(p.est)
	p.shape()
	p.make(&p.all) // here, and not once in each clone
	for i := range p.size {
		p.make(&p.size[i])
	}
}

// replay is how the jobs of the past come and end.
type replay struct {
	p      *online
	jobs   []sim.Job
	ends   []ending
	next   int         // of ends
	looked [][]float64 // by job: what a weighted estimator saw at the submit
	errors []foretold  // of jobs that ended
}

// foretold is the error of a job of the past.
type foretold struct {
	job   int
	error float64
}

// ended reports that the next job to end had ended at the submit of job i.
func (r *replay) ended(i int) bool {
	if r.next == len(r.ends) {
		return false
	}
	e := r.ends[r.next]
	return e.at <= r.jobs[i].Submit || e.job < i && e.alone
}

// learn learns from the next job to end.
func (r *replay) learn() {
	k := r.ends[r.next].job
	r.weigh(k)
	r.hear(k)
	r.p.est.add(hidden(&r.jobs[k]), logRun(r.jobs[k].RunTime()))
	r.next++
}

// weigh has a weighted estimator compare what it saw with how long the job ran.
func (r *replay) weigh(k int) {
	if s, ok := r.p.est.(weighted); ok {
		s.weigh(r.looked[k], logRun(r.jobs[k].RunTime()))
		r.looked[k] = nil
	}
}

// hear compares what was predicted with how long the job ran.
func (r *replay) hear(k int) {
	s := r.p.scale
	if s == nil {
		return
	}
	if _, e, ok := s.hear(sim.JobID(k), hidden(&r.jobs[k]), logRun(r.jobs[k].RunTime())); ok {
		r.errors = append(r.errors, foretold{k, e})
	}
}

// foretell predicts a job at its submit, and keeps the error.
func (r *replay) foretell(i int) {
	j := hidden(&r.jobs[i])
	if s, ok := r.p.est.(weighted); ok {
		r.looked[i] = s.look(j, nil)
	}
	if y, ok := r.p.est.point(j); ok {
		r.p.note(r.p.say(sim.JobID(i), j, y), logRun(r.jobs[i].RunTime())-y)
	}
}

// rest learns from the jobs that ended after the last submit.
func (r *replay) rest() {
	if latest(r.p.est) != nil {
		for _, e := range r.ends[r.next:] {
			r.weigh(e.job)
		}
		r.p.est, r.next = latest(r.p.est), 0
		slices.SortFunc(r.ends, func(a, b ending) int { return cmp.Compare(a.job, b.job) })
		clear(r.looked)
	}
	for r.next < len(r.ends) {
		r.learn()
	}
	r.rescale()
}

// rescale has the scales of errors learn all again in the order of submits, see latest.
func (r *replay) rescale() {
	if r.p.scale == nil {
		return
	}
	r.p.scale = newScales()
	slices.SortFunc(r.errors, func(a, b foretold) int { return cmp.Compare(a.job, b.job) })
	for _, f := range r.errors {
		r.p.scale.add(hidden(&r.jobs[f.job]), f.error)
	}
}

// ending is when a job of the past ended; alone states that all jobs come at once, and each ends
// before the next is looked at.
type ending struct {
	at    sim.Time
	job   int
	alone bool
}

func endings(jobs []sim.Job) []ending {
	out := make([]ending, len(jobs))
	if len(jobs) == 0 {
		return nil
	}
	together := jobs[0].Submit == jobs[len(jobs)-1].Submit
	for i := range jobs {
		out[i] = ending{jobs[i].Submit + jobs[i].RunTime(), i, together}
	}
	if !together {
		slices.SortStableFunc(out, func(a, b ending) int { return cmp.Compare(a.at, b.at) })
	}
	return out
}

// hidden is a job as it is seen before it ends.
func hidden(j *sim.Job) *sim.Job {
	c := *j
	c.Work, c.Iterations, c.IterS, c.State = 0, 0, 0, ""
	return &c
}
