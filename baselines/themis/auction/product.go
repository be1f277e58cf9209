package auction

import "math"

// Product is a product of many values, Frac x 2^Exp with Frac in [0.5, 1): hundreds of bidders'
// values have a product below the least float64. The zero value is 0.
type Product struct {
	Frac float64
	Exp  int
}

// one is the product of nothing.
var one = Product{0.5, 1}

// product is a value as a product.
func product(x float64) Product {
	f, e := math.Frexp(x)
	return Product{f, e}
}

// times multiplies.
func (p Product) times(q Product) Product {
	r := Product{p.Frac * q.Frac, p.Exp + q.Exp}
	if r.Frac < 0.5 && r.Frac > 0 {
		r.Frac *= 2
		r.Exp--
	}
	return r
}

// over divides by a product > 0, for a quotient that a float64 holds.
func (p Product) over(q Product) float64 { return math.Ldexp(p.Frac/q.Frac, p.Exp-q.Exp) }

// less reports p < q.
func (p Product) less(q Product) bool {
	if p.Frac == 0 || q.Frac == 0 {
		return p.Frac < q.Frac
	}
	return p.Exp < q.Exp || p.Exp == q.Exp && p.Frac < q.Frac
}

// ties reports p >= q (1 - Tie).
func (p Product) ties(q Product) bool {
	if p.Frac == 0 || q.Frac == 0 {
		return q.Frac == 0
	}
	d := p.Exp - q.Exp
	return d > 1 || d >= -1 && math.Ldexp(p.Frac, d) >= q.Frac*(1-Tie)
}

// Value is the product as a float64, 0 or infinite when out of its range.
func (p Product) Value() float64 { return math.Ldexp(p.Frac, p.Exp) }
