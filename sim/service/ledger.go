package service

import "tarry/sim/service/mmc"

// Span is a time over which neither the load of a service nor its capacity changed.
type Span struct {
	// Service is the index in Model.Services.
	Service int32
	// From and To are in microseconds; From < To.
	From, To int64
	// LoadPerS and CapacityPerS are in requests per second.
	LoadPerS, CapacityPerS float64
	// Replicas counts the replicas that serve.
	Replicas int32
	// Backlog is the number of requests that wait at From.
	Backlog float64
}

// Ledger is what became of the requests of a service, in requests and seconds. Arrived = Served +
// Backlog.
type Ledger struct {
	Arrived, Served, Good float64
	// Backlog is the number of requests that wait now, BacklogS its integral in request-seconds.
	Backlog, BacklogS float64
	// OverloadedS is the time with more load than capacity; BadS the time of spans in which a smaller
	// part of the requests than Spec.Target was good.
	OverloadedS, BadS float64
}

// Attained is the part of the requests that were good; 1 where none arrived.
func (l *Ledger) Attained() float64 {
	if l.Arrived == 0 {
		return 1
	}
	return l.Good / l.Arrived
}

// Seconds is the length of the span.
func (s *Span) Seconds() float64 { return float64(s.To-s.From) / 1e6 }

// Drain is when the backlog is gone, in seconds after From: 0 without one, and the length of the span
// where it lasts longer.
func (s *Span) Drain() float64 {
	t := s.Seconds()
	if s.Backlog == 0 || s.CapacityPerS <= s.LoadPerS {
		if s.Backlog == 0 && s.LoadPerS <= s.CapacityPerS {
			return 0
		}
		return t
	}
	return min(t, s.Backlog/(s.CapacityPerS-s.LoadPerS))
}

// Add books a span. The requests that arrive while there is a backlog q, or more load than capacity,
// wait q / capacity and are served in 1 / rate, the rate being capacity / replicas: they are good
// while that is within the deadline. q is linear, so the time up to which they are has a closed
// form. With no capacity none is good.
func (l *Ledger) Add(spec *Spec, lat Latency, s *Span) {
	t, q := s.Seconds(), s.Backlog
	slope := s.LoadPerS - s.CapacityPerS
	drain := s.Drain()
	arrived := float64(s.LoadPerS * t)
	end := 0.0
	if drain == t {
		end = max(0, q+float64(slope*t))
	}
	good := float64(s.LoadPerS * s.inTime(spec, slope, drain))
	if rest := t - drain; rest > 0 {
		good += float64(float64(s.LoadPerS*rest) * s.calm(spec, lat))
	}
	l.Arrived += arrived
	l.BacklogS += float64((q + end) / 2 * drain)
	l.Backlog = end
	l.Served = l.Arrived - l.Backlog
	if spec.DeadlineS == 0 {
		good = max(0, arrived-(end-q))
	}
	l.Good += good
	if slope > 0 {
		l.OverloadedS += t
	}
	if good < float64(spec.Target*arrived)-1e-9*arrived {
		l.BadS += t
	}
}

// inTime is for how long requests that meet a backlog are answered in time, within drain seconds.
func (s *Span) inTime(spec *Spec, slope, drain float64) float64 {
	switch {
	case drain == 0 || s.CapacityPerS == 0:
		return 0
	case spec.DeadlineS == 0:
		return drain
	}
	most := float64((spec.DeadlineS - float64(s.Replicas)/s.CapacityPerS) * s.CapacityPerS) // of the backlog
	switch {
	case most < 0:
		return 0
	case slope > 0:
		return min(drain, max(0, (most-s.Backlog)/slope))
	case s.Backlog <= most:
		return drain
	case slope == 0:
		return 0
	}
	return max(0, drain-(s.Backlog-most)/-slope)
}

// calm is the part of the requests that are good while there is no backlog.
func (s *Span) calm(spec *Spec, lat Latency) float64 {
	switch {
	case s.CapacityPerS == 0:
		return 0
	case spec.DeadlineS == 0:
		return 1
	}
	rate := s.CapacityPerS / float64(s.Replicas)
	if lat == MMC && s.LoadPerS < s.CapacityPerS {
		return mmc.Attained(int(s.Replicas), s.LoadPerS, rate, spec.DeadlineS)
	}
	if 1/rate <= spec.DeadlineS {
		return 1
	}
	return 0
}
