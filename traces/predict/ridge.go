package predict

import (
	"maps"
	"math"
	"slices"

	"tarry/sim"
)

// kind is a category of jobs, or a product of two.
type kind uint8

// value is one value of a category or product: its names by number, and GPUs. Its fields have one
// size, so that a map hashes them at once.
type value struct{ kind, a, b, size int32 }

// kinds is how many categories and products a job has.
const kinds = 11

// values fills in a job's values: GPUs, model, user, virtual cluster, group, and their products. An
// unknown name, "", is a value, too. name gives the number of a name, the same for each time.
func values(j *sim.Job, name func(string) int32, out *[kinds]value) {
	n, model, user, vc, group := j.GPUs, name(j.Model), name(j.User), name(j.VC), name(j.Group)
	*out = [kinds]value{{kind: 0, size: n}, {kind: 1, a: model}, {kind: 2, a: user}, {kind: 3, a: vc},
		{kind: 4, a: group},
		{kind: 5, a: model, size: n}, {kind: 6, a: user, size: n}, {kind: 7, a: vc, size: n},
		{kind: 8, a: user, b: model},
		{kind: 9, a: vc, b: model}, {kind: 10, a: group, size: n}}
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
	// Names, values and rows of the past are shared by all clones, those since are a clone's own.
	names         numbers[string]
	values        numbers[value]
	past, since   rows
	coef, count   [kinds][]float64 // by number
	mean          float64          // of log run time
	slope, centre float64          // on log request, about its mean
	solved        int              // rows at the last solution
	found         [kinds]int32     // scratch: a job's values by number, -1 = a value that is not known
	work          work             // of solve
}

// numbers numbers what it is given, from 0 on.
type numbers[T comparable] struct{ old, fresh map[T]int32 }

// find gives the number of x, -1 where it has none.
func (m *numbers[T]) find(x T) int32 {
	if n, ok := m.old[x]; ok {
		return n
	}
	if n, ok := m.fresh[x]; ok {
		return n
	}
	return -1
}

// settle makes all numbers old, which copies share.
func (m *numbers[T]) settle() {
	if m.old == nil {
		m.old = map[T]int32{}
	}
	maps.Copy(m.old, m.fresh)
	m.fresh = map[T]int32{}
}

// name gives the number of a name, a new one where it has none.
func (r *ridge) name(name string) int32 {
	n := r.names.find(name)
	if n < 0 {
		n = int32(len(r.names.old) + len(r.names.fresh))
		r.names.fresh[name] = n
	}
	return n
}

func newRidge(lambda float64, every int) *ridge {
	return &ridge{lambda: lambda, every: every, names: numbers[string]{fresh: map[string]int32{}},
		values: numbers[value]{fresh: map[value]int32{}}}
}

// penalty is the penalty of a coefficient: products start from their categories.
func (r *ridge) penalty(k kind) float64 {
	if k >= 5 {
		return 2 * r.lambda
	}
	return r.lambda
}

func (r *ridge) rows() int { return r.past.len() + r.since.len() }

func (r *ridge) point(j *sim.Job) (float64, bool) {
	if r.rows() == 0 {
		return 0, false
	}
	var at [kinds]value
	values(j, r.names.find, &at)
	for k := range at {
		r.found[k] = r.values.find(at[k])
	}
	return r.explained(j), true
}

// explained is the prediction for a job whose values are found.
func (r *ridge) explained(j *sim.Job) float64 {
	y := r.mean
	for k, n := range r.found {
		if n >= 0 {
			y += r.coef[k][n]
		}
	}
	if j.Request > 0 {
		y += float64(r.slope * (math.Log(j.Request.Seconds()) - r.centre))
	}
	return y
}

func (r *ridge) add(j *sim.Job, y float64) {
	var at [kinds]value
	values(j, r.name, &at)
	for k := range at {
		r.found[k] = r.values.find(at[k])
	}
	was := r.explained(j)
	asked := 0.0
	if j.Request > 0 {
		asked = math.Log(j.Request.Seconds())
	}
	if r.solved == 0 {
		r.mean += (y - r.mean) / float64(r.rows()+1)
	}
	for k, n := range r.found {
		if n < 0 {
			n = int32(len(r.coef[k]))
			r.values.fresh[at[k]] = n
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
	r.names.settle()
	r.values.settle()
	r.past.add(&r.since)
	r.since = rows{}
}

func (r *ridge) clone() estimator {
	c := *r
	c.names.fresh, c.values.fresh = maps.Clone(r.names.fresh), maps.Clone(r.values.fresh)
	c.since, c.work = rows{}, work{}
	c.since.add(&r.since)
	for k := range kinds {
		c.coef[k], c.count[k] = slices.Clone(r.coef[k]), slices.Clone(r.count[k])
	}
	return &c
}
