package network

// MaxMin divides links between flows max-min fairly by progressive filling
// (Bertsekas and Gallager, Data Networks, 2nd ed., section 6.5.2): all rates rise together; a flow stops
// when it has its demand or when one of its links is full.
//
// capacity holds each link's capacity (>= 0); links[i] the links that flow i crosses;
// demand[i] the most it can use (>= 0). The rates go to rate, which must have the
// length of links. A flow that crosses no link gets its demand. No rate can be
// raised without lowering one that is no larger.
func MaxMin(rate, capacity, demand []float64, links [][]int32) {
	new(Sharing).MaxMin(rate, capacity, demand, links)
}

// Sharing is memory for MaxMin that is called again and again; the zero value is ready.
type Sharing struct {
	left   []float64
	active []int32
	frozen []bool
}

// MaxMin is the function of this name.
func (s *Sharing) MaxMin(rate, capacity, demand []float64, links [][]int32) {
	s.left = append(s.left[:0], capacity...)
	s.active = append(s.active[:0], make([]int32, len(capacity))...)
	s.frozen = append(s.frozen[:0], make([]bool, len(links))...)
	left, active, frozen, open := s.left, s.active, s.frozen, 0
	for i := range links {
		rate[i] = 0
		if len(links[i]) == 0 {
			rate[i], frozen[i] = demand[i], true
			continue
		}
		open++
		for _, l := range links[i] {
			active[l]++
		}
	}
	freeze := func(i int) {
		frozen[i] = true
		open--
		for _, l := range links[i] {
			active[l]--
			left[l] = max(0, left[l]-rate[i])
		}
	}
	for open > 0 {
		// left counts the capacity not held by frozen flows; active flows all stand at one rate.
		fill, tight := 0.0, int32(-1)
		for l, n := range active {
			if n == 0 {
				continue
			}
			if f := left[l] / float64(n); tight < 0 || f < fill {
				fill, tight = f, int32(l)
			}
		}
		satisfied := false
		for i := range links {
			if !frozen[i] && demand[i] <= fill {
				rate[i], satisfied = demand[i], true
				freeze(i)
			}
		}
		if satisfied {
			continue
		}
		for i := range links {
			if !frozen[i] && crosses(links[i], tight) {
				rate[i] = fill
				freeze(i)
			}
		}
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
