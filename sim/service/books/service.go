package books

import (
	"math"

	"tarry/sim/service"
	"tarry/sim/service/mmc"
)

// Service is what one service did.
type Service struct {
	service.Ledger
	// ReplicaGPUS is the GPU-seconds that its replicas held, a share counted as a part.
	ReplicaGPUS float64

	spec    *service.Spec
	latency service.Latency
	line    timeline
	calm    map[calm]float64 // requests that found no backlog, by what they found
	order   []calm           // the keys of calm in the order of their first span
	waits   []wait           // requests that found a backlog
}

// calm is what requests find without a backlog.
type calm struct {
	load, capacity float64
	replicas       int32
}

// wait is requests whose time in the system is spread evenly from lo to hi seconds; +Inf where no
// replica served.
type wait struct{ requests, lo, hi float64 }

func newService(spec *service.Spec, l service.Latency) Service {
	return Service{spec: spec, latency: l, calm: map[calm]float64{}}
}

// serve books a span.
func (s *Service) serve(x *service.Span) {
	s.Add(s.spec, s.latency, x)
	s.line.add(s.spec, s.latency, x)
	drain, t := x.Drain(), x.Seconds()
	if n := float64(x.LoadPerS * drain); n > 0 {
		w := wait{requests: n, lo: math.Inf(1), hi: math.Inf(1)}
		if x.CapacityPerS > 0 {
			one, q := float64(x.Replicas)/x.CapacityPerS, x.Backlog
			end := math.Max(0, q+float64((x.LoadPerS-x.CapacityPerS)*drain))
			w.lo, w.hi = one+min(q, end)/x.CapacityPerS, one+max(q, end)/x.CapacityPerS
		}
		s.waits = append(s.waits, w)
	}
	if n := float64(x.LoadPerS * (t - drain)); n > 0 && drain < t {
		k := calm{x.LoadPerS, x.CapacityPerS, x.Replicas}
		if _, known := s.calm[k]; !known {
			s.order = append(s.order, k)
		}
		s.calm[k] += n
	}
}

// QuantileS is the time in the system, in seconds, within which a part p of the requests of services is
// answered: the root of the sum over spans of requests x P(T <= t) = p x requests. NaN where none
// arrived, +Inf where more than 1 - p of them came while no replica served.
func QuantileS(of []Service, p float64) float64 {
	within := func(t float64) float64 {
		sum := 0.0
		for i := range of {
			sum += of[i].within(t)
		}
		return sum
	}
	all := 0.0
	for i := range of {
		all += of[i].Arrived
	}
	switch want := float64(p*all) * (1 - 1e-12); {
	case all == 0:
		return math.NaN()
	case within(math.MaxFloat64) < want:
		return math.Inf(1)
	default:
		return root(within, want)
	}
}

// root is the least t >= 0 at which a function that does not fall reaches a value, which it does.
func root(f func(float64) float64, want float64) float64 {
	lo, hi := 0.0, 1.0
	for f(hi) < want {
		lo, hi = hi, hi*2
	}
	for {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return hi
		}
		if f(mid) < want {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// within counts the requests that are answered within t seconds.
func (s *Service) within(t float64) float64 {
	sum := 0.0
	for _, k := range s.order {
		n, rate := s.calm[k], k.capacity/float64(k.replicas)
		switch {
		case s.latency == service.MMC && k.load < k.capacity && t < math.MaxFloat64:
			sum += float64(n * (1 - mmc.Tail(int(k.replicas), k.load, rate, t)))
		case 1/rate <= t:
			sum += n
		}
	}
	for i := range s.waits {
		switch w := &s.waits[i]; {
		case w.hi <= t && !math.IsInf(w.hi, 1):
			sum += w.requests
		case w.lo < t && !math.IsInf(w.hi, 1):
			sum += float64(w.requests * ((t - w.lo) / (w.hi - w.lo)))
		}
	}
	return sum
}

// MeanS is the mean time in the system, in seconds: the backlog by Little's law, the rest by the
// latency model; a request that met a backlog is served at the rate of a replica at speed 1. NaN where
// none arrived.
func (s *Service) MeanS() float64 {
	if s.Arrived == 0 {
		return math.NaN()
	}
	sum := s.BacklogS
	for _, k := range s.order {
		n, rate := s.calm[k], k.capacity/float64(k.replicas)
		each := 1 / rate
		if s.latency == service.MMC && k.load < k.capacity {
			each += mmc.MeanWaitS(int(k.replicas), k.load, rate)
		}
		sum += float64(n * each)
	}
	one := 1 / s.spec.RatePerS
	for i := range s.waits {
		sum += float64(s.waits[i].requests * one)
	}
	return sum / s.Arrived
}
