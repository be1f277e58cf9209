package plan

import (
	"slices"

	"tarry/sim"
)

// Rounds turns fractions of time into rounds: each row (a job, or two jobs that share GPUs) is
// promised a fraction of the time on each type of GPU, and in every round the rows furthest behind
// their promise come first. This is the mechanism of Gavel (Narayanan et al., OSDI 2020, section
// 5), for any scheduler that computes fractions:
//
//	priority(row, type) = x / (got / all)
//
// x is the fraction, got the time that the row has had on the type since the last Reset, all the
// sum of got over the rows. Ties go to what is owed from before that Reset (owed), then to x, then
// to the smaller job.
//
// Add and Remove follow jobs; Reset and Set give new fractions; Ran books a round; Open, then Pick
// for each type, choose the next one. Nothing is allocated once warm. A round costs O(rows) per
// type, and log(rows) for each row that is looked at in order.
type Rounds struct {
	types int
	prior float64
	rows  []row
	// x, got and owed are at row*types+type, in seconds but for x; able states where the row can
	// run at all.
	x, got, owed []float64
	able         []bool
	all          []float64 // per type
	live, vacant []int32
	rowOf        []int32 // JobID -> its own row, none = -1
	taken        []bool  // JobID -> it has a place in the round being chosen
	chosen       []sim.JobID
	heap         []turn
}

// row is what time is promised to.
type row struct {
	job, mate sim.JobID // mate is NoJob but in a pair
	gpus      int32
	at        int32 // in live
	known     bool  // the fractions are of a computation that had it
}

// Turn is a row that has a place in a round: Job, and Mate if that is not NoJob, run on GPUs of the
// type.
type Turn struct {
	Row, Type int32
	Job, Mate sim.JobID
	GPUs      int32
	// Known is false for a row that came after the fractions were computed.
	Known bool
}

// turn is a candidate and what it is ordered by.
type turn struct {
	priority, owed, x float64
	job, mate         sim.JobID
	row               int32
}

// before is the order of a round.
func (a *turn) before(b *turn) bool {
	switch {
	case a.priority != b.priority:
		return a.priority > b.priority
	case a.owed != b.owed:
		return a.owed > b.owed
	case a.x != b.x:
		return a.x > b.x
	case a.job != b.job:
		return a.job < b.job
	}
	return a.mate < b.mate
}

// NewRounds gives rounds over some number of types. prior is the time in seconds, >= 0, that every
// row counts as having had on every type at a Reset (Gavel: half a round): with more of it the
// first rounds matter less. With 0 a row that has had nothing goes before all that have.
func NewRounds(types int, prior float64) *Rounds {
	return &Rounds{types: types, prior: prior, all: make([]float64, types)}
}

// Add makes a row of a job, or of two, on a number of GPUs, and gives its number. It can run on no
// type until Able notes it, and no fraction of it is known until Set. Only the row of a job alone
// is found by Row.
func (r *Rounds) Add(job, mate sim.JobID, gpus int) int32 {
	n := int32(len(r.rows))
	if k := len(r.vacant); k > 0 {
		n, r.vacant = r.vacant[k-1], r.vacant[:k-1]
	} else {
		r.rows = append(r.rows, row{})
		for range r.types {
			r.x, r.got, r.owed, r.able = append(r.x, 0), append(r.got, 0), append(r.owed, 0), append(r.able, false)
		}
	}
	r.rows[n] = row{job: job, mate: mate, gpus: int32(gpus), at: int32(len(r.live))}
	r.live = append(r.live, n)
	for i := range r.types {
		k := int(n)*r.types + i
		r.x[k], r.got[k], r.owed[k], r.able[k] = 0, r.prior, 0, false
	}
	for len(r.rowOf) <= int(max(job, mate)) {
		r.rowOf, r.taken = append(r.rowOf, -1), append(r.taken, false)
	}
	if mate == sim.NoJob {
		r.rowOf[job] = n
	}
	return n
}

// Remove forgets a row.
func (r *Rounds) Remove(n int32) {
	w := &r.rows[n]
	if w.mate == sim.NoJob {
		r.rowOf[w.job] = -1
	}
	last := r.live[len(r.live)-1]
	r.live[w.at], r.rows[last].at = last, w.at
	r.live = r.live[:len(r.live)-1]
	r.vacant = append(r.vacant, n)
}

// Row gives the row of a job alone, or -1.
func (r *Rounds) Row(j sim.JobID) int32 {
	if int(j) >= len(r.rowOf) {
		return -1
	}
	return r.rowOf[j]
}

// Rows lists the rows in no particular order; it is valid until the next Add or Remove.
func (r *Rounds) Rows() []int32 { return r.live }

// Able reports whether a row can run on a type.
func (r *Rounds) Able(n int32, typ int, can bool) { r.able[int(n)*r.types+typ] = can }

