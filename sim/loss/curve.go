package loss

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// Kind is a family of curves.
type Kind uint8

// The families.
const (
	// Sublinear is 1/(A k^2 + B k + C) + D.
	Sublinear Kind = iota
	// Exponential is A exp(-B k) + D.
	Exponential
)

// Curve is a loss that falls with progress.
type Curve struct {
	Kind Kind
	// A, B, C and D are the parameters of the family; D is the loss that training tends to.
	A, B, C, D float64
}

// At is the loss at progress k >= 0.
func (c Curve) At(k float64) float64 {
	if c.Kind == Exponential {
		return float64(c.A*fixmath.Exp(-float64(c.B*k))) + c.D
	}
	return 1/(float64(float64(float64(c.A*k)+c.B)*k)+c.C) + c.D
}

// Normal is the part of the loss that is still to be lost at progress k: 1 at the start, towards 0.
func (c Curve) Normal(k float64) float64 {
	return (c.At(k) - c.D) / (c.At(0) - c.D)
}

// Reach is the progress at which Normal is a part, 0 < part <= 1.
func (c Curve) Reach(part float64) float64 {
	if c.Kind == Exponential {
		return -math.Log(part) / c.B
	}
	rise := c.C/part - c.C // A k^2 + B k
	if c.A == 0 {
		return rise / c.B
	}
	return 2 * rise / (c.B + math.Sqrt(float64(c.B*c.B)+float64(4*c.A)*rise))
}

// Draw draws a curve: a family, each as likely; a loss of 1 to 10 to lose and up to half as much
// that stays, both uniform; and the progress at which half is lost, log-normal about half with
// deviation sigma of its logarithm. A sublinear curve owes a uniform part of that to the square.
func Draw(r *rng.Stream, half, sigma float64) Curve {
	kind, most, floor, square := Kind(r.IntN(2)), 1+float64(9*r.Float64()), 0.5*r.Float64(), r.Float64()
	h := float64(half * fixmath.Exp(float64(sigma*r.NormFloat64())))
	if kind == Exponential {
		return Curve{Kind: kind, A: most, B: math.Ln2 / h, D: float64(floor * most)}
	}
	return Curve{Kind: kind, A: square / most / h / h, B: (1 - square) / most / h, C: 1 / most,
		D: float64(floor * most)}
}
