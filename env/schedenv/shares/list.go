package shares

import (
	"cmp"
	"slices"

	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// List has the jobs in the system, and while an epoch is open the jobs among which GPUs are shared. It
// belongs to one run.
type List struct {
	// Jobs are the jobs that have a place, by arrival; Rest the others, with the most time left, which
	// get their least counts of what is left.
	Jobs []Share
	Rest []sim.JobID
	// Room is how many GPUs are left to give.
	Room int
	// Open states that an epoch is under way, Made that one has ended at this instant.
	Open, Made bool

	places int
	due    bool // GPUs are to be shared anew
	late   bool // a count of the last epoch could not be met

	system []sim.JobID // jobs in the system, by arrival
	sizer  *plan.Sizer
	curves *plan.Curves // of the run; shared by copies of one window
	all    []Share      // scratch
	counts []plan.Count
	queue  []plan.Wanted
}

// New has so many places and finds GPUs by a rule.
func New(places int, place cluster.Rule) List {
	return List{places: places, sizer: plan.NewSizer(place), curves: new(plan.Curves)}
}

// Begin takes in an instant and opens an epoch if GPUs are to be shared anew: when jobs arrive or end,
// GPUs fail or come back, or due is true.
func (l *List) Begin(v *sim.View, due bool) {
	l.due = l.due || due
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive:
			if v.Run(ev.Job).State() == sim.Waiting {
				l.system, l.due = append(l.system, ev.Job), true
			}
		case sim.Finish:
			if i, ok := slices.BinarySearch(l.system, ev.Job); ok {
				l.system = slices.Delete(l.system, i, i+1)
			}
			l.due = true
		case sim.OutOfMemory, sim.Fail, sim.Repair, sim.Load:
			l.due = true
		case sim.Drained:
			l.due = l.due || l.late
		}
	}
	if l.Made, l.Open = false, l.due && len(l.system) > 0; l.Open {
		l.list(v)
	}
}

// Empty reports that no job is in the system.
func (l *List) Empty() bool { return len(l.system) == 0 }

// list begins an epoch: nothing is given out yet.
func (l *List) list(v *sim.View) {
	l.Room = v.Usable()
	l.all = l.all[:0]
	for _, j := range l.system {
		switch v.Run(j).State() {
		case sim.Waiting, sim.Running:
			l.all = append(l.all, l.shareOf(v, j))
		case sim.Draining:
			l.Room -= len(v.Run(j).Held())
		}
	}
	l.Jobs, l.Rest = append(l.Jobs[:0], l.all...), l.Rest[:0]
	if len(l.Jobs) <= l.places {
		return
	}
	slices.SortStableFunc(l.all, func(a, b Share) int { return cmp.Compare(a.Fastest(), b.Fastest()) })
	for _, x := range l.all[l.places:] {
		l.Rest = append(l.Rest, x.Job)
	}
	slices.Sort(l.Rest)
	l.Jobs = slices.DeleteFunc(l.Jobs, func(x Share) bool {
		_, beyond := slices.BinarySearch(l.Rest, x.Job)
		return beyond
	})
}

// Give gives so many GPUs more to a job of the list.
func (l *List) Give(i, gpus int) {
	l.Jobs[i].Count += gpus
	l.Room -= gpus
}

// Stop ends the epoch: the counts stand.
func (l *List) Stop() { l.Open, l.Made, l.due = false, true, false }

// Finish turns the counts of an epoch that has ended into decisions.
func (l *List) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	if !l.Made {
		return out
	}
	l.tally(v)
	n := len(out)
	out = l.sizer.Decide(v, l.counts, out)
	if l.late = len(l.sizer.Late()) > 0; l.late && len(v.Running())+v.Draining() == 0 {
		out = l.rescue(v, out, n)
	}
	return out
}

// rescue starts the first job that fits with its least count where nothing runs and no count could be
// met, such as where GPUs of each type have failed: no event would follow.
func (l *List) rescue(v *sim.View, out []sim.Decision, from int) []sim.Decision {
	for i := 0; len(out) == from && i < len(l.system); i++ {
		least, _ := v.Job(l.system[i]).Range()
		l.counts = append(l.counts[:0], plan.Count{Job: l.system[i], GPUs: int32(least)})
		out = l.sizer.Decide(v, l.counts, out)
	}
	return out
}

// tally lists the counts: starts first, the largest before others, then what runs. Jobs beyond the
// list get their least counts of what is left.
func (l *List) tally(v *sim.View) {
	l.counts = l.counts[:0]
	for i := range l.Jobs {
		l.counts = append(l.counts, plan.Count{Job: l.Jobs[i].Job, GPUs: int32(l.Jobs[i].Count)})
	}
	for _, j := range l.Rest {
		n := 0
		if least, _ := v.Job(j).Range(); least <= l.Room {
			n = least
		}
		l.Room -= n
		l.counts = append(l.counts, plan.Count{Job: j, GPUs: int32(n)})
	}
	runs := func(c plan.Count) int {
		if v.Run(c.Job).State() == sim.Running {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(l.counts, func(a, b plan.Count) int {
		if r := cmp.Compare(runs(a), runs(b)); r != 0 || runs(a) == 1 {
			return r
		}
		return cmp.Compare(b.GPUs, a.GPUs)
	})
}

// Cluster writes schedenv.ClusterFeatures, with the waiting jobs of the list, and gives how many numbers
// they are.
func (l *List) Cluster(v *sim.View, lease sim.Time, obs []float64) int {
	l.queue = l.queue[:0]
	for i := range l.Jobs {
		if r := v.Run(l.Jobs[i].Job); r.State() == sim.Waiting {
			l.queue = append(l.queue, plan.Wanted{GPUs: v.Job(l.Jobs[i].Job).GPUs(), Waiting: 1, Oldest: r.Since()})
		}
	}
	return schedenv.Cluster(v, l.queue, lease, obs)
}

// Shorter is the share of places with jobs that have less time left than a job of the list.
func (l *List) Shorter(i int) float64 {
	shorter := 0
	for k := range l.Jobs {
		if l.Jobs[k].Fastest() < l.Jobs[i].Fastest() {
			shorter++
		}
	}
	return float64(shorter) / float64(l.places)
}

// Copy gives an independent copy, without an open epoch's list.
func (l *List) Copy() List {
	c := *l
	c.sizer, c.curves, c.system = l.sizer.Clone(), new(plan.Curves), slices.Clone(l.system)
	c.Jobs, c.Rest, c.all, c.counts, c.queue = nil, nil, nil, nil, nil
	return c
}

// CopyFrom makes l equal to another list, without an open epoch's jobs.
func (l *List) CopyFrom(o *List) {
	old := *l
	*l = *o
	l.sizer, l.system = old.sizer, append(old.system[:0], o.system...)
	l.Jobs, l.Rest, l.all = old.Jobs[:0], old.Rest[:0], old.all[:0]
	l.counts, l.queue = old.counts[:0], old.queue[:0]
}
