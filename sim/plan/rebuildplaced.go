package plan

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// planned is a waiting job with its GPUs in Rebuild.places.
type planned struct {
	job     sim.JobID
	from, n int
}

// byPlace decides with a rule of places, which refuses GPUs that a count would have given out: the
// waiting jobs are placed in key order, on free GPUs, else on GPUs that drain, else on GPUs
// of jobs behind them. So a job loses its GPUs only to one before it in the order that starts on them.
func (b *Rebuild) byPlace(v *sim.View, q *Queue, p *Placer, preempt bool, out []sim.Decision) []sim.Decision {
	p.Begin(v)
	b.lost, b.planned, b.places, b.claimed = b.lost[:0], b.planned[:0], b.places[:0], 0
	if len(b.index.before) == 0 {
		b.index.open()
	}
	q.Open()
	for w := q.Best(); w != sim.NoJob; w = q.Best() {
		gpus, ok := b.Put(v, p, w, q.Demand(w))
		if !ok {
			gpus, ok = b.makeRoom(v, q, p, w, preempt)
		}
		if !ok {
			q.Close(w)
			continue
		}
		q.Remove(w)
		b.planned = append(b.planned, planned{w, len(b.places), len(gpus)})
		b.places = append(b.places, gpus...)
	}
	p.Begin(v)
	b.release(v, q)
	out = b.preempted(v, q, p, out)
	from := len(out)
	for _, w := range b.planned {
		gpus := b.places[w.from : w.from+w.n : w.from+w.n]
		if p.Take(v, gpus, q.Demand(w.job)) {
			out = append(out, sim.Decision{Kind: sim.Start, Job: w.job, GPUs: gpus})
			continue
		}
		q.readd(w.job) // its GPUs are draining
	}
	return b.started(v, out, from)
}

// makeRoom places a waiting job on what drains and is not claimed, and, where it may, on GPUs of
// running jobs behind it in the order: they are taken off from the last on until it has a place,
// and then put back, the first in order first, as far as it still has one.
func (b *Rebuild) makeRoom(v *sim.View, q *Queue, p *Placer, w sim.JobID, preempt bool) (gpus []cluster.GPU, ok bool) {
	d, behind := q.Demand(w), ranked{key: q.Key(w), job: w}
	b.off = b.off[:0]
	if len(b.draining) > b.claimed {
		for _, j := range b.draining[b.claimed:] {
			p.Vacate(v, j, q.Demand(j))
		}
		gpus, ok = b.Put(v, p, w, d)
	}
	for i, tried, next := 0, 0, 1; preempt && !ok; i++ {
		r := b.fromLast(v, q, i, behind)
		if r != nil && !r.lost {
			p.Vacate(v, r.job, q.Demand(r.job))
			b.off = append(b.off, i)
		}
		if n := len(b.off); n >= next || r == nil && n > tried {
			gpus, ok = b.Put(v, p, w, d)
			tried, next = n, n+n/2+1
		}
		if r == nil {
			break
		}
	}
	for n := len(b.off) - 1; n >= 0; n-- {
		r := b.fromLast(v, q, b.off[n], behind)
		if gpus, r.lost = b.putBack(v, q, p, r.job, w, gpus); r.lost {
			b.lost = append(b.lost, *r)
		}
	}
	for i := b.claimed; i < len(b.draining); i++ {
		if j := b.draining[i]; !p.Take(v, v.Run(j).Held(), q.Demand(j)) {
			b.draining[i], b.draining[b.claimed] = b.draining[b.claimed], j
			b.claimed++
		}
	}
	return gpus, ok
}

// putBack gives a running job that was taken off its GPUs back, where the waiting job for which
// that was done has others. It gives the GPUs of the waiting job, and whether the other loses its
// own.
func (b *Rebuild) putBack(v *sim.View, q *Queue, p *Placer, j, w sim.JobID, gpus []cluster.GPU) ([]cluster.GPU, bool) {
	held, of, d := v.Run(j).Held(), q.Demand(j), q.Demand(w)
	if p.Take(v, held, of) {
		return gpus, false
	}
	p.Give(v, gpus, d)
	p.Take(v, held, of)
	if others, ok := b.Put(v, p, w, d); ok {
		return others, false
	}
	p.Give(v, held, of)
	p.Take(v, gpus, d)
	return gpus, true
}

// fromLast is the i-th running job from the last in order, nil where that is not behind one in the
// order. It is valid until the next call.
func (b *Rebuild) fromLast(v *sim.View, q *Queue, i int, behind ranked) *ranked {
	jobs, at := b.run, len(b.run)-1-i
	if b.indexed(v) {
		x := &b.index
		if i == len(x.list) {
			x.reach(v, b, q, behind, x.before[i]+1)
		}
		if jobs, at = x.list, i; i == len(x.list) {
			at = -1
		}
	}
	if at < 0 || !less(behind, jobs[at]) {
		return nil
	}
	return &jobs[at]
}
