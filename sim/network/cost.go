package network

import (
	"math"
	"math/bits"
)

// Phase is one step of an all-reduce that occupies one level's links:
// FixedNS + bytes*NSPerByte nanoseconds.
type Phase struct {
	Level     Level
	FixedNS   float64
	NSPerByte float64
	// Whole truncates the phase to whole nanoseconds.
	Whole bool
}

// NS is the duration of the phase for an all-reduce of so many bytes.
func (p Phase) NS(bytes float64) float64 {
	t := p.FixedNS + float64(bytes*p.NSPerByte)
	if p.Whole {
		return math.Floor(t)
	}
	return t
}

// Phases appends the phases of one all-reduce over dims, in order of time.
func (f *Fabric) Phases(dst []Phase, dims []Dim) []Phase {
	if f.Scheme == Baseline || len(dims) < 2 {
		for _, d := range dims {
			dst = append(dst, f.phase(d, 1, 1))
		}
		return dst
	}
	// Reduce-scatter and all-gather each cost half an all-reduce in every algorithm here.
	start, scale := len(dst), 1.0
	for i, d := range dims {
		part := 0.5
		if i == len(dims)-1 {
			part = 1
		}
		dst = append(dst, f.phase(d, part, scale))
		scale /= float64(d.Shrink)
	}
	for i := len(dst) - 2; i >= start; i-- {
		dst = append(dst, dst[i])
	}
	return dst
}

// AllReduce is the time of one all-reduce of so many bytes alone on the network, in nanoseconds.
func (f *Fabric) AllReduce(dims []Dim, bytes float64) float64 {
	t := 0.0
	for _, p := range f.Phases(nil, dims) {
		t += p.NS(bytes)
	}
	return t
}

// phase prices part (1 or a half) of an all-reduce of scale*S bytes in one dimension.
func (f *Fabric) phase(d Dim, part, scale float64) Phase {
	steps, hops, volume := d.price()
	p := Phase{
		Level:     d.Level,
		FixedNS:   float64(part*float64(hops*d.LatencyNS)) + float64(part*float64(steps*f.EndpointNS)),
		NSPerByte: float64(float64(part*scale) * volume / f.bandwidth(d)),
	}
	if f.Convention == ASTRA1 {
		p.Whole = true
		p.FixedNS += f.EndpointNS
	}
	return p
}

// bandwidth is in bytes per nanosecond.
func (f *Fabric) bandwidth(d Dim) float64 {
	if f.Convention != ASTRA1 {
		return d.GBps
	}
	n := d.Units
	links := float64(n)
	switch d.Kind {
	case KindRing:
		links = float64(max(4, n+n%2))
	case KindFull:
		links = float64(n) / float64(n-1)
	}
	return float64(d.GBps*(1<<30)/1e9) * links
}

// price gives, for one all-reduce in the dimension, the number of message steps, the
// sum of their hops, and the bytes through the busiest link per byte reduced.
func (d Dim) price() (steps, hops, volume float64) {
	n := d.Units
	if n < 2 {
		return 0, 0, 0
	}
	hop := 1.0
	if d.Kind == KindSwitch {
		hop = 2
	}
	switch d.Algorithm {
	case AlgHalvingDoubling:
		return d.halvingDoubling(hop)
	case AlgDirect:
		return d.direct(hop)
	case AlgTree:
		steps = 2 * float64(bits.Len(uint(n-1)))
		return steps, steps * hop, 2
	}
	steps = 2 * float64(n-1)
	return steps, steps * hop, steps / float64(n)
}

// halvingDoubling exchanges S/2 with the partner at distance 1, S/4 at distance 2, and so on, and
// back. On a ring a partner at distance k is k hops away and k exchanges share each
// link. Units beyond the largest power of two first hand their data to a
// partner and get the result back: two more steps of S.
func (d Dim) halvingDoubling(hop float64) (steps, hops, volume float64) {
	rounds := bits.Len(uint(d.Units)) - 1
	part, dist := 1.0, 1.0
	for range rounds {
		part /= 2
		h, c := hop, 1.0
		if d.Kind == KindRing {
			h, c = dist, dist
			dist *= 2
		}
		steps, hops, volume = steps+2, hops+2*h, volume+float64(2*c*part)
	}
	if d.Units != 1<<rounds {
		steps, hops, volume = steps+2, hops+2*hop, volume+2
	}
	return steps, hops, volume
}

// direct sends S/n to every other unit at once, twice. A fully connected unit has a
// link for each; on a switch n-1 messages share the one link; on a ring, by the
// shorter way round, n*n/8 of them (rounded down for odd n) cross each link.
func (d Dim) direct(hop float64) (steps, hops, volume float64) {
	n := float64(d.Units)
	crossing := 1.0
	switch d.Kind {
	case KindSwitch:
		crossing = n - 1
	case KindRing:
		hop = float64(d.Units / 2)
		crossing = n * n / 8
		if d.Units%2 == 1 {
			crossing = (n*n - 1) / 8
		}
	}
	return 2, 2 * hop, 2 * crossing / n
}
