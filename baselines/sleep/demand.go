package sleep

import (
	"slices"

	"tarry/sim"
)

// demand is the jobs that wait and what they ask for, by GPU type, and last of jobs that take any.
type demand struct {
	jobs    []job       // by JobID
	queue   []sim.JobID // jobs that wait
	drains  []sim.JobID // preempted jobs that write a checkpoint
	touched []sim.JobID // jobs whose state decisions may have changed
	asked   []want      // of jobs that wait for machines, after the last decision
	wanted  []sim.JobID // these jobs
	gaps    []int64     // memory of wake
	varied  bool        // some job's number of GPUs may vary
}

// job is where one is in the lists, plus 1.
type job struct{ queue, drains int32 }

// want is what jobs ask for.
type want struct {
	jobs  int   // that wait
	milli int64 // thousandths of a GPU, with what running jobs lack
}

// wanter is a policy whose jobs do not all wait for machines.
type wanter interface {
	// Wants appends the jobs that do.
	Wants(v *sim.View, dst []sim.JobID) []sim.JobID
}

func (d *demand) init(types int) { d.asked = make([]want, types+1) }

// requeued takes in the jobs that wait again, and jobs that decisions have touched.
func (d *demand) requeued(v *sim.View) {
	for n := v.NumJobs() - len(d.jobs); n > 0; n-- {
		d.jobs = append(d.jobs, job{})
	}
	for _, j := range d.touched {
		d.settle(v, j)
	}
	d.touched = d.touched[:0]
	for _, ev := range v.Events() {
		if ev.Kind != sim.Arrive && ev.Job != sim.NoJob && d.settle(v, ev.Job) {
			d.add(v, ev.Job)
		}
	}
}

// arrived takes in the new jobs.
func (d *demand) arrived(v *sim.View) {
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			d.settle(v, ev.Job)
			lo, hi := v.Job(ev.Job).Range()
			d.varied = d.varied || lo < hi
		}
	}
}

// settle lists a job by its state; it reports whether it waits now and did not.
func (d *demand) settle(v *sim.View, j sim.JobID) bool {
	s, x := v.Run(j).State(), &d.jobs[j]
	if (s == sim.Draining) != (x.drains > 0) {
		d.drains = d.change(d.drains, j, func(x *job) *int32 { return &x.drains })
	}
	if (s == sim.Waiting) == (x.queue > 0) {
		return false
	}
	d.wait(j)
	return s == sim.Waiting
}

// wait puts a job on the list of jobs that wait, or off it.
func (d *demand) wait(j sim.JobID) {
	d.queue = d.change(d.queue, j, func(x *job) *int32 { return &x.queue })
}

// change puts a job on a list, or off it.
func (d *demand) change(list []sim.JobID, j sim.JobID, at func(*job) *int32) []sim.JobID {
	k := at(&d.jobs[j])
	if *k == 0 {
		list = append(list, j)
		*k = int32(len(list))
		return list
	}
	last := len(list) - 1
	list[*k-1] = list[last]
	*at(&d.jobs[list[last]]) = *k
	*k = 0
	return list[:last]
}

// count takes stock of the jobs that wait for machines, and with grows of the GPUs that running jobs
// lack.
func (d *demand) count(v *sim.View, host sim.Policy, grows bool) {
	clear(d.asked)
	d.wanted = d.wanted[:0]
	if q, ok := host.(wanter); !ok {
		d.wanted = append(d.wanted, d.queue...)
	} else if len(d.queue) > 0 {
		d.wanted = q.Wants(v, d.wanted)
	}
	for _, j := range d.wanted {
		d.add(v, j)
	}
	if !grows || !d.varied {
		return
	}
	for _, j := range v.Running() {
		if n := v.Job(j).GPUs() - len(v.Run(j).Held()); n > 0 {
			d.asked[d.typeOf(v, j)].milli += int64(n) * int64(shareOf(v, j))
		}
	}
}

// add counts a job that waits for machines.
func (d *demand) add(v *sim.View, j sim.JobID) {
	w := &d.asked[d.typeOf(v, j)]
	w.jobs++
	w.milli += int64(shareOf(v, j)) * int64(v.Job(j).GPUs())
}

// wants reports whether jobs want GPUs of a type.
func (d *demand) wants(typ int32) bool {
	return d.asked[typ].milli > 0 || d.asked[len(d.asked)-1].milli > 0
}

// shareOf is the thousandths of each GPU that a job has.
func shareOf(v *sim.View, j sim.JobID) int32 {
	if share := v.Job(j).ShareMilli(); share > 0 {
		return share
	}
	return 1000
}

// typeOf is the index of a job's GPU type, the last one for jobs that take any.
func (d *demand) typeOf(v *sim.View, j sim.JobID) int {
	if t, name := v.Topology(), v.Job(j).GPUType(); name != "" && len(t.Types()) > 1 {
		if i := t.TypeIndex(name); i >= 0 {
			return i
		}
	}
	return len(d.asked) - 1
}

func (d *demand) clone() demand {
	c := *d
	c.jobs, c.queue, c.drains = slices.Clone(d.jobs), slices.Clone(d.queue), slices.Clone(d.drains)
	c.touched, c.asked, c.wanted, c.gaps = slices.Clone(d.touched), slices.Clone(d.asked), nil, nil
	return c
}
