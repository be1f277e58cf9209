package replay

import (
	"cmp"
	"math"
	"slices"
)

// Config is what a run is about.
type Config struct {
	// Schedule is edf, edf-accessctrl, ef or ef-accessctrl.
	Schedule string
	// SlotS is the slot in seconds, > 0.
	SlotS int64
	// GPUs of the cluster, PerNode of each node.
	GPUs, PerNode int32
	// Most picks surplus by the most GPU time added, as the program does; else by the least, as its
	// paper states.
	Most bool
	// Base keeps the real end of a job's base share where it gets surplus GPUs, as in the authors'
	// published logs; else its end is its new plan's, as in the program of commit 04a0109.
	Base bool
}

// Job is one job.
type Job struct {
	// ID is the caller's; smaller comes first in the trace.
	ID int32
	// Deadline in seconds; 0 = none.
	Deadline int64

	counts []int32
	perS   []float64
	most   int32
	left   float64

	running  bool
	gpus     int32
	give     steps
	plan     steps // of the last look, not yet in force
	planEnd  int64
	end      int64
	was      int64 // end before the decision
	real     int64
	hasReal  bool
	event    int64 // when its end is an event, none = not yet
	overhead int64
	node     int32 // its first GPU
	cached   bool
	next     int32 // GPUs of the next level
	more     planned
	value    float64
}

const none = math.MinInt64

// NewJob makes a job of iterations; rates gives iterations per second on counts of GPUs, ascending,
// of which it may use up to most.
func NewJob(id int32, deadline int64, iterations float64, counts []int32, rates []float64, most int32) *Job {
	return &Job{ID: id, Deadline: deadline, counts: counts, perS: rates, most: most, left: iterations, event: none}
}

// deadlineOr is the deadline, far away where there is none.
func (j *Job) deadlineOr() int64 {
	if j.Deadline == 0 {
		return 1e14
	}
	return j.Deadline
}

// rate is the throughput on a count that the job has.
func (j *Job) rate(n int32) float64 {
	if i, ok := slices.BinarySearch(j.counts, n); ok {
		return j.perS[i]
	}
	return 0
}

// within is the largest count of the job that is at most q and at most free.
func (j *Job) within(q, free int32) int32 {
	best := int32(0)
	for _, n := range j.counts {
		if n > q || n > free || n > j.most {
			break
		}
		best = n
	}
	return best
}

// above is the next count, n itself where there is none.
func (j *Job) above(n int32) int32 {
	for _, c := range j.counts {
		if c > j.most {
			break
		}
		if c > n {
			return c
		}
	}
	return n
}

// GPUs is what the job has now.
func (j *Job) GPUs() int32 { return j.gpus }

// First is the first of its GPUs, which follow one another; -1 = the program finds none.
func (j *Job) First() int32 { return j.node }

// Overhead is for how many seconds from now it makes no progress.
func (j *Job) Overhead() int64 { return j.overhead }

// End is the second at which it ends, as it is planned now.
func (j *Job) End() int64 { return j.end }

// Ends reports whether its end is an event at a time or before.
func (j *Job) Ends(at int64) bool { return j.event != none && j.event <= at }

// Verdict is what became of a job.
type Verdict struct {
	Job *Job
	// End is as the program logs it; Met whether it counts the job as accepted in the end. A
	// rejected job has Rejected.
	End           int64
	Met, Rejected bool
}

// Run is one run of the simulator. Make it with New.
type Run struct {
	cfg   Config
	now   int64
	began bool
	jobs  []*Job // in the program's order: pending and running
	run   []*Job // running, in order of their starts
	wait  []arrival
	scale []int64 // changes of plans that are events
	free  steps
	count int64 // of decisions
	cache map[[2]int32]bool
	place blocks
	out   []Verdict
}

type arrival struct {
	at  int64
	job *Job
}

// New makes a run.
func New(cfg Config) *Run {
	return &Run{cfg: cfg, cache: map[[2]int32]bool{}, place: newBlocks(cfg.GPUs, cfg.PerNode)}
}

// Jobs lists the jobs that wait or run.
func (r *Run) Jobs() []*Job { return r.jobs }

// Elastic reports whether the schedule is one of ElasticFlow's own.
func (r *Run) elastic() bool { return r.cfg.Schedule == "ef" || r.cfg.Schedule == "ef-accessctrl" }

