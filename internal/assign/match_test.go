package assign

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func size(n int) string { return "n=" + strconv.Itoa(n) }

// bruteMatching is the largest weight of a matching, and the largest at the largest number of
// edges.
func bruteMatching(n int, edges []Edge) (weight float64, pairs int, atMost float64) {
	w := map[[2]int]float64{}
	for _, e := range edges {
		for _, k := range [][2]int{{e.A, e.B}, {e.B, e.A}} {
			if x, ok := w[k]; !ok || e.Weight > x {
				w[k] = e.Weight
			}
		}
	}
	used := make([]bool, n)
	var from func(v, count int, sum float64)
	from = func(v, count int, sum float64) {
		if v == n {
			weight = max(weight, sum)
			if count > pairs || count == pairs && sum > atMost {
				pairs, atMost = count, sum
			}
			return
		}
		from(v+1, count, sum)
		if used[v] {
			return
		}
		for u := v + 1; u < n; u++ {
			if x, ok := w[[2]int{v, u}]; ok && !used[u] {
				used[u], used[v] = true, true
				from(v+1, count+1, sum+x)
				used[u], used[v] = false, false
			}
		}
	}
	atMost = math.Inf(-1)
	from(0, 0, 0)
	return weight, pairs, atMost
}

func weights(edges []Edge) []float64 {
	out := make([]float64, len(edges))
	for i, e := range edges {
		out[i] = e.Weight
	}
	return out
}

// checkMatching holds both kinds of matching to brute force (small graphs) and to the proof.
func checkMatching(t *testing.T, m *Matcher, n int, edges []Edge) {
	t.Helper()
	tol := tolerance(weights(edges))
	ones := make([]Edge, len(edges))
	for i, e := range edges {
		ones[i] = Edge{e.A, e.B, 1}
	}
	one, err := m.Solve(n, ones, false)
	if err != nil {
		t.Fatal(err)
	}
	proved(t, one.Verify(ones, false), 0)
	heavy, err1 := m.Solve(n, edges, false)
	large, err2 := m.Solve(n, edges, true)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	proved(t, heavy.Verify(edges, false), tol)
	proved(t, large.Verify(edges, true), tol)
	if large.Pairs != one.Pairs {
		t.Fatalf("%d pairs, %d exist: %v", large.Pairs, one.Pairs, edges)
	}
	if n > 8 {
		return
	}
	w, pairs, at := bruteMatching(n, edges)
	if !(math.Abs(heavy.Weight-w) <= tol) || large.Pairs != pairs || !(math.Abs(large.Weight-at) <= tol) {
		t.Fatalf("weight %v, %d pairs of %v; brute force %v, %d of %v: %v", heavy.Weight, large.Pairs, large.Weight, w,
			pairs, at, edges)
	}
}

func randomGraph(r *rand.Rand, most int) (int, []Edge) {
	n := 1 + r.IntN(most)
	kind, dense := r.IntN(4), 1+r.IntN(6)
	var edges []Edge
	for a := range n {
		for b := range a {
			if r.IntN(6) >= dense {
				continue
			}
			e := Edge{A: a, B: b}
			switch kind {
			case 0:
				e.Weight = float64(r.IntN(4))
			case 1:
				e.Weight = float64(r.IntN(41) - 10)
			case 2:
				e.Weight = r.NormFloat64()
			default:
				e.Weight = float64(1000 + r.IntN(30))
			}
			edges = append(edges, e)
			if r.IntN(20) == 0 {
				edges = append(edges, Edge{b, a, e.Weight + 1})
			}
		}
	}
	r.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	return n, edges
}

func TestMatchingsAgainstBruteForce(t *testing.T) {
	r, m := rand.New(rand.NewPCG(11, 12)), new(Matcher)
	for range 6000 {
		n, edges := randomGraph(r, 8)
		checkMatching(t, m, n, edges)
	}
}

func TestLargeMatchingsAreProved(t *testing.T) {
	r, m := rand.New(rand.NewPCG(13, 14)), new(Matcher)
	for range 150 {
		n, edges := randomGraph(r, 90)
		checkMatching(t, m, n, edges)
	}
}

// Sparse graphs with near-equal weights nest blossoms deeply.
func TestNestedBlossoms(t *testing.T) {
	r, m := rand.New(rand.NewPCG(15, 16)), new(Matcher)
	deep := 0
	for range 400 {
		n := 20 + r.IntN(30)
		var edges []Edge
		for range 2 * n {
			if a, b := r.IntN(n), r.IntN(n); a != b {
				edges = append(edges, Edge{a, b, float64(20 + r.IntN(12))})
			}
		}
		checkMatching(t, m, n, edges)
		got, err := m.Solve(n, edges, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range got.Sets {
			deep = max(deep, len(s.Vertices))
		}
	}
	if deep < 9 {
		t.Errorf("the largest odd set has %d vertices: the graphs do not test nesting", deep)
	}
}

func TestRefusedGraphs(t *testing.T) {
	for _, e := range []Edge{{0, 0, 1}, {-1, 0, 1}, {0, 2, 1}, {0, 1, math.NaN()}, {0, 1, math.Inf(1)}} {
		if _, err := MaxWeight(2, []Edge{e}, false); err == nil {
			t.Errorf("%v: no error", e)
		}
	}
	if _, err := MaxWeight(-1, nil, false); err == nil {
		t.Error("-1 vertices: no error")
	}
}

func TestNothingToMatch(t *testing.T) {
	for _, largest := range []bool{false, true} {
		if m, err := MaxWeight(0, nil, largest); err != nil || m.Pairs != 0 {
			t.Error(m, err)
		}
		m, err := MaxWeight(3, []Edge{{0, 1, -2}}, largest)
		if err != nil || (m.Pairs == 1) != largest {
			t.Errorf("largest %v: %v, %v", largest, m, err)
		}
	}
}

func FuzzMaxWeight(f *testing.F) {
	f.Add([]byte{5, 0, 1, 10, 1, 2, 11, 2, 0, 9, 2, 3, 8})
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) < 1 || len(in) > 200 {
			return
		}
		n := int(in[0])%8 + 2
		var edges []Edge
		for in = in[1:]; len(in) >= 3; in = in[3:] {
			if a, b := int(in[0])%n, int(in[1])%n; a != b {
				edges = append(edges, Edge{a, b, float64(int8(in[2]))})
			}
		}
		checkMatching(t, new(Matcher), n, edges)
	})
}

func BenchmarkMaxWeight(b *testing.B) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, n := range []int{50, 200, 500} {
		var edges []Edge
		for v := range n {
			for u := range v {
				edges = append(edges, Edge{v, u, r.Float64()})
			}
		}
		b.Run(size(n), func(b *testing.B) {
			var m Matcher
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Solve(n, edges, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
