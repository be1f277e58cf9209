package fairness

import "math"

// programme is: maximise c x with rows x <= b, x >= 0.
type programme struct {
	c    []float64
	rows [][]float64
	b    []float64
}

func (p *programme) add(row []float64, b float64) {
	p.rows, p.b = append(p.rows, row), append(p.b, b)
}

// tiny is what counts as zero.
const tiny = 1e-11

// tableau is a dense simplex tableau: row i states base[i] = b[i] - sum of a[i][k] free[k];
// variables from 0, slacks behind them.
type tableau struct {
	a          [][]float64
	b, c       []float64
	base, free []int
	value      float64
}

// maximum is the largest value; ok is false if no x satisfies the rows. The rows must bound it. The
// method is the textbook's: two phases with one artificial variable, Bland's rule, so that it
// always ends.
func (p *programme) maximum() (value float64, ok bool) {
	m, n := len(p.rows), len(p.c)
	t := &tableau{a: make([][]float64, m), b: append([]float64(nil), p.b...), c: make([]float64, n+1),
		base: make([]int, m), free: make([]int, n+1)}
	low := 0
	for i, row := range p.rows {
		t.a[i] = append(append([]float64(nil), row...), -1)
		t.base[i] = n + 1 + i
		if p.b[i] < p.b[low] {
			low = i
		}
	}
	for k := range t.free {
		t.free[k] = k
	}
	t.c[n] = -1 // the artificial variable is number n
	if m > 0 && p.b[low] < 0 {
		t.pivot(low, n)
		if t.run(); t.value < -1e-7 {
			return 0, false
		}
		t.dismiss(n)
	}
	t.drop(n)
	t.objective(p.c)
	t.run()
	return t.value, true
}

// pivot makes free variable k basic in row i.
func (t *tableau) pivot(i, k int) {
	row, by := t.a[i], 1/t.a[i][k]
	for j := range row {
		row[j] *= by
	}
	row[k] = by
	t.b[i] *= by
	for o := range t.a {
		if f := t.a[o][k]; o != i && f != 0 {
			t.a[o][k] = 0
			subtract(t.a[o], row, f)
			t.b[o] -= float64(f * t.b[i])
		}
	}
	f := t.c[k]
	t.c[k] = 0
	subtract(t.c, row, f)
	t.value += float64(f * t.b[i])
	t.base[i], t.free[k] = t.free[k], t.base[i]
}

func subtract(from, row []float64, f float64) {
	for j, x := range row {
		from[j] -= float64(f * x)
	}
}

// run pivots by Bland's rule until nothing improves.
func (t *tableau) run() {
	for {
		k := -1
		for j, c := range t.c {
			if c > tiny && (k < 0 || t.free[j] < t.free[k]) {
				k = j
			}
		}
		if k < 0 {
			return
		}
		row, least := -1, math.Inf(1)
		for i := range t.a {
			if t.a[i][k] <= tiny {
				continue
			}
			if q := math.Max(0, t.b[i]) / t.a[i][k]; q < least-tiny || q <= least+tiny && t.base[i] < t.base[row] {
				row, least = i, math.Min(q, least)
			}
		}
		if row < 0 {
			return // unbounded: the caller's rows exclude it
		}
		t.pivot(row, k)
	}
}

// dismiss makes a basic variable of value 0 free.
func (t *tableau) dismiss(variable int) {
	for i, b := range t.base {
		if b != variable {
			continue
		}
		for k, x := range t.a[i] {
			if math.Abs(x) > tiny {
				t.pivot(i, k)
				return
			}
		}
	}
}

// drop keeps a free variable at 0 for good.
func (t *tableau) drop(variable int) {
	for k, f := range t.free {
		if f == variable {
			for i := range t.a {
				t.a[i][k] = 0
			}
			t.c[k] = 0
		}
	}
}

// objective states what is maximised in terms of the free variables.
func (t *tableau) objective(c []float64) {
	clear(t.c)
	t.value = 0
	for k, f := range t.free {
		if f < len(c) {
			t.c[k] = c[f]
		}
	}
	for i, v := range t.base {
		if v < len(c) && c[v] != 0 {
			t.value += float64(c[v] * t.b[i])
			subtract(t.c, t.a[i], c[v])
		}
	}
	for k, f := range t.free {
		if f == len(c) {
			t.c[k] = 0
		}
	}
}
