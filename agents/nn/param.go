package nn

import (
	"fmt"
	"math"

	"tarry/internal/vector"
)

// Param is one matrix of weights, row by row, with room for its gradient. A bias is a
// matrix of one row.
type Param struct {
	// Name is unique within a learner, such as "actor/0/weight".
	Name string
	// Rows and Cols are the shape, both at least 1.
	Rows, Cols int
	// W holds the weights and Grad the gradient of the last loss, both Rows*Cols long.
	// The slices never move: graphs and forward passes keep them.
	W, Grad []float64
}

// NewParam gives a matrix of zeros.
func NewParam(name string, rows, cols int) *Param {
	return &Param{Name: name, Rows: rows, Cols: cols, W: make([]float64, rows*cols), Grad: make([]float64, rows*cols)}
}

// ClipNorm scales all gradients together so that their Euclidean norm is at most limit,
// and returns the norm before; a limit of 0 only measures. The factor is
// limit/(norm+1e-6), as in PyTorch's clip_grad_norm_.
func ClipNorm(params []*Param, limit float64) float64 {
	sum := 0.0
	for _, p := range params {
		for _, g := range p.Grad {
			sum += float64(g * g)
		}
	}
	norm := math.Sqrt(sum)
	if limit <= 0 || norm+1e-6 <= limit {
		return norm
	}
	f := limit / (norm + 1e-6)
	for _, p := range params {
		vector.Scale(p.Grad, f)
	}
	return norm
}

// CheckFinite names the first weight or gradient that is NaN or infinite, or returns nil.
func CheckFinite(params []*Param) error {
	for _, p := range params {
		for i, w := range p.W {
			if math.IsNaN(w) || math.IsInf(w, 0) {
				return fmt.Errorf("weight %s[%d,%d] is %g, expected a finite number", p.Name, i/p.Cols, i%p.Cols, w)
			}
		}
		for i, g := range p.Grad {
			if math.IsNaN(g) || math.IsInf(g, 0) {
				return fmt.Errorf("gradient of %s[%d,%d] is %g, expected a finite number", p.Name, i/p.Cols, i%p.Cols,
					g)
			}
		}
	}
	return nil
}
