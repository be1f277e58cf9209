package plan

import (
	"math"

	"tarry/sim"
)

// choose walks running and waiting jobs in key order. Chosen waiting jobs leave the queue, and
// running jobs that lose their GPUs are in lost, in order.
func (b *Rebuild) choose(v *sim.View, q *Queue, preempt bool) {
	b.cap.open(v)
	b.chosen, b.lost = b.chosen[:0], b.lost[:0]
	b.recount(q)
	q.Open()
	if b.indexed(v) {
		b.chooseIndexed(v, q, preempt)
		return
	}
	i := 0
	if !preempt {
		for ; i < len(b.run); i++ {
			b.keep(v, q, i)
		}
	}
	for w := q.Best(); ; w = q.Best() {
		for i < len(b.run) && (w == sim.NoJob || less(b.run[i], ranked{key: q.Key(w), job: w})) {
			b.keep(v, q, i)
			i++
		}
		if w == sim.NoJob {
			return
		}
		b.take(q, w, !b.isFull(q, w) && b.cap.claim(q.Demand(w)))
	}
}

// keep has the i-th running job keep its GPUs, or lose them where they are claimed.
func (b *Rebuild) keep(v *sim.View, q *Queue, i int) {
	r := &b.run[i]
	if r.lost = !b.cap.hold(v, q, r.job); r.lost {
		b.lost = append(b.lost, *r)
	}
}

// take selects a waiting job, or passes over the jobs of its demand.
func (b *Rebuild) take(q *Queue, w sim.JobID, fits bool) {
	if !fits {
		q.Close(w)
		return
	}
	b.count[q.nodes[w].class]++
	b.chosen = append(b.chosen, w)
	q.Remove(w)
}

// chooseIndexed is choose with an index of the running jobs. All of them together fit; so a running
// job loses its GPUs only where the running jobs behind it hold less than what waiting jobs claim
// beyond the free GPUs, and only these last jobs are looked at.
func (b *Rebuild) chooseIndexed(v *sim.View, q *Queue, preempt bool) {
	x := &b.index
	if len(x.before) == 0 {
		x.open()
	}
	at := ranked{key: math.Inf(-1), job: sim.NoJob} // how far the walk is
	claimed := x.milli - b.cap.total                // beyond the free GPUs; negative: what is free
	behind := -1                                    // list[:behind] come after at; -1: all that is listed and more
	pass := func(to ranked) {
		if claimed > 0 && behind < 0 {
			x.reach(v, b, q, at, claimed)
		}
		n := behind
		if n < 0 {
			n = len(x.list)
		}
		for ; n > 0 && less(x.list[n-1], to); n-- {
			if r := x.list[n-1]; x.before[n-1] < claimed {
				b.lost = append(b.lost, r)
				claimed -= q.Demand(r.job).Milli()
			}
			behind = n - 1
		}
		at = to
	}
	for w := q.Best(); w != sim.NoJob; w = q.Best() {
		fits, need := !b.isFull(q, w), claimed+q.Demand(w).Milli()
		if preempt && fits && need > 0 {
			pass(ranked{key: q.Key(w), job: w})
			need = claimed + q.Demand(w).Milli()
			if behind < 0 {
				x.reach(v, b, q, at, need)
			}
			n := behind
			if n < 0 {
				n = len(x.list)
			}
			fits = x.before[n] >= need
		} else if fits {
			fits = need <= 0
		}
		if b.take(q, w, fits); fits {
			claimed = need
		}
	}
	if preempt {
		pass(ranked{key: math.Inf(1), job: math.MaxInt32})
	}
}
