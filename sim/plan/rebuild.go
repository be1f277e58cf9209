package plan

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Rebuild plans orders that preempt: at a decision it walks running and waiting jobs together in
// key order and selects jobs that fit in the cluster's capacity, passing over misfits. Running
// jobs that are not selected are preempted, selected ones keep their places, and the selected
// waiting jobs are started as far as GPUs are free.
//
// Capacity counts GPUs that are free, held or draining. While checkpoints are being written the
// selected jobs keep their claim and start when the GPUs have drained, so no job is preempted for a
// claim that is already met.
//
// With a rule of places, Put, jobs are placed one by one in key order: a running job is preempted
// only for a job before it in the order that starts on its GPUs, and a job without a place is
// passed over, with the jobs of its demand.
//
// Without one a selection by count can fail at placement where GPUs have types, are shared, or a
// machine's CPU or memory binds. Such a selection is tried out first, as if all was drained; where
// one cannot be placed, only as many jobs of its demand as could be are selected again.
//
// With Falls or Bound a decision costs the logarithm of the running jobs for each job that starts
// or is preempted and for each that the order has to be asked for, beside Queue's costs. Without
// it, and where GPUs have types, the walk is one step per running job; they are kept nearly sorted
// from one decision to the next. With Put a demand that finds no free place costs a step for each
// running job behind it, or as many as make room.
type Rebuild struct {
	// Key ranks running and waiting jobs.
	Key Key
	// Falls states that the key of a job does not rise while it runs, except where a counter that is
	// watched of it reaches its bound.
	Falls bool
	// Bound bounds the key of a running job, which is given: until an instant it is at most most +
	// slope x the microseconds that have passed, as long as the job keeps its GPUs and no watched
	// counter reaches its bound. tight counts how often bounds were too wide to be of use: the larger,
	// the closer they shall be. nil = with Falls the key itself, else keys may move in any way.
	Bound func(v *sim.View, j sim.JobID, key float64, tight uint8) (most float64, slope int32, until sim.Time)
	// Weight gives a preempted job's second measure in the queue; nil = 0.
	Weight Key
	// Put is a rule of places: it chooses and takes the GPUs of a job that starts; nil = Placer.Place.
	Put func(v *sim.View, p *Placer, j sim.JobID, d *Demand) ([]cluster.GPU, bool)

	run      []ranked // all that run, where they are not indexed
	index    running
	draining []sim.JobID
	chosen   []sim.JobID
	lost     []ranked // running jobs that were not selected
	most     []int32  // by demand: 1 + how many waiting jobs of it can be placed; 0 = not known to be limited
	count    []int32  // by demand: how many were selected, or placed in the trial
	cap      capacities
	planned  []planned     // with Put: the waiting jobs that have a place
	places   []cluster.GPU // theirs
	claimed  int           // draining[:claimed]: their GPUs are planned
	off      []int         // running jobs taken off in a trial, counted from the last in order
}

type ranked struct {
	key  float64
	job  sim.JobID
	lost bool
}

// Decide appends the decisions of one instant. Without preempt every running job keeps its place
// and only the waiting ones are selected.
func (b *Rebuild) Decide(v *sim.View, q *Queue, p *Placer, preempt bool, out []sim.Decision) []sim.Decision {
	b.cap.follow(v)
	if b.indexed(v) {
		b.index.follow(v, b, q)
	}
	if q.Len() == 0 {
		return out
	}
	if b.indexed(v) && preempt {
		b.index.renew(v, b)
	}
	b.track(v)
	if !preempt && len(b.draining) == 0 {
		return b.started(v, Fill(v, q, p, b.Put, out), len(out))
	}
	if b.Put != nil {
		return b.byPlace(v, q, p, preempt, out)
	}
	clear(b.most)
	for {
		b.choose(v, q, preempt)
		if !b.infeasible(v, q, p) {
			break
		}
		b.unchoose(q)
	}
	return b.carryOut(v, q, p, out)
}

// indexed reports whether running jobs are in the index. Where GPUs have types, the walk looks at
// the types of each.
func (b *Rebuild) indexed(v *sim.View) bool {
	return (b.Falls || b.Bound != nil) && len(v.Topology().Types()) == 1
}

// track drops jobs that run no more, ranks the others anew and sorts them. The order moves
// little between decisions, so insertion is quick.
func (b *Rebuild) track(v *sim.View) {
	n := 0
	for _, r := range b.run {
		if v.Run(r.job).State() != sim.Running {
			continue
		}
		r.key, r.lost = b.Key(v, r.job), false
		i := n
		for n++; i > 0 && less(r, b.run[i-1]); i-- {
			b.run[i] = b.run[i-1]
		}
		b.run[i] = r
	}
	b.run = b.run[:n]
	n = 0
	for _, j := range b.draining {
		if v.Run(j).State() == sim.Draining {
			b.draining[n] = j
			n++
		}
	}
	b.draining = b.draining[:n]
}

