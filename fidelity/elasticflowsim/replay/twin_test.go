package replay

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
)

// The events of ef once more, as the program has them: a list of instants, each with the jobs that
// arrive and end at it; changes of plans are instants without either. Planning, placement and
// overheads are Run's, whose Due, move and finish are compared with this.
type instant struct {
	at           int64
	starts, ends []*Job
}

type twin struct {
	r    *Run
	list []*instant
	log  []string
}

func (w *twin) at(t int64) *instant {
	if i := slices.IndexFunc(w.list, func(e *instant) bool { return e.at == t }); i >= 0 {
		return w.list[i]
	}
	return nil
}

// reach gives the instant at a time, a new one where there is none.
func (w *twin) reach(t int64) *instant {
	e := w.at(t)
	if e == nil {
		e = &instant{at: t}
		w.list = append(w.list, e)
	}
	return e
}

func (w *twin) ends(j *Job, t int64) {
	if e := w.reach(t); !slices.Contains(e.ends, j) {
		e.ends = append(e.ends, j)
	}
}

// change moves the end of a job: the instant that it leaves without an arrival or an end is taken
// off the list, whatever plan changes at it.
func (w *twin) change(j *Job, from, to int64) {
	if from == to {
		return
	}
	if e := w.at(from); e != nil {
		e.ends = slices.DeleteFunc(e.ends, func(k *Job) bool { return k == j })
		if len(e.ends)+len(e.starts) == 0 {
			w.list = slices.DeleteFunc(w.list, func(k *instant) bool { return k == e })
		}
	}
	w.ends(j, to)
}

// run goes to the end.
func (w *twin) run() {
	now, past := w.list[0].at, int64(0)
	for len(w.list) > 0 {
		w.r.now = now
		w.work(past)
		e := w.at(now)
		text := fmt.Sprint(now, ":")
		slices.SortFunc(e.ends, func(a, b *Job) int { return cmp.Compare(a.ID, b.ID) })
		for _, j := range e.ends {
			w.r.drop(j)
			text += fmt.Sprintf(" -%d at %d", j.ID, j.end)
		}
		w.plan(e)
		w.log = append(w.log, text+" "+given(w.r))
		if len(w.list) == 0 {
			return
		}
		next := w.merge(now)
		now, past = next, next-now
	}
}

// given lists who has which GPUs.
func given(r *Run) (text string) {
	jobs := slices.Clone(r.jobs)
	slices.SortFunc(jobs, func(a, b *Job) int { return cmp.Compare(a.ID, b.ID) })
	for _, j := range jobs {
		if j.gpus > 0 {
			text += fmt.Sprintf(" %d:%d+%d", j.ID, j.node, j.gpus)
		}
	}
	return text
}

func (w *twin) work(past int64) {
	for _, j := range w.r.jobs {
		if j.gpus == 0 {
			continue
		}
		time, end := past, j.end
		if j.hasReal {
			end = j.real
		}
		if w.r.now > end {
			time -= w.r.now - end
		}
		if time -= j.overhead; time < 0 {
			time = 0
		}
		rate := j.rate(j.gpus)
		done := float64(float64(time) * rate)
		if j.left <= done && j.end > w.r.now {
			done = float64(float64(j.end-w.r.now+past) * rate)
			end := w.r.now - past + ceil(j.left/rate)
			w.change(j, j.end, w.r.now)
			j.end = end
		}
		j.left -= done
	}
	for _, j := range w.r.jobs {
		j.overhead = 0
	}
}

func (w *twin) plan(e *instant) {
	r := w.r
	r.jobs = append(r.jobs, e.starts...)
	was := map[*Job]int64{}
	for _, j := range r.jobs {
		was[j] = j.end
	}
	r.estimate(r.jobs)
	for _, j := range r.jobs {
		j.gpus = j.give.on(r.now)
		w.change(j, was[j], j.end)
	}
	w.list = slices.DeleteFunc(w.list, func(k *instant) bool { return k == e })
	waiting := slices.DeleteFunc(slices.Clone(r.jobs), func(j *Job) bool { return j.running })
	slices.SortFunc(waiting, func(a, b *Job) int { return cmp.Compare(a.ID, b.ID) })
	for _, j := range waiting {
		i := slices.IndexFunc(j.give, func(x point) bool { return x.gpus > 0 })
		if i >= 0 && j.give[i].at > r.now {
			w.reach(j.give[i].at)
			continue
		}
		r.start(j)
		w.ends(j, j.end)
	}
	w.surplus()
	for _, j := range r.run {
		if i := slices.IndexFunc(j.give, func(x point) bool { return x.at > r.now }); i >= 0 {
			w.reach(j.give[i].at)
		}
	}
	wide := slices.Clone(r.run)
	slices.SortStableFunc(wide, func(a, b *Job) int {
		return cmp.Compare(min(b.gpus, r.cfg.PerNode),
			min(a.gpus, r.cfg.PerNode))
	})
	r.settle(wide)
	if len(w.list) == 0 {
		return
	}
	again := r.count > 0 && r.count%r.cfg.SlotS == 0
	if r.count++; again {
		clear(r.cache)
	}
	for _, j := range r.run {
		if j.gpus > 0 {
			j.overhead = r.overhead(j, again)
			w.change(j, j.end, j.end+j.overhead)
			j.end += j.overhead
		}
	}
}