// CanRun reports what Able returned.
func (r *Rounds) CanRun(n int32, typ int) bool { return r.able[int(n)*r.types+typ] }

// Set gives the fraction of a row on a type, in 0..1, after a Reset.
func (r *Rounds) Set(n int32, typ int, x float64) {
	r.x[int(n)*r.types+typ], r.rows[n].known = x, true
}

// X is the fraction of a row on a type.
func (r *Rounds) X(n int32, typ int) float64 { return r.x[int(n)*r.types+typ] }

// Ran books time in seconds that a row has had on a type.
func (r *Rounds) Ran(n int32, typ int, s float64) {
	r.got[int(n)*r.types+typ] += s
	r.all[typ] += s
}

// Reset starts the count of the time had over, elapsed seconds after the last one: what a row was
// promised in them and has not had stays owed.
func (r *Rounds) Reset(elapsed float64) {
	clear(r.all)
	for _, n := range r.live {
		for i := range r.types {
			k := int(n)*r.types + i
			due := 0.0
			if r.rows[n].known {
				due = float64(r.x[k] * elapsed)
			}
			r.owed[k] += due - (r.got[k] - r.prior)
			r.got[k] = r.prior
			r.all[i] += r.prior
		}
	}
}

// priority is the row's on a type.
func (r *Rounds) priority(n int32, typ int) float64 {
	k := int(n)*r.types + typ
	if r.x[k] == 0 || !r.rows[n].known || !r.able[k] {
		return 0
	}
	if r.got[k] == 0 || r.all[typ] == 0 {
		return r.x[k] * 1e9 // as the paper has it
	}
	return r.x[k] / (r.got[k] / r.all[typ])
}

// Open begins the choice of a round.
func (r *Rounds) Open() {
	for _, j := range r.chosen {
		r.taken[j] = false
	}
	r.chosen = r.chosen[:0]
}

// Take gives a row a place outside the order, or keeps its jobs from having one.
func (r *Rounds) Take(n int32) {
	w := &r.rows[n]
	r.taken[w.job] = true
	if r.chosen = append(r.chosen, w.job); w.mate != sim.NoJob {
		r.taken[w.mate] = true
		r.chosen = append(r.chosen, w.mate)
	}
}

// Pick appends the rows that have a place on a type in this round, first rows with a priority above
// 0: each that can run there, has no place yet and fits the free GPUs; one that does not fit blocks
// no other. With fill the rows of priority 0 get what is left. It gives what stays free.
func (r *Rounds) Pick(typ, free int, fill bool, out []Turn) ([]Turn, int) {
	if free <= 0 {
		return out, free
	}
	out, free = r.pick(typ, free, false, out)
	if fill && free > 0 {
		out, free = r.pick(typ, free, true, out)
	}
	return out, free
}

func (r *Rounds) pick(typ, free int, zero bool, out []Turn) ([]Turn, int) {
	h := r.heap[:0]
	for _, n := range r.live {
		k, w := int(n)*r.types+typ, &r.rows[n]
		if !r.able[k] || int(w.gpus) > free || r.taken[w.job] || w.mate != sim.NoJob && r.taken[w.mate] {
			continue
		}
		if p := r.priority(n, typ); p == 0 == zero {
			x := r.x[k]
			if !w.known {
				x = 0
			}
			h = append(h, turn{p, r.owed[k], x, w.job, w.mate, n})
		}
	}
	r.heap = h
	for i := len(h)/2 - 1; i >= 0; i-- {
		sink(h, i)
	}
	for len(h) > 0 && free > 0 {
		c := h[0]
		last := len(h) - 1
		h[0] = h[last]
		h = h[:last]
		sink(h, 0)
		w := &r.rows[c.row]
		if int(w.gpus) > free || r.taken[w.job] || w.mate != sim.NoJob && r.taken[w.mate] {
			continue
		}
		r.Take(c.row)
		free -= int(w.gpus)
		out = append(out, Turn{Row: c.row, Type: int32(typ), Job: w.job, Mate: w.mate, GPUs: w.gpus, Known: w.known})
	}
	return out, free
}

func sink(h []turn, i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(&h[c]) {
			c++
		}
		if !h[c].before(&h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

// Clone gives an independent copy.
func (r *Rounds) Clone() *Rounds {
	c := *r
	c.rows, c.x, c.got, c.owed, c.able = slices.Clone(r.rows), slices.Clone(r.x), slices.Clone(r.got),
		slices.Clone(r.owed), slices.Clone(r.able)
	c.all, c.live, c.vacant = slices.Clone(r.all), slices.Clone(r.live), slices.Clone(r.vacant)
	c.rowOf, c.taken, c.chosen, c.heap = slices.Clone(r.rowOf), slices.Clone(r.taken), slices.Clone(r.chosen), nil
	return &c
}
