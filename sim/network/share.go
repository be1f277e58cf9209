package network

import "math"

// Flow is the traffic of one job on shared links.
type Flow struct {
	// Links are what it crosses; without any it has its demand.
	Links []int32
	// Loads are what a unit of its rate takes of each of Links; > 0. nil = 1 of each.
	Loads []float64
	// Demand is the most that it can use; >= 0, may be +Inf.
	Demand float64
	// Weight is its part where links are divided; > 0.
	Weight float64
	// Level is its strict priority: a higher level takes what it can use first.
	Level int8
}

// load is what a unit of rate takes of the n-th link.
func (f *Flow) load(n int) float64 {
	if f.Loads == nil {
		return 1
	}
	return f.Loads[n]
}

// Sharing is the memory of Divide; the zero value is ready.
type Sharing struct {
	left   []float64
	active []int32   // by link: flows of the level that still rise
	weight []float64 // by link: the sum of their weights times loads, anew in each round: exact
	links  []int32   // with such flows
	flows  []int32   // that still rise
}

// Divide divides links between flows, weighted max-min fairly within each level, by progressive
// filling (Bertsekas and Gallager, Data Networks, 2nd ed., section 6.5.2): all rates rise together
// in proportion to the weights; a flow stops when it has its demand or when one of its links is
// full. Levels are served from the highest down; each divides what those above it leave.
//
// capacity holds each link's capacity (>= 0); the rates go to rate, which must have the length of
// flows. Within a level no rate over weight can be raised without lowering one that is no larger.
func (s *Sharing) Divide(rate, capacity []float64, flows []Flow) {
	s.left = append(s.left[:0], capacity...)
	for level, more := math.MaxInt8, len(flows) > 0; more; {
		level, more = s.open(rate, flows, level)
		s.fill(rate, flows)
	}
}

// open begins a level, the highest of those up to most, with its flows at 0; one that crosses no
// link has its demand at once. It gives the most that a lower level can be, and whether there is
// one.
func (s *Sharing) open(rate []float64, flows []Flow, most int) (below int, more bool) {
	level := math.MinInt8
	for i := range flows {
		if l := int(flows[i].Level); l <= most {
			level = max(level, l)
		}
	}
	s.active, s.weight, s.links, s.flows = s.active[:0], s.weight[:0], s.links[:0], s.flows[:0]
	for l := range s.left {
		s.active, s.weight, s.links = append(s.active, 0), append(s.weight, 0), append(s.links, int32(l))
	}
	for i := range flows {
		f := &flows[i]
		if int(f.Level) != level {
			more = more || int(f.Level) < level
			continue
		}
		rate[i] = 0
		if len(f.Links) == 0 {
			rate[i] = f.Demand
			continue
		}
		s.flows = append(s.flows, int32(i))
		for _, l := range f.Links {
			s.active[l]++
		}
	}
	return level - 1, more
}

// fill raises the flows of a level until each has stopped.
func (s *Sharing) fill(rate []float64, flows []Flow) {
	for len(s.flows) > 0 {
		// left counts the capacity not held by flows that have stopped; the others all stand at one
		// rate over weight.
		fill, tight, n := 0.0, int32(-1), 0
		for _, l := range s.links {
			if s.active[l] == 0 {
				continue
			}
			s.links[n] = l
			n++
			s.weight[l] = 0
		}
		s.links = s.links[:n]
		for _, i := range s.flows {
			for n, l := range flows[i].Links {
				s.weight[l] += flows[i].Weight * flows[i].load(n)
			}
		}
		for _, l := range s.links {
			if f := s.left[l] / s.weight[l]; tight < 0 || f < fill {
				fill, tight = f, l
			}
		}
		if s.satisfied(rate, flows, fill) {
			continue
		}
		n = 0
		for _, i := range s.flows {
			if crosses(flows[i].Links, tight) {
				rate[i] = fill * flows[i].Weight
				s.stop(&flows[i], rate[i])
				continue
			}
			s.flows[n] = i
			n++
		}
		s.flows = s.flows[:n]
	}
}

// satisfied stops the flows that have their demand before a rate over weight, and reports whether
// there was one.
func (s *Sharing) satisfied(rate []float64, flows []Flow, fill float64) bool {
	n := 0
	for _, i := range s.flows {
		if f := &flows[i]; f.Demand <= fill*f.Weight {
			rate[i] = f.Demand
			s.stop(f, rate[i])
			continue
		}
		s.flows[n] = i
		n++
	}
	some := n < len(s.flows)
	s.flows = s.flows[:n]
	return some
}

// stop lets a flow rise no more.
func (s *Sharing) stop(f *Flow, rate float64) {
	for n, l := range f.Links {
		s.active[l]--
		s.left[l] = max(0, s.left[l]-rate*f.load(n))
	}
}

func crosses(links []int32, l int32) bool {
	for _, k := range links {
		if k == l {
			return true
		}
	}
	return false
}
