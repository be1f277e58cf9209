package openaies

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tarry/internal/fixmath"
	"tarry/internal/pack"
	"tarry/sim/rng"
)

// Climber is the algorithm without bounds: a mean, and Adam's moments.
type Climber struct {
	mean, m, v []float64
	steps      int
	noise      []float64 // of the pairs that were drawn last, one after the other
}

// NewClimber starts at a mean of at least one number.
func NewClimber(mean []float64) *Climber {
	d := len(mean)
	return &Climber{mean: slices.Clone(mean), m: make([]float64, d), v: make([]float64, d)}
}

// Mean is where the climber is; it changes with each Step.
func (c *Climber) Mean() []float64 { return c.mean }

// Steps counts the steps so far.
func (c *Climber) Steps() int { return c.steps }

// Sample fills mirrored pairs of points around the mean: an even number of them, each with the
// length of the mean.
func (c *Climber) Sample(points [][]float64, sigma float64, draws *rng.Stream) {
	d := len(c.mean)
	if n := len(points) / 2 * d; len(c.noise) != n {
		c.noise = make([]float64, n)
	}
	for k := 0; k < len(points); k += 2 {
		for i, mean := range c.mean {
			e := draws.NormFloat64()
			c.noise[k/2*d+i] = e
			points[k][i], points[k+1][i] = mean+float64(sigma*e), mean-float64(sigma*e)
		}
	}
}

// Step makes one step of Adam against the gradient of the ranks of the costs of the points that
// were drawn last.
func (c *Climber) Step(costs []float64, rate float64) {
	rank, d := ranks(costs), len(c.mean)
	gradient := make([]float64, d)
	for k := range len(costs) / 2 {
		for i := range gradient {
			gradient[i] += float64((rank[2*k]-rank[2*k+1])*c.noise[k*d+i]) / float64(len(costs))
		}
	}
	const b1, b2 = 0.9, 0.99
	c.steps++
	c1, c2 := 1-fixmath.Pow(b1, float64(c.steps)), 1-fixmath.Pow(b2, float64(c.steps))
	for i, g := range gradient {
		c.m[i] = float64(b1*c.m[i]) + float64((1-b1)*g)
		c.v[i] = float64(b2*c.v[i]) + float64((1-b2)*g*g)
		c.mean[i] -= float64(rate * (c.m[i] / c1) / (math.Sqrt(c.v[i]/c2) + 1e-8))
	}
}

// ranks gives each cost its rank, from -1/2 to 1/2; equal ones share the middle of theirs.
func ranks(costs []float64) []float64 {
	order := make([]int, len(costs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[a], costs[b]) })
	out := make([]float64, len(costs))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && costs[order[j]] == costs[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			out[k] = float64(i+j-1)/2/float64(len(costs)-1) - 0.5
		}
		i = j
	}
	return out
}

const record = "tarry/openaies/1"

// MarshalBinary saves all that changes with the steps.
func (c *Climber) MarshalBinary() ([]byte, error) {
	w := pack.NewWriter(record)
	w.Int(c.steps)
	w.Float64s(c.mean)
	w.Float64s(c.m)
	w.Float64s(c.v)
	return w.Seal(), nil
}

// UnmarshalBinary sets a climber of as many numbers to what was saved. On an error it stays as it
// was.
func (c *Climber) UnmarshalBinary(data []byte) error {
	n := NewClimber(make([]float64, len(c.mean)))
	r := pack.NewReader(record, data)
	n.steps = r.Int()
	r.Float64s(n.mean)
	r.Float64s(n.m)
	r.Float64s(n.v)
	if err := r.Close(); err != nil {
		return fmt.Errorf("climber: %w", err)
	}
	*c = *n
	return nil
}
