// Package history remembers how much tasks on one GPU slowed one another down, by which models they
// were of, and predicts it for others.
//
// The degradation of a set of tasks is the sum of (t - t0)/t0 over them: t is the time that a task
// takes for some progress beside the others, t0 alone. A set that was measured gives the mean of
// its measurements; else, once there are more than 21 of them, a regression answers; else it is 0.
// So does IADeep (SC 2023, its published program).
//
// Its regression is a random forest over eight presence bits and eight counts, which takes a
// feature for the label and so learns nothing of interference. Ours is ridge regression on the same
// features, for as many models as were seen, and the numbers of tasks and of pairs: small, and the
// same for the same measurements.
package history

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Table holds the measurements of one run.
type Table struct {
	// Enough is how many measurements there are before sets that were not measured are predicted.
	Enough  int
	classes map[string]int32
	rows    []row
	index   map[string]int32 // by the classes of a set, ascending, four bytes each
	total   int
	weights []float64 // of the features, nil before the first fit
	fitted  int       // measurements in it
	known   int       // classes in it
	set     []int32   // scratch
	key     []byte
}

// row is what was measured of one set.
type row struct {
	set  []int32
	sum  float64
	n    int
	mean float64
}

// New is an empty table.
func New() *Table {
	return &Table{Enough: 21, classes: map[string]int32{}, index: map[string]int32{}}
}

// class numbers models in order of appearance.
func (t *Table) class(model string) int32 {
	c, ok := t.classes[model]
	if !ok {
		c = int32(len(t.classes))
		t.classes[model] = c
	}
	return c
}

// find puts a set of models in order and gives its row, -1 where it has none.
func (t *Table) find(models []string) int32 {
	t.set, t.key = t.set[:0], t.key[:0]
	for _, m := range models {
		t.set = append(t.set, t.class(m))
	}
	slices.Sort(t.set)
	for _, c := range t.set {
		t.key = append(t.key, byte(c>>24), byte(c>>16), byte(c>>8), byte(c))
	}
	if i, ok := t.index[string(t.key)]; ok {
		return i
	}
	return -1
}

// Note adds a measurement of the tasks of these models, in any order.
func (t *Table) Note(models []string, degradation float64) {
	i := t.find(models)
	if i < 0 {
		i = int32(len(t.rows))
		t.index[string(t.key)] = i
		t.rows = append(t.rows, row{set: slices.Clone(t.set)})
	}
	r := &t.rows[i]
	r.sum += degradation
	r.n++
	r.mean = r.sum / float64(r.n)
	t.total++
}

// Len is the number of measurements.
func (t *Table) Len() int { return t.total }

// Predict gives the degradation of tasks of these models, >= 0.
func (t *Table) Predict(models []string) float64 {
	if i := t.find(models); i >= 0 {
		return t.rows[i].mean
	}
	if t.total <= t.Enough {
		return 0
	}
	if t.weights == nil || t.total >= t.fitted+max(1, t.fitted/8) { // a later fit of many measurements changes little
		t.fit()
	}
	sum := 0.0
	t.features(t.set, func(i int, x float64) { sum += float64(t.weights[i] * x) })
	return max(0, sum)
}

// features returns the features of a set (ascending) that are not 0: 1, tasks, pairs, then presence
// and count of each model.
func (t *Table) features(set []int32, each func(i int, x float64)) {
	n := float64(len(set))
	each(0, 1)
	each(1, n)
	each(2, n*(n-1)/2)
	for i := 0; i < len(set); {
		c, k := set[i], i
		for ; i < len(set) && set[i] == c; i++ {
		}
		if int(c) < t.known {
			each(3+2*int(c), 1)
			each(4+2*int(c), float64(i-k))
		}
	}
}

// ridge is the penalty on squared weights, in measurements.
const ridge = 0.01

// fit is ridge regression over all measurements.
func (t *Table) fit() {
	t.known, t.fitted = len(t.classes), t.total
	n := 3 + 2*t.known
	a, b, x := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil), make([]float64, n)
	for i := range n {
		a.SetSym(i, i, ridge)
	}
	for _, r := range t.rows {
		clear(x)
		t.features(r.set, func(i int, v float64) { x[i] = v })
		w := float64(r.n)
		for i, v := range x {
			if v == 0 {
				continue
			}
			b.SetVec(i, b.AtVec(i)+float64(v*r.sum))
			for k := i; k < n; k++ {
				a.SetSym(i, k, a.At(i, k)+float64(w*v*x[k]))
			}
		}
	}
	t.weights = make([]float64, n)
	var chol mat.Cholesky
	out := mat.NewVecDense(n, t.weights)
	if !chol.Factorize(a) || chol.SolveVecTo(out, b) != nil || math.IsNaN(mat.Sum(out)) {
		clear(t.weights) // no prediction: such a set counts as one that was never measured
	}
}

// Clone gives an independent copy.
func (t *Table) Clone() *Table {
	c := New()
	c.Enough, c.total, c.fitted, c.known = t.Enough, t.total, t.fitted, t.known
	for k, v := range t.classes {
		c.classes[k] = v
	}
	for k, v := range t.index {
		c.index[k] = v
	}
	c.rows, c.weights = slices.Clone(t.rows), slices.Clone(t.weights)
	return c
}
