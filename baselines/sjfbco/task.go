package sjfbco

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// price is what a job costs on some GPUs: the time of all that is left of it with its links to
// itself, the links that it shares, and one iteration, in any unit.
type price struct {
	on       []cluster.GPU
	links    []int32
	alone    float64 // us
	compute  float64
	transfer float64
	release  float64 // part of the compute after which the transfer may begin
}

// slower is how many times longer an iteration takes where k jobs are on the busiest link of the
// job: each of them then has 1/(k + alpha (k-1)) of it.
func (p *price) slower(k int32, alpha float64) float64 {
	if k < 2 {
		return 1
	}
	f := float64(k) + float64(alpha*float64(k-1))
	alone := max(p.compute, float64(p.release*p.compute)+p.transfer)
	if !(alone > 0) {
		return 1
	}
	return max(p.compute, float64(p.release*p.compute)+float64(p.transfer*f)) / alone
}

// memos is how many places of a job a decision remembers the price of.
const memos = 8

// task is a job of a batch, or one that runs and shares links.
type task struct {
	id   sim.JobID
	gpus int
	typ  int // of its GPUs; -1 = any

	memo []price
	next int           // memo that is overwritten next
	at   int           // memo of the GPUs of the plan in hand
	best []cluster.GPU // GPUs of the best plan so far

	// of a play: the time left alone, how many GPUs' jobs it waits for, when its other GPUs are
	// free, and the tasks that wait for it
	left    float64
	pending int
	ready   float64
	after   []int32
}

// price gives the price of the GPUs of the plan in hand.
func (t *task) price() *price { return &t.memo[t.at] }

// reset makes it another job's, in the same memory.
func (t *task) reset(id sim.JobID, gpus, typ int) {
	t.id, t.gpus, t.typ, t.next, t.at = id, gpus, typ, 0, 0
	t.memo, t.best, t.after = t.memo[:0], t.best[:0], t.after[:0]
}

// known looks for a price; ok is false where p is new, and has the GPUs alone.
func (t *task) known(on []cluster.GPU) (p *price, ok bool) {
	for i := range t.memo {
		if slices.Equal(t.memo[i].on, on) {
			t.at = i
			return &t.memo[i], true
		}
	}
	switch {
	case len(t.memo) == memos:
		t.at, t.next = t.next, (t.next+1)%memos
	case len(t.memo) < cap(t.memo):
		t.memo = t.memo[:len(t.memo)+1]
		t.at = len(t.memo) - 1
	default:
		t.memo = append(t.memo, price{})
		t.at = len(t.memo) - 1
	}
	p = &t.memo[t.at]
	p.on, p.links = append(p.on[:0], on...), p.links[:0]
	return p, false
}
