package dominant

import (
	"math/rand/v2"
	"testing"

	"tarry/internal/effort"
)

// fine is how many tasks a tenant alone could have: an allocation equals one of divisible resources
// except for some parts in fine.
const fine = 400

// economy is tenants with demands per task, each of which alone could run fine tasks.
type economy struct {
	demands []Vector
	weights []float64
}

// draw gives demands of which none is less than 0.3 of the dominant one: else a tenant lives long
// on what no task of the others fits in.
func draw(r *rand.Rand) economy {
	var e economy
	for range 2 + r.IntN(4) {
		var d Vector
		for i := range 1 + r.IntN(Resources) {
			d[(i+r.IntN(2))%Resources] = float64(3+r.IntN(8)) / 10
		}
		e.demands = append(e.demands, normal(d))
		e.weights = append(e.weights, float64(1+r.IntN(4)*r.IntN(2)))
	}
	return e
}

// normal scales a demand so that its dominant resource is 1/fine of the total, which is 1 of each.
func normal(d Vector) Vector {
	most := max(d[0], d[1], d[2])
	for r := range d {
		d[r] /= most * fine
	}
	return d
}

// allocate fills and gives the tasks of each.
func (e economy) allocate() []int {
	tr := New(Vector{1, 1, 1}, HDRF)
	var leaves []int32
	var many []int
	for _, w := range e.weights {
		leaves, many = append(leaves, tr.Add(Root, w, true)), append(many, 1<<30)
	}
	return fill(tr, leaves, e.demands, many)
}

// tasksIn is how many tasks of a demand an amount holds.
func tasksIn(have, d Vector) float64 {
	n := 1e300
	for r := range d {
		if d[r] > 0 {
			n = min(n, have[r]/d[r])
		}
	}
	return n
}

func times(d Vector, n float64) (v Vector) {
	for r := range d {
		v[r] = d[r] * n
	}
	return v
}

// fluid is the allocation of divisible resources: all dominant shares over weights rise together
// until a resource is used up; tenants that need it stop, the others rise further.
func (e economy) fluid() []float64 {
	have, stopped, free := make([]float64, len(e.demands)), make([]bool, len(e.demands)), Vector{1, 1, 1}
	for {
		rate := Vector{}
		for i, d := range e.demands {
			if !stopped[i] {
				for r := range d {
					rate[r] += d[r] * fine * e.weights[i]
				}
			}
		}
		step, first := 1e300, -1
		for r := range rate {
			if rate[r] > 0 && free[r]/rate[r] < step {
				step, first = free[r]/rate[r], r
			}
		}
		if first < 0 {
			return have
		}
		for i, d := range e.demands {
			if !stopped[i] {
				have[i] += step * e.weights[i] * fine
				stopped[i] = d[first] > 0
			}
		}
		for r := range rate {
			free[r] -= step * rate[r]
		}
		free[first] = 0
	}
}

// crumbs is how many tasks a tenant can be away from the divisible allocation because tasks of
// others have a size: the largest of them in its own tasks, resource by resource.
func (e economy) crumbs(i int) float64 {
	most := 0.0
	for k, d := range e.demands {
		for r := range d {
			if own := e.demands[i][r]; k != i && own > 0 {
				most = max(most, d[r]/own)
			}
		}
	}
	return most
}

func cases(t *testing.T) int {
	if testing.Short() {
		return 100
	}
	return effort.Of(t, 1000, 30_000)
}

// What the NSDI 2011 paper proves of DRF with divisible tasks holds on drawn economies up to a few
// of the fine tasks and to crumbs: it is progressive filling, no tenant would rather have its
// weighted part of everything (sharing incentive) or what another has for its weight (envy), no
// tenant can have more without another having less (Pareto), and no false demand gives a tenant
// more tasks (strategy-proofness, one lie each).
func TestProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for c := range cases(t) {
		e := draw(r)
		got, want, sum := e.allocate(), e.fluid(), 0.0
		slack := 3.0
		for _, w := range e.weights {
			sum += w
			slack = max(slack, 3*w) // one task of one with a small weight is several of one with a large weight
		}
		free := Vector{1, 1, 1}
		for i, d := range e.demands {
			for k := range d {
				free[k] -= d[k] * float64(got[i])
			}
		}
		for i, d := range e.demands {
			n := float64(got[i])
			if n < want[i]-slack*4-e.crumbs(i) || n > want[i]+slack*4+e.crumbs(i) {
				t.Fatalf("case %d: tenant %d of %+v has %v tasks, divisible %v", c, i, e, got, want)
			}
			if fair := e.weights[i] / sum * fine; n < fair-slack {
				t.Fatalf("case %d: tenant %d of %+v has %v tasks, alone with its part %.1f", c, i, e, got, fair)
			}
			for k := range e.demands {
				if other := tasksIn(times(e.demands[k], float64(got[k])*e.weights[i]/e.weights[k]),
					d); n < other-2*slack-e.crumbs(k) {
					t.Fatalf("case %d: tenant %d of %+v has %v tasks, with what %d has %.1f", c, i, e, got, k, other)
				}
			}
			if tasksIn(free, d) >= 1+1e-9 {
				t.Fatalf("case %d: %v is left of %+v, and tenant %d could use it", c, free, e, i)
			}
		}
		liar := r.IntN(len(e.demands))
		lie, truth := e, e.demands[liar]
		lie.demands = append([]Vector(nil), e.demands...)
		said := Vector{}
		for k := range said {
			if truth[k] > 0 || r.IntN(3) == 0 {
				said[k] = float64(3+r.IntN(8)) / 10
			}
		}
		lie.demands[liar] = normal(said)
		if n := tasksIn(times(lie.demands[liar], float64(lie.allocate()[liar])),
			truth); n > float64(got[liar])+2*slack+lie.crumbs(liar) {
			t.Fatalf("case %d: tenant %d of %+v says %v and gains: %.1f tasks instead of %d", c, liar, e,
				lie.demands[liar], n, got[liar])
		}
	}
}
