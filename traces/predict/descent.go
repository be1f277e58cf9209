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

// work is the memory of a solution.
type work struct {
	off []float64 // row -> what is not explained yet
	// sum has, by number, what is not explained of the rows of a value; then by how much its
	// coefficient moved.
	sum, next []float64
	most      [kinds]int32 // the value that most rows of a kind have, if these are many; else -1
}

// many is the part of the rows that one value has: a sum of so many is faster kept in a register.
const many = 0.6

// solve fits all coefficients to all rows, from where they are. Every sum is over the rows in their
// order, so that its bits do not depend on how the passes over the rows are arranged: one that
// takes a kind's move off the rows adds up the next kind.
func (r *ridge) solve() {
	n := r.rows()
	if r.solved = n; n == 0 {
		return
	}
	asked := r.centres()
	w := &r.work
	w.off = slices.Grow(w.off[:0], n)[:n]
	r.unexplained()
	for k := range w.most {
		w.most[k] = -1
		for c, rows := range r.count[k] {
			if rows > float64(many*float64(n)) {
				w.most[k] = int32(c)
			}
		}
	}
	pending := kind(kinds) // the kind whose move is not taken off yet; kinds = none
	for range sweeps {
		moved := 0.0
		if asked {
			r.each(pending, kinds)
			pending, moved = kinds, r.regress()
		}
		for k := range kind(kinds) {
			r.each(pending, k)
			pending, moved = k, math.Max(moved, r.move(k))
		}
		if moved < still {
			return
		}
	}
}

// centres are the means of log run time and log request. It reports whether a row has one.
func (r *ridge) centres() bool {
	var y, x, asked float64
	for _, w := range [...]*rows{&r.past, &r.since} {
		for i := range w.y {
			y += w.y[i]
			if w.asked[i] != 0 {
				x += w.asked[i]
				asked++
			}
		}
	}
	r.mean, r.centre = y/float64(r.rows()), 0
	if asked > 0 {
		r.centre = x / asked
	}
	return asked > 0 || r.slope != 0
}

// about is log request about its mean, 0 without one.
func (r *ridge) about(asked float64) float64 {
	if asked == 0 {
		return 0
	}
	return asked - r.centre
}

// unexplained is log run time less what the coefficients explain.
func (r *ridge) unexplained() {
	off := r.work.off
	for _, w := range [...]*rows{&r.past, &r.since} {
		for i := range w.y {
			off[i] = w.y[i] - r.mean - float64(r.slope*r.about(w.asked[i]))
		}
		for k := range w.at {
			coef := r.coef[k]
			for i, n := range w.at[k] {
				off[i] -= coef[n]
			}
		}
		off = off[w.len():]
	}
}

// regress moves the slope to its best, and reports how far.
func (r *ridge) regress() float64 {
	var xx, xr float64
	off := r.work.off
	for _, w := range [...]*rows{&r.past, &r.since} {
		for i, asked := range w.asked {
			x := r.about(asked)
			xx += float64(x * x)
			xr += float64(x * off[i])
		}
		off = off[w.len():]
	}
	d := (xr - float64(r.lambda*r.slope)) / (xx + r.lambda)
	r.slope += d
	off = r.work.off
	for _, w := range [...]*rows{&r.past, &r.since} {
		for i, asked := range w.asked {
			off[i] -= float64(d * r.about(asked))
		}
		off = off[w.len():]
	}
	return math.Abs(d)
}

// each takes the move of one kind off the rows, if it is one, and adds up another, if it is one.
func (r *ridge) each(done, next kind) {
	w := &r.work
	w.sum, w.next = w.next, w.sum
	if next < kinds {
		n := len(r.coef[next])
		w.sum = slices.Grow(w.sum[:0], n)[:n]
		clear(w.sum)
	}
	off := w.off
	for _, rows := range [...]*rows{&r.past, &r.since} {
		n := rows.len()
		switch {
		case done < kinds && next < kinds && w.most[next] >= 0:
			passMost(off[:n], rows.at[done], rows.at[next], w.next, w.sum, w.most[next])
		case done < kinds && next < kinds:
			pass(off[:n], rows.at[done], rows.at[next], w.next, w.sum)
		case next < kinds:
			for i, c := range rows.at[next] {
				w.sum[c] += off[i]
			}
		case done < kinds:
			for i, c := range rows.at[done] {
				off[i] -= w.next[c]
			}
		}
		off = off[n:]
	}
}

// pass takes what moved off the rows and adds up.
func pass(off []float64, done, next []int32, moved, sum []float64) {
	done, next = done[:len(off)], next[:len(off)]
	for i, x := range off {
		x -= moved[done[i]]
		off[i] = x
		sum[next[i]] += x
	}
}

// passMost is pass where most rows have one value.
func passMost(off []float64, done, next []int32, moved, sum []float64, most int32) {
	done, next = done[:len(off)], next[:len(off)]
	all := sum[most]
	for i, x := range off {
		x -= moved[done[i]]
		off[i] = x
		if c := next[i]; c == most {
			all += x
		} else {
			sum[c] += x
		}
	}
	sum[most] = all
}

// move moves the coefficients of one kind to their best, and reports how far at most.
func (r *ridge) move(k kind) (moved float64) {
	sum, coef, count, penalty := r.work.sum, r.coef[k], r.count[k], r.penalty(k)
	for n := range coef {
		d := (sum[n] - float64(penalty*coef[n])) / (count[n] + penalty)
		coef[n] += d
		sum[n] = d
		moved = math.Max(moved, math.Abs(d))
	}
	return moved
}
