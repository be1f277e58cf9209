package assign

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"tarry/internal/sharedata"
)

// instance is a line of the stored problems, of either kind.
type instance struct {
	ID   int    `json:"id"`
	Kind string `json:"kind"`

	Objective  *float64    `json:"objective"`
	Cost       [][]float64 `json:"cost"`
	Processing [][]float64 `json:"processing"`
	Waited     []float64   `json:"waited"`
	Available  []float64   `json:"available"`

	MaxWeight *float64     `json:"max_weight"`
	N         int          `json:"n"`
	Edges     [][3]float64 `json:"edges"`
	Pairs     int          `json:"max_cardinality"`
	AtPairs   float64      `json:"max_weight_at_max_cardinality"`
}

// matrix is the instance as costs; jobs with times of AlloX have a column for each machine and
// place from the end.
func (p *instance) matrix() Matrix {
	var m Matrix
	if p.Cost != nil {
		m.Rows, m.Cols = len(p.Cost), len(p.Cost[0])
		for _, row := range p.Cost {
			m.At = append(m.At, row...)
		}
		return m
	}
	n := len(p.Processing)
	m.Rows, m.Cols = n, n*len(p.Available)
	for i, times := range p.Processing {
		for k := 1; k <= n; k++ {
			for j, a := range p.Available {
				m.At = append(m.At, p.Waited[i]+a+float64(float64(k)*times[j]))
			}
		}
	}
	return m
}

// instances calls f with every line below the folder of references that has the form of an
// assignment or a matching.
func instances(t *testing.T, f func(t *testing.T, p *instance)) {
	found := 0
	for _, name := range sharedata.References(t, filepath.Join("*", "*.jsonl")) {
		in, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var p instance
			if json.Unmarshal(lines.Bytes(), &p) == nil && (p.MaxWeight != nil || p.Objective != nil &&
				(p.Cost != nil && p.Kind != "" || p.Processing != nil)) {
				found++
				f(t, &p)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if found == 0 {
		t.Skip("no problems with known optimum among the results of other programs")
	}
	t.Logf("%d problems", found)
}

// Every stored problem has the stored optimum, exactly for whole numbers, and the duals prove it.
func TestStoredOptima(t *testing.T) {
	var matcher Matcher
	instances(t, func(t *testing.T, p *instance) {
		near := func(what string, got, want, tol float64) {
			t.Helper()
			if !(math.Abs(got-want) <= tol) {
				t.Errorf("%s %d: %s %v, expected %v", p.Kind, p.ID, what, got, want)
			}
		}
		if p.MaxWeight == nil {
			m, maximise := p.matrix(), p.Kind == "maximise"
			a, err := Min(m)
			if maximise {
				a, err = Max(m)
			}
			if err != nil {
				t.Fatal(err)
			}
			tol := tolerance(m.At)
			proved(t, a.Verify(m, maximise), tol)
			near("objective", a.Cost, *p.Objective, min(tol, 1e-9*math.Abs(*p.Objective)))
			return
		}
		edges := make([]Edge, len(p.Edges))
		for i, e := range p.Edges {
			edges[i] = Edge{int(e[0]), int(e[1]), e[2]}
		}
		tol := tolerance(weights(edges))
		heavy, err1 := matcher.Solve(p.N, edges, false)
		large, err2 := matcher.Solve(p.N, edges, true)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		proved(t, heavy.Verify(edges, false), tol)
		proved(t, large.Verify(edges, true), tol)
		near("weight", heavy.Weight, *p.MaxWeight, min(tol, 1e-9*math.Abs(*p.MaxWeight)))
		near("weight of the largest", large.Weight, p.AtPairs, min(tol, 1e-9*math.Abs(p.AtPairs)))
		near("pairs", float64(large.Pairs), float64(p.Pairs), 0)
	})
}
