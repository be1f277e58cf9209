package predict

import (
	"math"
	"testing"

	"tarry/sim"
)

// plainSolve is ridge.solve, pass by pass.
func plainSolve(r *ridge) {
	n := r.rows()
	r.solved = n
	r.centres()
	at := func(k kind, i int) int32 {
		if p := r.past.len(); i >= p {
			return r.since.at[k][i-p]
		}
		return r.past.at[k][i]
	}
	asked, off := append(append([]float64(nil), r.past.asked...), r.since.asked...),
		append(append([]float64(nil), r.past.y...), r.since.y...)
	for i := range off {
		off[i] = off[i] - r.mean - float64(r.slope*r.about(asked[i]))
		for k := range kind(kinds) {
			off[i] -= r.coef[k][at(k, i)]
		}
	}
	for range sweeps {
		var xx, xr float64
		for i := range off {
			x := r.about(asked[i])
			xx += float64(x * x)
			xr += float64(x * off[i])
		}
		d := (xr - float64(r.lambda*r.slope)) / (xx + r.lambda)
		r.slope += d
		for i := range off {
			off[i] -= float64(d * r.about(asked[i]))
		}
		moved := math.Abs(d)
		for k := range kind(kinds) {
			sum := make([]float64, len(r.coef[k]))
			for i := range off {
				sum[at(k, i)] += off[i]
			}
			for c := range sum {
				d := (sum[c] - float64(r.penalty(k)*r.coef[k][c])) / (r.count[k][c] + r.penalty(k))
				r.coef[k][c] += d
				sum[c] = d
				moved = math.Max(moved, math.Abs(d))
			}
			for i := range off {
				off[i] -= sum[at(k, i)]
			}
		}
		if moved < still {
			return
		}
	}
}

// However the passes over the rows are arranged, the bits of a solution equal one pass after
// another.
func TestSolveAgainstPlainPasses(t *testing.T) {
	for seed := range uint64(8) {
		jobs := site(700, 0.3*float64(seed), seed)
		for i := range jobs {
			if seed%2 == 1 && i%3 > 0 {
				jobs[i].Request = sim.Seconds(float64(100 + 37*i%900))
			}
		}
		r := newRidge(2, 0)
		for i := range jobs[:600] {
			r.add(&jobs[i], logRun(jobs[i].RunTime()))
		}
		r.settle()
		for i := range jobs[600:] {
			r.add(&jobs[600+i], logRun(jobs[600+i].RunTime()))
		}
		want := r.clone().(*ridge)
		r.solve()
		plainSolve(want)
		if r.slope != want.slope || (r.slope != 0) != (seed%2 == 1) {
			t.Errorf("seed %d: slope %v, expected %v", seed, r.slope, want.slope)
		}
		for k := range r.coef {
			for c, x := range r.coef[k] {
				if x != want.coef[k][c] {
					t.Fatalf("seed %d, kind %d: coefficient %d is %v, expected %v", seed, k, c, x, want.coef[k][c])
				}
			}
		}
	}
}

// What is learned shows at the next prediction, whether it was learned at once or all together.
func TestLearningLaterIsLearning(t *testing.T) {
	past, future := site(800, 0.5, 1), site(1600, 0.5, 2)
	for _, spec := range []string{"global:refit=100", "size:refit=70", "user-size:refit=300,law=lognormal", "last2",
		"ridge:solve=200,refit=150", "request"} {
		late := parse(t, spec)
		late.Fit(past)
		atOnce := late.Clone()
		for i := range future {
			j := hidden(&future[i])
			if i%97 == 0 { // also after a copy
				late = late.Clone().(Predictor)
			}
			if i%41 > 30 || i < 300 {
				if got, want := late.Predict(0, j), atOnce.Predict(0, j); got.LogMedian != want.LogMedian ||
					got.Sigma() != want.Sigma() || got.Rank(1000) != want.Rank(1000) {
					t.Fatalf("%s, job %d: %+v, expected %+v", spec, i, got, want)
				}
			}
			late.Ended(0, j, future[i].RunTime())
			atOnce.Ended(0, j, future[i].RunTime())
			for n := range future[i].GPUs + 1 {
				j.GPUs = 1 << n
				atOnce.Predict(0, j)
			}
		}
	}
}
