package books

import (
	"math"

	"tarry/sim/service"
)

const (
	// firstWidth is the finest length of a stretch, in microseconds.
	firstWidth = 60_000_000
	// maxStretches bounds them: the length doubles when there are more.
	maxStretches = 4096
)

// Stretch is what a service did within a stretch of time.
type Stretch struct {
	// Arrived and Good are in requests.
	Arrived, Good float64
	// Seconds is how much of the stretch the run had; the others are integrals over it: of capacity (in
	// requests), replicas that serve (in replica-seconds) and the backlog (in request-seconds).
	Seconds, Capacity, ReplicaS, BacklogS float64
}

func (s *Stretch) plus(o *Stretch) {
	s.Arrived += o.Arrived
	s.Good += o.Good
	s.Seconds += o.Seconds
	s.Capacity += o.Capacity
	s.ReplicaS += o.ReplicaS
	s.BacklogS += o.BacklogS
}

// timeline is the stretches of a service.
type timeline struct {
	doubled int
	taken   []Stretch
}

func (l *timeline) width() int64 { return firstWidth << l.doubled }

// add books a span in parts, one for each stretch that it meets.
func (l *timeline) add(spec *service.Spec, lat service.Latency, x *service.Span) {
	for x.To > l.width()*maxStretches {
		l.double()
	}
	part := *x
	for part.From < x.To {
		i := part.From / l.width()
		part.To = min(x.To, (i+1)*l.width())
		for int64(len(l.taken)) <= i {
			l.taken = append(l.taken, Stretch{})
		}
		var sum service.Ledger
		sum.Add(spec, lat, &part)
		t := part.Seconds()
		l.taken[i].plus(&Stretch{Arrived: sum.Arrived, Good: sum.Good, Seconds: t,
			Capacity: float64(part.CapacityPerS * t), ReplicaS: float64(float64(part.Replicas) * t),
			BacklogS: sum.BacklogS})
		part.From, part.Backlog = part.To, math.Max(0, sum.Backlog)
	}
}

// double joins stretches in pairs.
func (l *timeline) double() {
	l.doubled++
	n := (len(l.taken) + 1) / 2
	for i := range n {
		both := l.taken[2*i]
		if 2*i+1 < len(l.taken) {
			both.plus(&l.taken[2*i+1])
		}
		l.taken[i] = both
	}
	l.taken = l.taken[:n]
}