// Step takes the decision that is due and lists what became of jobs; the list is valid until the
// next.
func (r *Run) Step(at int64) []Verdict {
	r.out = r.out[:0]
	past := at - r.now
	if !r.began {
		past = 0
	}
	r.began, r.now = true, at
	r.work(past)
	arrived := r.arrivals()
	r.finish()
	r.scale = slices.DeleteFunc(r.scale, func(t int64) bool { return t <= at })
	for _, j := range r.jobs {
		j.overhead, j.was = 0, j.end
	}
	switch r.cfg.Schedule {
	case "edf":
		r.earliest(arrived)
	case "edf-accessctrl":
		r.earliestAdmitted(arrived)
	case "ef":
		r.flow(arrived)
	default:
		r.flowAdmitted(arrived)
	}
	r.charge()
	return r.out
}

// work books the iterations since the last decision. One that would be done before its planned end
// ends now, at the second in which it is done.
func (r *Run) work(past int64) {
	for _, j := range r.jobs {
		if j.gpus == 0 {
			continue
		}
		time, end := past, j.end
		if j.hasReal {
			end = j.real
		}
		if r.now > end {
			time -= r.now - end
		}
		if time -= j.overhead; time < 0 {
			time = 0
		}
		rate := j.rate(j.gpus)
		done := float64(float64(time) * rate)
		if j.left <= done && j.end > r.now {
			done = float64(float64(j.end-r.now+past) * rate)
			r.move(j, j.end, r.now)
			j.end = r.now - past + ceil(j.left/rate)
		}
		j.left -= done
	}
}

// arrivals takes the jobs that have come.
func (r *Run) arrivals() []*Job {
	var out []*Job
	n := 0
	for _, a := range r.wait {
		if a.at > r.now {
			r.wait[n] = a
			n++
			continue
		}
		out = append(out, a.job)
	}
	r.wait = r.wait[:n]
	return out
}

// finish ends the jobs whose end is an event by now, in the order of these.
func (r *Run) finish() {
	var done []*Job
	for _, j := range r.jobs {
		if j.event != none && j.event <= r.now {
			done = append(done, j)
		}
	}
	slices.SortStableFunc(done, func(a, b *Job) int { return cmp.Compare(a.event, b.event) })
	for _, j := range done {
		r.drop(j)
		judged := j.end
		if r.cfg.Schedule == "ef-accessctrl" {
			judged = j.real
		}
		r.out = append(r.out, Verdict{Job: j, End: j.end, Met: judged <= j.deadlineOr()})
	}
}

// drop takes a job off the books.
func (r *Run) drop(j *Job) {
	is := func(k *Job) bool { return k == j }
	r.jobs, r.run = slices.DeleteFunc(r.jobs, is), slices.DeleteFunc(r.run, is)
}

// start makes a pending job run.
func (r *Run) start(j *Job) {
	if !j.running {
		j.running = true
		r.run = append(r.run, j)
	}
}

// reject turns a job away.
func (r *Run) reject(j *Job) { r.out = append(r.out, Verdict{Job: j, Rejected: true}) }

// charge sets the overhead of all that run until the next decision.
func (r *Run) charge() {
	again := r.count > 0 && r.count%r.cfg.SlotS == 0
	if r.count++; again {
		clear(r.cache)
	}
	if r.cfg.Schedule == "edf" {
		return
	}
	jobs := r.jobs
	if r.cfg.Schedule == "ef" { // in its order events merge and part
		jobs = r.run
	}
	for _, j := range jobs {
		if j.gpus == 0 || !r.elastic() && !j.running {
			continue
		}
		j.overhead = r.overhead(j, again)
		if j.end += j.overhead; j.event != none {
			r.move(j, j.end-j.overhead, j.end)
		}
	}
}

// overhead is 2 s for GPUs that some job has had before, else 2 (log2 GPUs + 1) s more, and 27 s
// where all trainers start again; clusters of 256 GPUs and more take 7 s for 2, and 20 s more.
func (r *Run) overhead(j *Job, again bool) int64 {
	s, large := int64(2), r.cfg.GPUs >= 256
	if large {
		s = 7
	}
	if j.cached {
		return s
	}
	if again {
		if s += 27; large {
			s += 20
		}
	}
	for n := j.gpus; n > 0; n /= 2 {
		s += 2
	}
	return s
}
