package choice

import (
	"fmt"
	"math"
)

// MaxRows is the most coupling rows of a problem.
const MaxRows = 8

// Problem is a set of groups with their options. It is built group by group: Reset, then for each
// group Option for each of its options and Close.
type Problem struct {
	// Cap has the capacity of each row, 0 and more.
	Cap []float64
	// First[g] is the first option of group g; the last element is the number of options.
	First []int32
	// Cost has the cost of each option; +Inf forbids it.
	Cost []float64
	// Use has what option o uses of row i at [o*rows + i], finite.
	Use []float64
}

// Reset empties a problem and gives it capacities. Memory is kept.
func (p *Problem) Reset(caps []float64) {
	p.Cap = append(p.Cap[:0], caps...)
	p.First = append(p.First[:0], 0)
	p.Cost = p.Cost[:0]
	p.Use = p.Use[:0]
}

// Option adds an option to the group that is being built and returns its row of Use, zeros, to be
// filled in. The row is valid until the next call.
func (p *Problem) Option(cost float64) []float64 {
	k, n := len(p.Cap), len(p.Use)
	p.Cost = append(p.Cost, cost)
	for range k {
		p.Use = append(p.Use, 0)
	}
	return p.Use[n : n+k : n+k]
}

// Close ends the group that is being built. A group without options makes a problem infeasible.
func (p *Problem) Close() { p.First = append(p.First, int32(len(p.Cost))) }

// Groups is the number of groups.
func (p *Problem) Groups() int { return len(p.First) - 1 }

// Validate reports the first fault of a problem. Solvers take it as it is.
func (p *Problem) Validate() error {
	k := len(p.Cap)
	if k == 0 || k > MaxRows {
		return fmt.Errorf("choice: %d rows, expected 1 to %d", k, MaxRows)
	}
	if len(p.First) == 0 || p.First[0] != 0 || int(p.First[len(p.First)-1]) != len(p.Cost) ||
		len(p.Use) != len(p.Cost)*k {
		return fmt.Errorf("choice: lengths of groups, %d costs and %d uses do not fit", len(p.Cost), len(p.Use))
	}
	for i, c := range p.Cap {
		if !(c >= 0) || math.IsInf(c, 1) {
			return fmt.Errorf("choice: row %d has capacity %v, expected a finite number of at least 0", i, c)
		}
	}
	for g := range p.Groups() {
		if p.First[g+1] < p.First[g] {
			return fmt.Errorf("choice: group %d ends before it begins", g)
		}
	}
	for o, c := range p.Cost {
		if math.IsNaN(c) || math.IsInf(c, -1) {
			return fmt.Errorf("choice: option %d costs %v", o, c)
		}
	}
	for i, u := range p.Use {
		if math.IsNaN(u) || math.IsInf(u, 0) {
			return fmt.Errorf("choice: option %d uses %v of row %d", i/k, u, i%k)
		}
	}
	return nil
}
