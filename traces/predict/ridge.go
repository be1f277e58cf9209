package predict

import (
	"maps"
	"math"
	"slices"

	"tarry/sim"
)

// kind is a category of jobs, or a product of two.
type kind uint8

// trait is one value of a category.
type trait struct {
	kind kind
	a, b string
	size int32
}

// kinds is how many categories and products a job has.
const kinds = 11

// traits fills in a job's values: GPUs, model, user, virtual cluster, group, and their products. An
// unknown name is a value, too.
func traits(j *sim.Job, out *[kinds]trait) {
	n := j.GPUs
	*out = [kinds]trait{{kind: 0, size: n}, {kind: 1, a: j.Model}, {kind: 2, a: j.User}, {kind: 3, a: j.VC},
		{kind: 4, a: j.Group},
		{kind: 5, a: j.Model, size: n}, {kind: 6, a: j.User, size: n}, {kind: 7, a: j.VC, size: n},
		{kind: 8, a: j.User, b: j.Model},
		{kind: 9, a: j.VC, b: j.Model}, {kind: 10, a: j.Group, size: n}}
}

// rows are jobs that were learned from, by column: their values by number within the kind, log
// request (0 = none) and log run time.
type rows struct {
	at       [kinds][]int32
	asked, y []float64
}

func (w *rows) len() int { return len(w.y) }

// add appends all of o.
func (w *rows) add(o *rows) {
	for k := range w.at {
		w.at[k] = append(w.at[k], o.at[k]...)
	}
	w.asked, w.y = append(w.asked, o.asked...), append(w.y, o.y...)
}

// ridge is ridge regression of log run time on the values of categories and products, and on log
// request. It is solved by coordinate descent over all jobs learned so far whenever these have
// grown by half, or by every jobs; in between, each job moves its own coefficients by one step.
//
// Hoerl and Kennard, Technometrics 12(1), 1970.
type ridge struct {
	lambda float64
	every  int
	// Values and rows of the past are shared by all clones, those since are a clone's own.
	old, fresh    map[trait]int32
	past, since   rows
	coef, count   [kinds][]float64 // by number
	mean          float64          // of log run time
	slope, centre float64          // on log request, about its mean
	solved        int              // rows at the last solution
	scratch       [kinds]trait
	work          work // of solve
}

func newRidge(lambda float64, every int) *ridge {
	return &ridge{lambda: lambda, every: every, fresh: map[trait]int32{}}
}

// penalty is the penalty of a coefficient: products start from their categories.
func (r *ridge) penalty(k kind) float64 {
	if k >= 5 {
		return 2 * r.lambda
	}
	return r.lambda
}

// find gives the number of a value.
func (r *ridge) find(t trait) (int32, bool) {
	if n, ok := r.fresh[t]; ok {
		return n, true
	}
	n, ok := r.old[t]
	return n, ok
}

func (r *ridge) rows() int { return r.past.len() + r.since.len() }

func (r *ridge) point(j *sim.Job) (float64, bool) {
	if r.rows() == 0 {
		return 0, false
	}
	traits(j, &r.scratch)
	y := r.mean
	for k, t := range r.scratch {
		if n, ok := r.find(t); ok {
			y += r.coef[k][n]
		}
	}
	if j.Request > 0 {
		y += float64(r.slope * (math.Log(j.Request.Seconds()) - r.centre))
	}
	return y, true
}

func (r *ridge) add(j *sim.Job, y float64) {
	was, _ := r.point(j)
	traits(j, &r.scratch)
	asked := 0.0
	if j.Request > 0 {
		asked = math.Log(j.Request.Seconds())
	}
	if r.solved == 0 {
		r.mean += (y - r.mean) / float64(r.rows()+1)
	}
	for k, t := range r.scratch {
		n, ok := r.find(t)
		if !ok {
			n = int32(len(r.coef[k]))
			r.fresh[t] = n
			r.coef[k], r.count[k] = append(r.coef[k], 0), append(r.count[k], 0)
		}
		r.since.at[k] = append(r.since.at[k], n)
		r.count[k][n]++
		if r.solved > 0 {
			r.coef[k][n] += (y - was) / kinds / (r.count[k][n] + r.penalty(kind(k)))
		}
	}
	r.since.asked, r.since.y = append(r.since.asked, asked), append(r.since.y, y)
	if grown := r.rows() - r.solved; grown >= 50 && grown*2 >= r.solved || r.solved > 0 && r.every > 0 &&
		grown >= r.every {
		r.solve()
	}
}

func (r *ridge) empty() estimator { return newRidge(r.lambda, r.every) }

// settle makes what was learned so far the past that clones share.
func (r *ridge) settle() {
	r.solve()
	if r.old == nil {
		r.old = map[trait]int32{}
	}
	maps.Copy(r.old, r.fresh)
	r.fresh = map[trait]int32{}
	r.past.add(&r.since)
	r.since = rows{}
}

func (r *ridge) clone() estimator {
	c := *r
	c.fresh, c.since, c.work = maps.Clone(r.fresh), rows{}, work{}
	c.since.add(&r.since)
	for k := range kinds {
		c.coef[k], c.count[k] = slices.Clone(r.coef[k]), slices.Clone(r.count[k])
	}
	return &c
}
