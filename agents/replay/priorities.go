package replay

// Priorities draws rows in proportion to weights: a binary tree whose nodes are the sums of their
// children (Schaul et al., arXiv:1511.05952, appendix B.2.1). Every sum is always of the same two
// numbers, so that a tree follows from its weights to the last bit.
type Priorities struct {
	first int       // of the leaves
	sums  []float64 // 1 = all; node i has the children 2i and 2i+1
}

// NewPriorities has a weight of 0 for each of so many rows.
func NewPriorities(rows int) *Priorities {
	first := 1
	for first < rows {
		first *= 2
	}
	return &Priorities{first, make([]float64, 2*first)}
}

// Set gives a row a weight, at least 0; a row of weight 0 is never drawn.
func (p *Priorities) Set(row int, weight float64) {
	i := p.first + row
	p.sums[i] = weight
	for i /= 2; i > 0; i /= 2 {
		p.sums[i] = p.sums[2*i] + p.sums[2*i+1]
	}
}

// Of is the weight of a row, Sum the sum of all.
func (p *Priorities) Of(row int) float64 { return p.sums[p.first+row] }

// Sum is the sum of all weights.
func (p *Priorities) Sum() float64 { return p.sums[1] }

// Draw gives the row on which u, in [0,1), falls. The sum must be above 0.
func (p *Priorities) Draw(u float64) int {
	x, i := u*p.sums[1], 1
	for i < p.first {
		i *= 2
		if left := p.sums[i]; x >= left && p.sums[i+1] > 0 || left == 0 {
			x -= left
			i++
		}
	}
	return i - p.first
}