func less(a, b ranked) bool { return a.key < b.key || a.key == b.key && a.job < b.job }

// recount begins to count jobs by demand.
func (b *Rebuild) recount(q *Queue) {
	for len(b.most) < len(q.classes) {
		b.most, b.count = append(b.most, 0), append(b.count, 0)
	}
	clear(b.count)
}

// isFull reports whether as many jobs of j's demand are selected as can be placed.
func (b *Rebuild) isFull(q *Queue, j sim.JobID) bool {
	c := q.nodes[j].class
	return b.most[c] > 0 && b.count[c] >= b.most[c]-1
}

func (b *Rebuild) unchoose(q *Queue) {
	for _, j := range b.chosen {
		q.readd(j)
	}
}

// infeasible tries the selection out on a cluster where all that is being given up is free. It
// notes how many jobs of a demand can be placed where not all can, and reports whether there was
// such a demand.
func (b *Rebuild) infeasible(v *sim.View, q *Queue, p *Placer) bool {
	if !q.sharing && !q.hosted {
		return false // whole GPUs can always be placed by count
	}
	p.Begin(v)
	for _, r := range b.lost {
		p.Vacate(v, r.job, q.Demand(r.job))
	}
	for _, j := range b.draining {
		p.Vacate(v, j, q.Demand(j))
	}
	bad := false
	b.recount(q)
	b.eachChosen(q, func(j sim.JobID) {
		c := q.nodes[j].class
		if b.most[c] == b.count[c]+1 { // the one before it did not fit
			return
		}
		if _, ok := p.Place(v, q.Demand(j)); ok {
			b.count[c]++
		} else {
			b.most[c], bad = b.count[c]+1, true
		}
	})
	return bad
}

// eachChosen calls f for the chosen jobs in key order, jobs that insist on a GPU type first, so
// that no job without a preference takes their GPUs.
func (b *Rebuild) eachChosen(q *Queue, f func(j sim.JobID)) {
	for pass := range 2 {
		for _, j := range b.chosen {
			if (q.Demand(j).Type == "") == (pass == 1) {
				f(j)
			}
		}
	}
}

// carryOut appends the preemptions, and the starts of those chosen that fit now; the others
// go back to the queue.
func (b *Rebuild) carryOut(v *sim.View, q *Queue, p *Placer, out []sim.Decision) []sim.Decision {
	p.Begin(v)
	b.release(v, q)
	out = b.preempted(v, q, p, out)
	from := len(out)
	b.eachChosen(q, func(j sim.JobID) {
		if gpus, ok := p.Place(v, q.Demand(j)); ok {
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
			return
		}
		q.readd(j)
	})
	if b.cap.typeOf != nil {
		out = b.leftover(v, q, p, out)
	}
	return b.started(v, out, from)
}

// preempted appends the preemptions of the jobs that lose their GPUs.
func (b *Rebuild) preempted(v *sim.View, q *Queue, p *Placer, out []sim.Decision) []sim.Decision {
	for _, r := range b.lost {
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: r.job})
		if v.Run(r.job).CheckpointTime() > 0 {
			b.draining = append(b.draining, r.job)
			continue
		}
		p.Vacate(v, r.job, q.Demand(r.job))
		w := 0.0
		if b.Weight != nil {
			w = b.Weight(v, r.job)
		}
		q.Add(v, r.job, r.key, w)
	}
	return out
}

// release takes the jobs that lose their GPUs out of the running ones; each may start again elsewhere
// at once.
func (b *Rebuild) release(v *sim.View, q *Queue) {
	if b.indexed(v) {
		b.index.close(v, b, q, b.lost)
		return
	}
	b.run = slices.DeleteFunc(b.run, func(r ranked) bool { return r.lost })
}

// leftover starts waiting jobs on unclaimed capacity: where GPUs have types, a job whose
// place a more urgent one needs may fit on others.
func (b *Rebuild) leftover(v *sim.View, q *Queue, p *Placer, out []sim.Decision) []sim.Decision {
	q.Open()
	for b.cap.total > 0 {
		j := q.Best()
		if j == sim.NoJob {
			break
		}
		gpus, ok := []cluster.GPU(nil), false
		if !b.isFull(q, j) && b.cap.claim(q.Demand(j)) {
			gpus, ok = p.Place(v, q.Demand(j))
		}
		if !ok {
			q.Close(j)
			continue
		}
		q.Remove(j)
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
	}
	return out
}

// started notes the jobs that the decisions from index n on start.
func (b *Rebuild) started(v *sim.View, out []sim.Decision, n int) []sim.Decision {
	for _, d := range out[n:] {
		if b.indexed(v) {
			b.index.fresh = append(b.index.fresh, d.Job)
		} else {
			b.run = append(b.run, ranked{job: d.Job})
		}
	}
	return out
}
