package predict

import (
	"math"
	"slices"
)

// Passes of coordinate descent end when no coefficient moves further than still, or after sweeps.
const (
	sweeps = 30
	still  = 2e-3
)

// solve fits all coefficients to all rows, from where they are.
func (r *ridge) solve() {
	n := r.rows()
	if r.solved = n; n == 0 {
		return
	}
	r.centres()
	r.sum = slices.Grow(r.sum[:0], len(r.coef))[:len(r.coef)]
	r.off = slices.Grow(r.off[:0], n)[:n]
	for i := range r.off {
		w := r.row(i)
		r.off[i] = w.y - r.mean - float64(r.slope*r.about(w))
		for _, c := range w.at {
			r.off[i] -= r.coef[c]
		}
	}
	for range sweeps {
		moved := r.regress()
		for k := range kind(kinds) {
			moved = math.Max(moved, r.descend(k))
		}
		if moved < still {
			return
		}
	}
}

// centres are the means of log run time and log request.
func (r *ridge) centres() {
	var y, x, asked float64
	for i := range r.rows() {
		w := r.row(i)
		y += w.y
		if w.asked != 0 {
			x += w.asked
			asked++
		}
	}
	r.mean, r.centre = y/float64(r.rows()), 0
	if asked > 0 {
		r.centre = x / asked
	}
}

// about is log request about its mean, 0 without one.
func (r *ridge) about(w *row) float64 {
	if w.asked == 0 {
		return 0
	}
	return w.asked - r.centre
}

// regress moves the slope to its best, and reports how far.
func (r *ridge) regress() float64 {
	var xx, xr float64
	for i := range r.off {
		x := r.about(r.row(i))
		xx += float64(x * x)
		xr += float64(x * r.off[i])
	}
	d := (xr - float64(r.lambda*r.slope)) / (xx + r.lambda)
	r.slope += d
	for i := range r.off {
		r.off[i] -= float64(d * r.about(r.row(i)))
	}
	return math.Abs(d)
}

// descend moves the coefficients of one kind to their best, and reports how far at most.
func (r *ridge) descend(k kind) (moved float64) {
	clear(r.sum)
	for i := range r.off {
		r.sum[r.row(i).at[k]] += r.off[i]
	}
	for n, of := range r.kindOf {
		if of == k {
			d := (r.sum[n] - float64(r.penalty(k)*r.coef[n])) / (r.count[n] + r.penalty(k))
			r.coef[n] += d
			r.sum[n] = d
			moved = math.Max(moved, math.Abs(d))
		}
	}
	for i := range r.off {
		r.off[i] -= r.sum[r.row(i).at[k]]
	}
	return moved
}
