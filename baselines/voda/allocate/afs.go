package allocate

import (
	"math"
	"slices"
)

// Tournament is AFS: one GPU at a time goes to the winner among the jobs below max. The first job
// of the list is the holder; each next job is compared with the holder and takes its place if it
// wins. Both without GPUs: the one with less remaining. Else let s be the shorter, l the longer of
// the two by remaining / T(w) at w GPUs, infinite at none (equal: the next job is the shorter); l
// wins if
//
//	(T_l(w+1) - T_l(w)) / T_l(w+1) > (T_s(w+1) - T_s(w)) / T_s(w)
//
// with each job's own w, the right side infinite at 0 GPUs. The relation is not transitive, so the
// order of the list matters.
//
// As published this costs gpus x jobs comparisons. Two facts make it cheaper and leave the result
// as it is. A grant changes one job, so the holders before it in the list stay. And jobs without
// GPUs in a row act as the job with least remaining of them (row.go). So a grant costs at most
// twice as many comparisons as jobs have GPUs, whatever waits.
//
// The zero value is AFS as vodascheduler publishes it.
type Tournament struct {
	// Own takes each length at the job's own GPUs; else both are taken at the holder's.
	Own bool
	// Mins gives a job without GPUs its min at once; jobs whose min is more than what is left take
	// no part.
	Mins bool
	// Earlier lets the holder win where both have no GPUs and the same remaining; else the next job
	// does.
	Earlier bool
	// Attained takes Remaining for the length as it is: attained service, for jobs of unknown
	// length.
	Attained bool

	jobs    []Job
	order   []int32 // places 0, 1, .. to jobs
	plain   []int32
	w       []int   // GPUs by job
	worth   []value // by place
	entries []entry
	holders []int32 // place of the winner among entries 0 to i
	rows    champions
	byMin   []int32 // by min: 1 + the last place in a row with this min, 0 = none
	before  []int32 // by place: 1 + the one before it with the same min
	most    int     // jobs in rows have no larger min
}

// value is the value of a job at its GPUs: its length, and the two sides of the comparison.
type value struct{ length, left, right float64 }

// Share gives the GPUs of each job, in the order of the list, in out, which it overwrites and
// enlarges as needed.
func (t *Tournament) Share(jobs []Job, gpus int, out []int) []int {
	out = slices.Grow(out[:0], len(jobs))[:len(jobs)]
	clear(out)
	t.plain = t.plain[:0]
	for i := range jobs {
		t.plain = append(t.plain, int32(i))
	}
	t.share(jobs, t.plain, gpus, out)
	return out
}

// share is Share of the jobs in an order; w is 0.
func (t *Tournament) share(jobs []Job, order []int32, free int, w []int) {
	t.jobs, t.order, t.w = jobs, order, w
	t.open()
	t.exclude(free)
	for from := 0; free > 0 && len(t.entries) > 0; {
		t.play(from)
		p := t.holders[len(t.entries)-1]
		n := t.unit(p)
		if n > free {
			from = t.leave(p)
			continue
		}
		w[order[p]] += n
		free -= n
		if w[order[p]]+t.unit(p) > t.job(p).Max {
			from = t.leave(p) // out of its row, which stays one
		} else {
			t.weigh(p)
			from = t.alone(p)
		}
		from = min(from, t.exclude(free))
	}
	t.jobs, t.order, t.w = nil, nil, nil
}

// job is the job at a place.
func (t *Tournament) job(p int32) *Job { return &t.jobs[t.order[p]] }

// unit is how many GPUs a job's next grant has.
func (t *Tournament) unit(p int32) int {
	switch {
	case !t.Mins:
		return 1
	case t.w[t.order[p]] == 0:
		return t.job(p).Min
	}
	return t.job(p).step()
}

// weigh works a job's worth out at its present GPUs.
func (t *Tournament) weigh(p int32) {
	j, w, n := t.job(p), t.w[t.order[p]], t.unit(p)
	now, next := j.at(w), j.at(w+n)
	gain := next - now
	if w > 0 {
		gain /= float64(n)
	}
	t.worth[p] = value{t.length(p, w), gain / next, gain / now}
	if w == 0 {
		t.worth[p].right = math.Inf(1)
	}
}

// value is the value of a job; in a row all have the same.
func (t *Tournament) value(p int32) value {
	if t.w[t.order[p]] == 0 && t.rows.has(p) {
		return value{math.Inf(1), 1, math.Inf(1)}
	}
	return t.worth[p]
}

// length is the length of a job at w GPUs.
func (t *Tournament) length(p int32, w int) float64 {
	j := t.job(p)
	switch {
	case w == 0:
		return math.Inf(1)
	case t.Attained:
		return j.Remaining
	}
	return j.Remaining / j.at(w)
}

// beats reports whether job b, next in the list, wins against the holder a.
func (t *Tournament) beats(b, a int32) bool {
	wa, wb := t.w[t.order[a]], t.w[t.order[b]]
	if wa == 0 && wb == 0 {
		return t.lessLeft(b, a)
	}
	x, y := t.value(a), t.value(b)
	other := y.length
	if !t.Own {
		other = t.length(b, wa)
	}
	if x.length >= other {
		return !(x.left > y.right)
	}
	return y.left > x.right
}

// lessLeft reports whether of two jobs without GPUs b, later in the list, wins.
func (t *Tournament) lessLeft(b, a int32) bool {
	if t.Earlier {
		return t.job(b).Remaining < t.job(a).Remaining
	}
	return t.job(a).Remaining >= t.job(b).Remaining
}

// play finds the winners again from an entry on.
func (t *Tournament) play(from int) {
	t.holders = slices.Grow(t.holders[:from], len(t.entries)-from)[:len(t.entries)]
	for i := from; i < len(t.entries); i++ {
		e := &t.entries[i]
		if i == 0 {
			t.holders[i] = e.best
			continue
		}
		t.holders[i] = t.meet(e, t.holders[i-1])
	}
}

// meet gives the winner of a holder and an entry.
func (t *Tournament) meet(e *entry, holder int32) int32 {
	if e.row && !t.Own && t.w[t.order[holder]] > 0 && !(1 > t.worth[holder].right) {
		return t.each(e, holder) // lengths at the holder's GPUs differ from job to job
	}
	if t.beats(e.best, holder) {
		return e.best
	}
	return holder
}

// each meets the jobs of a row one by one.
func (t *Tournament) each(e *entry, holder int32) int32 {
	for p := e.lo; p < e.hi; p++ {
		if t.rows.has(p) && t.beats(p, holder) {
			return t.rows.best(t, p, e.hi)
		}
	}
	return holder
}
