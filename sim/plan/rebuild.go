package plan

import (
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
// A selection by count can fail at placement where GPUs have types, are shared, or a machine's CPU
// or memory binds. Such a selection is tried out first, as if all was drained; where one cannot be
// placed, only as many jobs of its demand as could be are selected again.
//
// The walk costs one step per running job and per job started, beside Queue's costs; the running
// jobs are kept nearly sorted from one decision to the next.
type Rebuild struct {
	// Key ranks running and waiting jobs.
	Key Key
	// Weight gives a preempted job's second measure in the queue; nil = 0.
	Weight Key
	// Put chooses and takes the GPUs of a job that starts; nil = Placer.Place.
	Put func(v *sim.View, p *Placer, j sim.JobID, d *Demand) ([]cluster.GPU, bool)

	run      []ranked
	draining []sim.JobID
	chosen   []sim.JobID
	most     []int32 // by demand: 1 + how many waiting jobs of it can be placed; 0 = not known to be limited
	count    []int32 // by demand: how many were selected, or placed in the trial
	cap      capacities
}

type ranked struct {
	key  float64
	job  sim.JobID
	keep bool
}

// Decide appends the decisions of one instant. Without preempt every running job keeps its place
// and only the waiting ones are selected.
func (b *Rebuild) Decide(v *sim.View, q *Queue, p *Placer, preempt bool, out []sim.Decision) []sim.Decision {
	b.cap.follow(v)
	if q.Len() == 0 {
		return out
	}
	b.track(v)
	if !preempt && len(b.draining) == 0 {
		return b.started(Fill(v, q, p, b.Put, out), len(out))
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

// track drops jobs that run no more, ranks the others anew and sorts them. The order moves
// little between decisions, so insertion is quick.
func (b *Rebuild) track(v *sim.View) {
	n := 0
	for _, r := range b.run {
		if v.Run(r.job).State() != sim.Running {
			continue
		}
		r.key, r.keep = b.Key(v, r.job), false
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

// choose walks running and waiting jobs in key order. Chosen waiting jobs leave the queue.
func (b *Rebuild) choose(v *sim.View, q *Queue, preempt bool) {
	b.cap.open(v)
	b.chosen = b.chosen[:0]
	b.recount(q)
	q.Open()
	i := 0
	if !preempt {
		for ; i < len(b.run); i++ {
			b.run[i].keep = b.cap.hold(v, q, b.run[i].job)
		}
	}
	for w := q.Best(); ; {
		if i < len(b.run) && (w == sim.NoJob || less(b.run[i], ranked{key: q.Key(w), job: w})) {
			b.run[i].keep = b.cap.hold(v, q, b.run[i].job)
			i++
			continue
		}
		if w == sim.NoJob {
			return
		}
		if b.isFull(q, w) || !b.cap.claim(q.Demand(w)) {
			q.Close(w)
		} else {
			b.count[q.nodes[w].class]++
			b.chosen = append(b.chosen, w)
			q.Remove(w)
		}
		w = q.Best()
	}
}

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
	for _, r := range b.run {
		if !r.keep {
			p.Vacate(v, r.job, q.Demand(r.job))
		}
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
		if _, ok := b.put(v, q, p, j); ok {
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
	kept := 0
	for _, r := range b.run {
		if r.keep {
			b.run[kept] = r
			kept++
			continue
		}
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
	b.run = b.run[:kept] // a victim may start again elsewhere at once
	from := len(out)
	b.eachChosen(q, func(j sim.JobID) {
		if gpus, ok := b.put(v, q, p, j); ok {
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
			return
		}
		q.readd(j)
	})
	if b.cap.typeOf != nil {
		out = b.leftover(v, q, p, out)
	}
	return b.started(out, from)
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
			gpus, ok = b.put(v, q, p, j)
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
func (b *Rebuild) started(out []sim.Decision, n int) []sim.Decision {
	for _, d := range out[n:] {
		b.run = append(b.run, ranked{job: d.Job})
	}
	return out
}

func (b *Rebuild) put(v *sim.View, q *Queue, p *Placer, j sim.JobID) ([]cluster.GPU, bool) {
	if b.Put != nil {
		return b.Put(v, p, j, q.Demand(j))
	}
	return p.Place(v, q.Demand(j))
}
