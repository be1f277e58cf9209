package queueing

import (
	"cmp"
	"maps"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// walled is a line for each virtual cluster, in which jobs start within its quota
// (sim.View.Tenants), in the line's order, and the first that does not fit blocks the jobs of its
// virtual cluster alone. A job larger than the quota starts when nothing else of its virtual
// cluster runs. Without a quota a virtual cluster has a queue of its own and no bound. Where quotas
// are more than there are GPUs, names that come first in the alphabet go first.
type walled struct {
	line  *line // for its order and placer; its queue has demands alone
	wards []ward
	names []int32 // wards by name
	index map[string]int32
	of    []int32 // job -> its ward plus 1, negative while it runs; 0 = neither
}

// ward is one virtual cluster.
type ward struct {
	name        string
	quota, used int64    // thousandths of GPUs; quota -1 = none
	queue       []inLine // the first is the last
}

// inLine is a job that waits.
type inLine struct {
	key float64
	job sim.JobID
}

// walled reads the rule of places and the setting vc, and makes lines of a line.
func (l *line) walled(s *param.Set) (sim.Policy, error) {
	where := places.Read(s)
	l.put = where.Put()
	if !s.Bool("vc", false) {
		return where.Paced(l), s.Err()
	}
	if !l.block {
		s.Fault("vc is true, expected block=true beside it: the first job of a virtual cluster blocks the others of it")
	}
	return where.Paced(&walled{line: l, index: map[string]int32{}}), s.Err()
}

// Knows implements sim.Policy.
func (w *walled) Knows() know.Set { return w.line.know }

// Decide implements sim.Policy.
func (w *walled) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if n := v.NumJobs() - len(w.of); n > 0 {
		w.of = append(w.of, make([]int32, n)...)
	}
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Finish, sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob {
				w.follow(v, ev.Job)
			}
		}
	}
	l := w.line
	l.place.Begin(v)
	for _, i := range w.names {
		x := &w.wards[i]
		for n := len(x.queue) - 1; n >= 0; n-- {
			j := x.queue[n].job
			d := l.queue.Note(v, j)
			if !x.admits(x.used, d.Milli()) {
				break
			}
			gpus, ok := w.gpus(v, j, d)
			if !ok {
				break
			}
			x.queue, x.used, w.of[j] = x.queue[:n], x.used+d.Milli(), -w.of[j]
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
		}
	}
	return out
}

// gpus places a job as the line does.
func (w *walled) gpus(v *sim.View, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	return w.line.place.Put(w.line.put, v, j, d)
}

// admits reports whether a job may start beside used thousandths in use.
func (x *ward) admits(used, milli int64) bool {
	return x.quota < 0 || used == 0 || used+milli <= x.quota
}

// follow takes in that a job came, ended or was stopped.
func (w *walled) follow(v *sim.View, j sim.JobID) {
	if i := -w.of[j]; i > 0 {
		w.wards[i-1].used -= w.line.queue.Note(v, j).Milli()
		w.of[j] = 0
	}
	if v.Run(j).State() != sim.Waiting || w.of[j] != 0 {
		return
	}
	i := w.ward(v, v.Job(j).VC())
	x := &w.wards[i]
	r := inLine{w.line.key(v, j), j}
	at, _ := slices.BinarySearchFunc(x.queue, r, func(a, b inLine) int {
		return cmp.Or(cmp.Compare(b.key, a.key),
			cmp.Compare(b.job, a.job))
	})
	x.queue = slices.Insert(x.queue, at, r)
	w.of[j] = i + 1
}

// ward is the ward of a virtual cluster.
func (w *walled) ward(v *sim.View, name string) int32 {
	i, ok := w.index[name]
	if !ok {
		i = int32(len(w.wards))
		w.index[name] = i
		x := ward{name: name, quota: -1}
		if gpus, ok := v.Tenants().Quota(name); ok {
			x.quota = 1000 * int64(gpus)
		}
		w.wards = append(w.wards, x)
		at, _ := slices.BinarySearchFunc(w.names, name, func(i int32,
			name string) int {
			return cmp.Compare(w.wards[i].name, name)
		})
		w.names = slices.Insert(w.names, at, i)
	}
	return i
}

// Wants appends the jobs that would start if there were GPUs: the jobs that quotas admit, in order.
// It is for a service that provides machines.
func (w *walled) Wants(v *sim.View, dst []sim.JobID) []sim.JobID {
	for _, i := range w.names {
		x := &w.wards[i]
		used := x.used
		for n := len(x.queue) - 1; n >= 0; n-- {
			milli := w.line.queue.Note(v, x.queue[n].job).Milli()
			if !x.admits(used, milli) {
				break
			}
			used += milli
			dst = append(dst, x.queue[n].job)
		}
	}
	return dst
}

// Clone gives an independent copy between two decisions, to resume from a snapshot.
func (w *walled) Clone() sim.Policy {
	c := &walled{line: w.line.Clone().(*line), wards: slices.Clone(w.wards), names: slices.Clone(w.names),
		index: maps.Clone(w.index), of: slices.Clone(w.of)}
	for i := range c.wards {
		c.wards[i].queue = slices.Clone(c.wards[i].queue)
	}
	return c
}
