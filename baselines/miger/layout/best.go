package layout

import "math"

// MaxJobs is how many jobs a choice may have.
const MaxJobs = 7

// Values are the values of jobs on one GPU. The numbers are >= 0; NaN or a negative number states
// that a job, or a pair, cannot be there.
type Values struct {
	// Jobs is how many there are, at most MaxJobs.
	Jobs int
	// Alone returns the value of job i alone in an instance of a profile.
	Alone func(i, profile int) float64
	// Pair returns the value of jobs i < k together in one; nil = no pairs.
	Pair func(i, k, profile int) float64
}

// Group is one instance with its jobs.
type Group struct {
	// Profile is the size of the instance.
	Profile int8
	// A and B are the jobs in it, A < B; B is -1 for one alone.
	A, B int8
}

// none is the worth of what cannot be.
const none = -1.0

// Solver has the memory of Best.
type Solver struct {
	alone [MaxJobs][16]float64
	pair  [MaxJobs][MaxJobs][16]float64
	worth [mostInstances + 1][1 << MaxJobs]float64
	took  [mostInstances + 1][1 << MaxJobs]uint8 // the jobs that the instance took
}

// mostInstances is how many instances a GPU may have.
const mostInstances = 7

// Best gives the groups of most worth in which every job has a place, ascending by A, and their
// value; ok is false where not all have one. Of equals it gives the first shape's, whose instances
// are the largest.
func (s *Shapes) Best(w *Solver, v *Values, dst []Group) (groups []Group, worth float64, ok bool) {
	w.read(v, len(s.dev.Profiles))
	best, at := none, -1
	all := 1<<v.Jobs - 1
	for i, shape := range s.list {
		same := 0 // the first instances of a shape are often the same as in the one before
		for i > 0 && same < min(len(shape), len(s.list[i-1])) && shape[same] == s.list[i-1][same] {
			same++
		}
		w.fill(shape, same, v.Jobs)
		if got := w.worth[len(shape)][all]; got > best {
			best, at = got, i
		}
	}
	if at < 0 {
		return dst, 0, false
	}
	shape, mask, from := s.list[at], all, len(dst)
	w.fill(shape, 0, v.Jobs)
	for n := len(shape); n > 0; n-- {
		took := int(w.took[n][mask])
		if took == 0 {
			continue
		}
		g := Group{Profile: shape[n-1], A: -1, B: -1}
		for j := range v.Jobs {
			switch {
			case took>>j&1 == 0:
			case g.A < 0:
				g.A = int8(j)
			default:
				g.B = int8(j)
			}
		}
		dst = append(dst, g)
		mask &^= took
	}
	sortGroups(dst[from:])
	return dst, best, true
}

// read asks for all values once; NaN becomes none.
func (w *Solver) read(v *Values, profiles int) {
	clean := func(x float64) float64 {
		if !(x >= 0) || math.IsInf(x, 0) {
			return none
		}
		return x
	}
	for i := range v.Jobs {
		for p := range profiles {
			w.alone[i][p] = clean(v.Alone(i, p))
			for k := i + 1; k < v.Jobs; k++ {
				w.pair[i][k][p] = none
				if v.Pair != nil {
					w.pair[i][k][p] = clean(v.Pair(i, k, p))
				}
			}
		}
	}
}

// fill computes the value of each set of jobs in the first n instances of a shape, for each n
// above same, up to which it is known.
func (w *Solver) fill(shape []int8, same, jobs int) {
	for m := range 1 << jobs {
		w.worth[0][m] = none
	}
	w.worth[0][0] = 0
	for n := same; n < len(shape); n++ {
		p := shape[n]
		for m := range 1 << jobs {
			best, took := w.worth[n][m], 0
			for i := range jobs {
				if m>>i&1 == 0 {
					continue
				}
				if x := sum(w.worth[n][m&^(1<<i)], w.alone[i][p]); x > best {
					best, took = x, 1<<i
				}
				for k := i + 1; k < jobs; k++ {
					if m>>k&1 == 0 {
						continue
					}
					if x := sum(w.worth[n][m&^(1<<i|1<<k)], w.pair[i][k][p]); x > best {
						best, took = x, 1<<i|1<<k
					}
				}
			}
			w.worth[n+1][m], w.took[n+1][m] = best, uint8(took)
		}
	}
}

// sum adds two worths, none if one of them is.
func sum(a, b float64) float64 {
	if a < 0 || b < 0 {
		return none
	}
	return a + b
}

// sortGroups orders groups by their first job: there are at most seven.
func sortGroups(g []Group) {
	for i := range g {
		for k := i; k > 0 && g[k].A < g[k-1].A; k-- {
			g[k], g[k-1] = g[k-1], g[k]
		}
	}
}
