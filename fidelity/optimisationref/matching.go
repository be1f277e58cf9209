package optimisationref

import (
	"encoding/json"
	"errors"
	"fmt"

	"tarry/fidelity/reference"
	"tarry/internal/assign"
)

// solveAssignment solves a line with a matrix cost, or with times processing of jobs that have
// waited for machines that are available later: cost of job i at place k from the end of machine j
// = waited i + available j + k times processing i, j.
func solveAssignment(line []byte) (answer, error) {
	var p struct {
		Kind              string
		Cost, Processing  [][]float64
		Waited, Available []float64
		Objective         float64
	}
	if err := json.Unmarshal(line, &p); err != nil {
		return answer{}, err
	}
	rows, places, width := p.Cost, 1, 0
	if rows == nil {
		rows, places = p.Processing, len(p.Processing)
	}
	if len(rows) > 0 {
		width = len(rows[0])
	}
	m := assign.Matrix{Rows: len(rows), Cols: places * width}
	for i, row := range rows {
		if len(row) != width || p.Cost == nil && (len(p.Waited) != len(rows) || len(p.Available) != width) {
			return answer{}, fmt.Errorf("row %d has %d columns, expected %d as the others have", i, len(row), width)
		}
		for k := 1; k <= places; k++ {
			for j, x := range row {
				if p.Cost == nil {
					x = p.Waited[i] + p.Available[j] + float64(float64(k)*x)
				}
				m.At = append(m.At, x)
			}
		}
	}
	solve, maximise := assign.Min, p.Kind == "maximise"
	if maximise {
		solve = assign.Max
	}
	a, err := solve(m)
	if err != nil {
		return answer{}, err
	}
	return numbers(a.Cost, p.Objective), reference.Proof(a.Verify(m, maximise), a.Cost)
}

// solveMatching solves a line with a graph, for the largest weight and for the largest weight of
// the largest number of edges.
func solveMatching(line []byte) (answer, error) {
	var p struct {
		N         int
		Edges     [][3]float64
		MaxWeight float64 `json:"max_weight"`
		Pairs     int     `json:"max_cardinality"`
		AtPairs   float64 `json:"max_weight_at_max_cardinality"`
	}
	if err := json.Unmarshal(line, &p); err != nil {
		return answer{}, err
	}
	edges := make([]assign.Edge, len(p.Edges))
	for i, e := range p.Edges {
		edges[i] = assign.Edge{A: int(e[0]), B: int(e[1]), Weight: e[2]}
	}
	heavy, err1 := assign.MaxWeight(p.N, edges, false)
	large, err2 := assign.MaxWeight(p.N, edges, true)
	if err := errors.Join(err1, err2); err != nil {
		return answer{}, err
	}
	if large.Pairs != p.Pairs {
		return answer{}, fmt.Errorf("%d pairs, there %d", large.Pairs, p.Pairs)
	}
	a, b := numbers(heavy.Weight, p.MaxWeight), numbers(large.Weight, p.AtPairs)
	if b.off > a.off {
		a = b
	}
	return a, errors.Join(reference.Proof(heavy.Verify(edges, false), heavy.Weight),
		reference.Proof(large.Verify(edges, true), large.Weight))
}
