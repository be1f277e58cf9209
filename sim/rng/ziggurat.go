package rng

import (
	"math"
	"math/rand/v2"

	"tarry/internal/fixmath"
)

// layers is one of the tables of Marsaglia and Tsang, "The ziggurat method for generating random
// variables", Journal of Statistical Software 5(8), 2000: the area under a density in layers of
// equal area, the base first.
type layers struct {
	k []uint32  // a draw below it lies wholly under the density
	w []float32 // width of a layer over 2^bits
	f []float32 // the density at its edge
}

// newLayers fills n layers for a density of which edge is the last layer's start and area each
// layer's area; inverse is the density's inverse, bits how many bits a draw has.
func newLayers(n int, edge, area, bits float64, density, inverse func(float64) float64) layers {
	l := layers{make([]uint32, n), make([]float32, n), make([]float32, n)}
	last, q := edge, area/density(edge)
	l.k[0], l.w[0], l.f[0] = uint32(edge/q*bits), float32(q/bits), 1
	l.w[n-1], l.f[n-1] = float32(edge/bits), float32(density(edge))
	for i := n - 2; i > 0; i-- {
		edge = inverse(area/edge + density(edge))
		l.k[i+1] = uint32(edge / last * bits)
		last = edge
		l.w[i], l.f[i] = float32(edge/bits), float32(density(edge))
	}
	return l
}

const (
	normalEdge      = 3.442619855899
	exponentialEdge = 7.69711747013104972
)

var (
	normal = newLayers(128, normalEdge, 9.91256303526217e-3, 1<<31,
		func(x float64) float64 { return fixmath.Exp(-0.5 * x * x) },
		func(y float64) float64 { return math.Sqrt(-2 * math.Log(y)) })
	exponential = newLayers(256, exponentialEdge, 3.949659822581572e-3, 1<<32,
		func(x float64) float64 { return fixmath.Exp(-x) }, func(y float64) float64 { return -math.Log(y) })
)

// Normal draws a standard normal number. It takes from r what r.NormFloat64 takes and gives the
// same number, but the number does not depend on the processor or the build: see fixmath.
func Normal(r *rand.Rand) float64 {
	for {
		u := r.Uint64()
		j, i := int32(u), u>>32&127
		x := float64(j) * float64(normal.w[i])
		if size := uint32(max(j, -j)); size < normal.k[i] {
			return x
		}
		if i == 0 {
			return normalTail(r, j > 0)
		}
		if under(r, normal.f, int(i), -0.5*x*x) {
			return x
		}
	}
}

// normalTail draws beyond the last layer.
func normalTail(r *rand.Rand, positive bool) float64 {
	for {
		x := float64(-math.Log(r.Float64()) * (1.0 / normalEdge))
		y := -math.Log(r.Float64())
		if y+y < float64(x*x) {
			continue
		}
		if positive {
			return normalEdge + x
		}
		return -normalEdge - x
	}
}

// Exponential draws an exponential number with mean 1, as Normal does a normal one, for
// r.ExpFloat64.
func Exponential(r *rand.Rand) float64 {
	for {
		u := r.Uint64()
		j, i := uint32(u), uint8(u>>32)
		x := float64(j) * float64(exponential.w[i])
		if j < exponential.k[i] {
			return x
		}
		if i == 0 {
			return exponentialEdge - math.Log(r.Float64())
		}
		if under(r, exponential.f, int(i), -x) {
			return x
		}
	}
}

// under draws a height in layer i and reports whether it lies under the density e^log.
func under(r *rand.Rand, f []float32, i int, log float64) bool {
	return f[i]+float32(float32(r.Float64())*float32(f[i-1]-f[i])) < float32(fixmath.Exp(log))
}

// NormFloat64 is Normal of the stream.
func (s *Stream) NormFloat64() float64 { return Normal(s.Rand) }

// ExpFloat64 is Exponential of the stream.
func (s *Stream) ExpFloat64() float64 { return Exponential(s.Rand) }