// surplus is the round of Run.allot.
func (w *twin) surplus() {
	r, left := w.r, w.r.cfg.GPUs
	for _, j := range r.jobs {
		j.next, left = j.above(j.gpus), left-j.gpus
	}
	if left == 0 {
		return
	}
	for _, j := range r.jobs {
		r.weigh(j, left)
	}
	r.rank()
	for gave := true; left > 0 && gave; {
		i := slices.IndexFunc(r.jobs, func(j *Job) bool { return j.next != j.gpus && j.next-j.gpus <= left })
		if gave = i >= 0; gave {
			j := r.jobs[i]
			left -= j.next - j.gpus
			from := j.end
			r.free, j.give, j.end, j.gpus = j.more.free, j.more.steps, j.more.end, j.next
			if !r.cfg.Base {
				j.real = j.more.real
			}
			r.start(j)
			w.change(j, from, j.end)
			j.next = j.above(j.gpus)
		}
		for _, j := range r.jobs {
			if j.next > j.gpus {
				r.weigh(j, left)
			}
		}
		r.rank()
	}
}

// merge makes one of the instants within a slot, and gives when the next is.
func (w *twin) merge(now int64) int64 {
	slices.SortStableFunc(w.list, func(a, b *instant) int { return cmp.Compare(a.at, b.at) })
	next, slot := w.list[0].at, w.r.cfg.SlotS
	for next-now <= slot && len(w.list) > 1 {
		w.list[0].at = now + slot
		if w.list[1].at-now > slot {
			break
		}
		next = w.list[1].at
		w.list[0].starts = append(w.list[0].starts, w.list[1].starts...)
		w.list[0].ends = append(w.list[0].ends, w.list[1].ends...)
		w.list = slices.Delete(w.list, 1, 2)
	}
	return w.list[0].at
}

// Every decision of ef, its time, what ends at it and who has which GPUs, is as in the program's
// list of events.
func TestEventsOfEFAreThoseOfAList(t *testing.T) {
	for _, c := range []struct {
		trace, gpu string
		nodes      int32
		slot       int64
		base       bool
	}{
		{"fig10_100jobs_1500lam", "A100", 16, 240, false}, {"fig10_100jobs_1500lam", "A100", 16, 240, true},
		{"fig10_100jobs_1500lam", "A100", 4, 60, false},
		{"itp_195job", "A100", 16, 240, false}, {"itp_195job", "A100", 8, 60, true},
		{"elasticVpollux_e", "T4", 4, 60, false}, {"itp_cluster10", "A100", 16, 240, false},
	} {
		cfg := Config{Schedule: "ef", SlotS: c.slot, GPUs: 8 * c.nodes, PerNode: 8, Most: true, Base: c.base}
		all, at, _ := jobs(t, c.trace, c.gpu, "ef")
		w := twin{r: New(cfg)}
		for i, j := range all {
			e := w.reach(at[i])
			e.starts = append(e.starts, j)
		}
		w.run()
		all, at, _ = jobs(t, c.trace, c.gpu, "ef")
		r, n := New(cfg), 0
		for k := 0; ; k++ {
			due, ok := r.Due(n < len(all))
			if n < len(all) && (!ok || at[n] <= due) {
				r.Arrive(at[n], all[n])
				n, k = n+1, k-1
				continue
			}
			if !ok {
				if k != len(w.log) {
					t.Errorf("%+v: %d decisions, the list has %d", c, k, len(w.log))
				}
				break
			}
			text := fmt.Sprint(due, ":")
			ended := slices.Clone(r.Step(due))
			slices.SortFunc(ended, func(a, b Verdict) int { return cmp.Compare(a.Job.ID, b.Job.ID) })
			for _, v := range ended {
				text += fmt.Sprintf(" -%d at %d", v.Job.ID, v.End)
			}
			if text += " " + given(r); k >= len(w.log) || text != w.log[k] {
				t.Errorf("%+v: decision %d is\n%s\nthere\n%s", c, k, text, w.log[min(k, len(w.log)-1)])
				break
			}
		}
	}
}
