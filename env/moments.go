package env

import (
	"errors"
	"fmt"
	"math"

	"tarry/internal/pack"
)

// Moments are the running mean and variance of several quantities, after Chan, Golub and LeVeque
// (1983), "Algorithms for computing the sample variance". They start as Gymnasium's: mean 0,
// variance 1, with the weight of 1e-4 samples.
type Moments struct {
	mean, m2 []float64
	count    float64
}

// NewMoments starts the moments of n quantities.
func NewMoments(n int) *Moments {
	const weight = 1e-4
	m := &Moments{mean: make([]float64, n), m2: make([]float64, n), count: weight}
	for i := range m.m2 {
		m.m2[i] = weight
	}
	return m
}

// Len is the number of quantities.
func (m *Moments) Len() int { return len(m.mean) }

// Count is the number of samples seen.
func (m *Moments) Count() float64 { return m.count }

// Mean is the mean of quantity i.
func (m *Moments) Mean(i int) float64 { return m.mean[i] }

// Var is the variance of quantity i, of the population.
func (m *Moments) Var(i int) float64 { return m.m2[i] / m.count }

// Add takes in rows of Len numbers, one after the other.
func (m *Moments) Add(rows []float64) {
	n := len(m.mean)
	for ; len(rows) >= n && n > 0; rows = rows[n:] {
		m.count++
		for i, x := range rows[:n] {
			d := x - m.mean[i]
			m.mean[i] += d / m.count
			m.m2[i] += float64(d * (x - m.mean[i]))
		}
	}
}

// Root gives sqrt(variance + 1e-8) of quantity i.
func (m *Moments) Root(i int) float64 { return math.Sqrt(m.Var(i) + 1e-8) }

// Scale gives (x - mean) / sqrt(variance + 1e-8) of quantity i, clipped to [-limit, limit].
func (m *Moments) Scale(i int, x, limit float64) float64 {
	return max(-limit, min(limit, (x-m.mean[i])/m.Root(i)))
}

const momentsRecord = "tarry/moments/1"

// MarshalBinary saves the moments.
func (m *Moments) MarshalBinary() ([]byte, error) {
	w := pack.NewWriter(momentsRecord)
	w.Float64(m.count)
	w.Float64s(m.mean)
	w.Float64s(m.m2)
	return w.Seal(), nil
}

// UnmarshalBinary sets the moments to saved ones of as many quantities. On an error they stay
// as they were.
func (m *Moments) UnmarshalBinary(data []byte) error {
	n := NewMoments(m.Len())
	r := pack.NewReader(momentsRecord, data)
	n.count = r.Float64()
	r.Float64s(n.mean)
	r.Float64s(n.m2)
	for i := range n.mean {
		if bad := n.mean[i] + n.m2[i] + n.count; math.IsNaN(bad) || math.IsInf(bad, 0) || n.m2[i] < 0 || n.count <= 0 {
			r.Fail(errors.New("a moment is not a finite number"))
		}
	}
	if err := r.Close(); err != nil {
		return fmt.Errorf("moments of %d quantities: %w", m.Len(), err)
	}
	*m = *n
	return nil
}
