package network

// Sharing is the memory of MaxMin; the zero value is ready.
type Sharing struct {
	left   []float64
	active []int32 // by link: flows that still rise
	links  []int32 // with such flows
	flows  []int32 // that still rise
}

// MaxMin divides links between flows max-min fairly by progressive filling (Bertsekas and Gallager,
// Data Networks, 2nd ed., section 6.5.2): all rates rise together; a flow stops when it has its
// demand or when one of its links is full.
//
// capacity holds each link's capacity (>= 0); links[i] the links that flow i crosses; demand[i] the
// most it can use (>= 0). The rates go to rate, which must have the length of links. A flow that
// crosses no link gets its demand. No rate can be raised without lowering one that is no larger.
func (s *Sharing) MaxMin(rate, capacity, demand []float64, links [][]int32) {
	s.open(rate, capacity, demand, links)
	for len(s.flows) > 0 {
		// left counts the capacity not held by flows that have stopped; the others all stand at one
		// rate.
		fill, tight, n := 0.0, int32(-1), 0
		for _, l := range s.links {
			if s.active[l] == 0 {
				continue
			}
			s.links[n] = l
			n++
			if f := s.left[l] / float64(s.active[l]); tight < 0 || f < fill {
				fill, tight = f, l
			}
		}
		s.links = s.links[:n]
		n = 0
		for _, i := range s.flows {
			if demand[i] <= fill {
				rate[i] = demand[i]
				s.stop(links[i], rate[i])
				continue
			}
			s.flows[n] = i
			n++
		}
		if n < len(s.flows) {
			s.flows = s.flows[:n]
			continue
		}
		n = 0
		for _, i := range s.flows {
			if crosses(links[i], tight) {
				rate[i] = fill
				s.stop(links[i], fill)
				continue
			}
			s.flows[n] = i
			n++
		}
		s.flows = s.flows[:n]
	}
}

// open begins with every flow at 0; one that crosses no link has its demand at once.
func (s *Sharing) open(rate, capacity, demand []float64, links [][]int32) {
	s.left = append(s.left[:0], capacity...)
	s.active, s.links, s.flows = s.active[:0], s.links[:0], s.flows[:0]
	for l := range capacity {
		s.active, s.links = append(s.active, 0), append(s.links, int32(l))
	}
	for i := range links {
		rate[i] = 0
		if len(links[i]) == 0 {
			rate[i] = demand[i]
			continue
		}
		s.flows = append(s.flows, int32(i))
		for _, l := range links[i] {
			s.active[l]++
		}
	}
}

// stop lets a flow rise no more.
func (s *Sharing) stop(links []int32, rate float64) {
	for _, l := range links {
		s.active[l]--
		s.left[l] = max(0, s.left[l]-rate)
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
