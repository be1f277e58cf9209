package cmaes

import (
	"fmt"

	"tarry/internal/pack"
)

const record = "tarry/cmaes/1"

// MarshalBinary saves all that changes with the generations.
func (r *Distribution) MarshalBinary() ([]byte, error) {
	w := pack.NewWriter(record)
	w.Int(r.d)
	w.Int(r.lambda)
	w.Int(r.generation)
	w.Bool(r.broken)
	w.Float64(r.sigma)
	for _, x := range [][]float64{r.mean, r.ps, r.pc, r.axes, r.b.RawMatrix().Data, r.covariance()} {
		w.Float64s(x)
	}
	return w.Seal(), nil
}

// covariance lists the covariance, row by row.
func (r *Distribution) covariance() []float64 {
	out := make([]float64, 0, r.d*r.d)
	for i := range r.d {
		for j := range r.d {
			out = append(out, r.c.At(i, j))
		}
	}
	return out
}

// UnmarshalBinary sets a distribution of as many numbers and points to what was saved. On an error
// it stays as it was.
func (r *Distribution) UnmarshalBinary(data []byte) error {
	n := NewDistribution(make([]float64, r.d), r.lambda, 1)
	in := pack.NewReader(record, data)
	if d, lambda := in.Int(), in.Int(); in.Err() == nil && (d != r.d || lambda != r.lambda) {
		in.Fail(fmt.Errorf("%d numbers in generations of %d, expected %d in %d", d, lambda, r.d, r.lambda))
	}
	n.generation, n.broken, n.sigma = in.Int(), in.Bool(), in.Float64()
	c := make([]float64, r.d*r.d)
	for _, x := range [][]float64{n.mean, n.ps, n.pc, n.axes, n.b.RawMatrix().Data, c} {
		in.Float64s(x)
	}
	if err := in.Close(); err != nil {
		return fmt.Errorf("distribution: %w", err)
	}
	for i := range r.d {
		for j := i; j < r.d; j++ {
			n.c.SetSym(i, j, c[i*r.d+j])
		}
	}
	*r = *n
	return nil
}
