package assign

import (
	"math"
	"slices"
)

// Proof is what dual values prove: no solution is better than the solution that was found by more
// than Gap + Violation times the number of pairs. Both are 0, up to rounding, at an optimum;
// Invalid names what is no solution at all.
type Proof struct {
	// Gap is the bound of the duals minus the value found, as a loss: 0 or more.
	Gap float64
	// Violation is by how much a dual constraint fails at most.
	Violation float64
	Invalid   string
}

// Verify checks an assignment against its costs; max = it was found by Max.
func (a *Assignment) Verify(m Matrix, max bool) Proof {
	sign := 1.0
	if max {
		sign = -1
	}
	var p Proof
	if a.pairs() != min(m.Rows, m.Cols) {
		return Proof{Invalid: "the smaller side is not matched completely, each to another"}
	}
	bound, cost := 0.0, 0.0
	for i, j := range a.Column {
		bound += sign * a.U[i]
		if j >= 0 {
			cost += sign * m.At[i*m.Cols+j]
		}
		for k := range m.Cols {
			p.violated(sign*(a.U[i]+a.V[k]) - sign*m.At[i*m.Cols+k])
		}
		p.slack(sign*a.U[i], j < 0, m.Rows > m.Cols)
	}
	for k, i := range a.Row {
		bound += sign * a.V[k]
		p.slack(sign*a.V[k], i < 0, m.Rows <= m.Cols)
	}
	p.Gap = cost - bound
	return p
}

// slack checks the dual of a row or column of the larger side: at most 0, and 0 when it is
// unmatched.
func (p *Proof) slack(dual float64, unmatched, larger bool) {
	if larger {
		p.violated(dual)
		if unmatched {
			p.violated(-dual)
		}
	}
}

// violated notes by how much a value that must be at most 0 exceeds it.
func (p *Proof) violated(x float64) {
	if !(x <= p.Violation) {
		p.Violation = x
	}
}

// pairs counts the matched pairs, -1 where rows and columns disagree.
func (a *Assignment) pairs() int {
	n := 0
	for i, j := range a.Column {
		if j >= 0 {
			n++
			if j >= len(a.Row) || a.Row[j] != i {
				return -1
			}
		}
	}
	for _, i := range a.Row {
		if i >= 0 {
			n--
		}
	}
	if n != 0 {
		return -1
	}
	for _, i := range a.Row {
		if i >= 0 {
			n++
		}
	}
	return n
}

// Verify checks a matching of a graph; largest as it was for MaxWeight. That a matching is of the
// largest size is not part of the proof: it is if the same graph with all weights 1 gives as many
// pairs.
func (r *Matching) Verify(edges []Edge, largest bool) Proof {
	var p Proof
	inside := r.members()
	best := map[[2]int]float64{} // the matched pairs
	for _, e := range edges {
		y := r.Y[e.A] + r.Y[e.B]
		for _, s := range both(inside, e.A, e.B) {
			y += r.Sets[s].Z
		}
		p.violated(e.Weight - y)
		k := [2]int{min(e.A, e.B), max(e.A, e.B)}
		if w, ok := best[k]; r.Mate[e.A] == e.B && r.Mate[e.B] == e.A && (!ok || e.Weight > w) {
			best[k] = e.Weight
		}
	}
	full := make([]int, len(r.Sets)) // matched edges within a set
	weight, unmatched := 0.0, 0
	for v, w := range r.Mate {
		if w < 0 {
			unmatched++
		} else if v < w {
			weight += best[[2]int{v, w}]
			for _, s := range both(inside, v, w) {
				full[s]++
			}
		}
	}
	if len(best) != r.Pairs || unmatched+2*r.Pairs != len(r.Mate) {
		return Proof{Invalid: "mates are not joined by edges"}
	}
	p.Gap = r.bound(&p, largest) - weight
	for s, f := range full {
		if f != (len(r.Sets[s].Vertices)-1)/2 {
			p.Invalid = "a set with a dual is not matched inside"
		}
	}
	return p
}

// both lists the sets that hold two vertices.
func both(inside [][]int, v, w int) (sets []int) {
	for _, s := range inside[v] {
		if slices.Contains(inside[w], s) {
			sets = append(sets, s)
		}
	}
	return sets
}

// members lists the sets that hold each vertex.
func (r *Matching) members() [][]int {
	inside := make([][]int, len(r.Mate))
	for s := range r.Sets {
		for _, v := range r.Sets[s].Vertices {
			inside[v] = append(inside[v], s)
		}
	}
	return inside
}

// bound is what the duals prove that no matching exceeds.
func (r *Matching) bound(p *Proof, largest bool) float64 {
	least := 0.0
	if largest {
		least = math.Inf(1)
		for _, y := range r.Y {
			least = min(least, y)
		}
	}
	sum := 0.0
	for v, y := range r.Y {
		p.violated(least - y)
		if r.Mate[v] >= 0 {
			sum += y
		} else {
			sum += y - least // an unmatched vertex must have the least dual
		}
	}
	for _, s := range r.Sets {
		p.violated(-s.Z)
		if len(s.Vertices)%2 == 0 {
			p.Invalid = "a set of an even number of vertices"
		}
		sum += float64(s.Z * float64((len(s.Vertices)-1)/2))
	}
	return sum
}
