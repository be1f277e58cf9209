package fit

import "math"

// A descent has steps with edges rounded by softFrom and by a tenth of it each time, down to softTo
// or until both errors are sharp times as large and have no edge. Each of these ends after so many
// steps, or when two in turn lower the objective by no more than a part.
const (
	softFrom, softTo = 0.03, 1e-7
	sharp            = 1000
	stepsMost        = 60
	gainLeast        = 1e-7
)

// Damping: where each round begins, and its bounds; a step changes no parameter by more than a
// factor e^farthest.
const (
	dampFrom, dampLeast, dampMost = 1e-3, 1e-10, 1e12
	farthest                      = 3
)

// keen is the part of what a root bends less than its squares, along its slope, that is reckoned
// with. All of it would leave nothing where there is one observation.
const keen = 0.9

// descent is the memory of one.
type descent struct {
	p           *problem
	at, next    state
	t, other    terms // of at and of next
	lo, hi      vector
	soft        float64
	slope, step vector
	bend        [params]vector
}

func newDescent(p *problem) *descent {
	d := &descent{p: p}
	for i := range d.lo {
		d.lo[i], d.hi[i] = math.Log(least), -math.Log(least)
	}
	d.lo[gamma], d.hi[gamma] = 0, math.Log(most)
	return d
}

// from descends from parameters and gives the objective at the end, which is in d.at.
func (d *descent) from(start vector) float64 {
	for i, x := range start {
		d.at.log[i] = min(max(math.Log(max(x, least)), d.lo[i]), d.hi[i])
	}
	d.p.place(&d.at)
	d.p.measure(&d.at, &d.t)
	for d.soft = softFrom; d.soft > softTo; d.soft /= 10 {
		d.round()
		if e := float64(sharp * d.soft); float64(e*e) < min(d.t.grad.sum, d.t.step.sum) {
			break
		}
	}
	return d.t.value()
}

// round descends with edges of one roundness.
func (d *descent) round() {
	value, damp := d.rounded(&d.t), dampFrom
	for small, n := 0, 0; small < 2 && n < stepsMost; n++ {
		d.model()
		gain := 0.0
		for ; !(gain > 0); damp *= 8 {
			if damp > dampMost || !d.propose(damp) {
				return
			}
			d.p.place(&d.next)
			d.p.measure(&d.next, &d.other)
			gain = value - d.rounded(&d.other)
		}
		damp = max(damp/80, dampLeast)
		small++
		if gain > float64(gainLeast*value) {
			small = 0
		}
		value -= gain
		d.at, d.next = d.next, d.at
		d.t, d.other = d.other, d.t
	}
}

// rounded is the objective with its edges rounded: the root of e becomes the root of e + soft^2.
func (d *descent) rounded(t *terms) float64 {
	e := float64(d.soft * d.soft)
	return math.Sqrt(t.grad.sum+e) + math.Sqrt(t.step.sum+e) + t.prior.sum
}

// model sets slope to the slope of the objective, and bend to the curvature of the squares that
// bound its roots from above, less what roots bend less.
func (d *descent) model() {
	e := float64(d.soft * d.soft)
	d.slope, d.bend = vector{}, [params]vector{}
	for _, q := range [...]*square{&d.t.grad, &d.t.step} {
		root := 1 / math.Sqrt(q.sum+e)
		less := float64(keen * float64(root*root))
		for i := range d.slope {
			d.slope[i] += float64(root * q.slope[i])
			for j := range i + 1 {
				d.bend[i][j] += float64(root * (q.bend[i][j] - float64(less*float64(q.slope[i]*q.slope[j]))))
			}
		}
	}
	for i := range d.slope {
		d.slope[i] += 2 * d.t.prior.slope[i]
		for j := range i + 1 {
			d.bend[i][j] += 2 * d.t.prior.bend[i][j]
		}
	}
}

// propose sets next to a damped step within the bounds; a parameter that is on one and would leave
// stays. It reports false where nothing moves.
func (d *descent) propose(damp float64) bool {
	var which [params]int
	n := 0
	for i, s := range d.slope {
		out := d.at.log[i] <= d.lo[i] && s > 0 || d.at.log[i] >= d.hi[i] && s < 0
		if d.p.free[i] && s != 0 && !out {
			which[n] = i
			n++
		}
	}
	d.solve(which[:n], damp)
	d.next.log = d.at.log
	moved := false
	for k, i := range which[:n] {
		d.next.log[i] = min(max(d.at.log[i]+min(max(d.step[k], -farthest), farthest), d.lo[i]), d.hi[i])
		moved = moved || d.next.log[i] != d.at.log[i]
	}
	return moved
}

// solve sets step to the minimum of the model in some parameters, their own bends raised by a part
// damp: Cholesky's factors.
func (d *descent) solve(which []int, damp float64) {
	const floor = 1e-14 // of a factor's square, where the model is flat
	var low [params]vector
	for i, a := range which {
		for j, b := range which[:i] {
			v := d.bend[a][b]
			for k := range j {
				v -= float64(low[i][k] * low[j][k])
			}
			low[i][j] = v / low[j][j]
		}
		v := d.bend[a][a] + float64(damp*d.bend[a][a])
		for k := range i {
			v -= float64(low[i][k] * low[i][k])
		}
		low[i][i] = math.Sqrt(max(v, floor))
		y := -d.slope[a]
		for k := range i {
			y -= float64(low[i][k] * d.step[k])
		}
		d.step[i] = y / low[i][i]
	}
	for i := len(which) - 1; i >= 0; i-- {
		y := d.step[i]
		for k := i + 1; k < len(which); k++ {
			y -= float64(low[k][i] * d.step[k])
		}
		d.step[i] = y / low[i][i]
	}
}
