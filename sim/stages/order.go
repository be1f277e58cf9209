package stages

// Order states in which order the jobs of a group take their stages.
type Order uint8

// The orders.
const (
	// Best is the order with the shortest round.
	Best Order = iota
	// Worst is the one with the longest, for showing the effect of the order.
	Worst
)

// Round is the time of one round of at most Most jobs by the recurrence, without the factors of
// Speed: the least or the largest over all orders. Two jobs may also take turns, each loading
// beside the other's computing and exchanging.
func Round(jobs []Times, o Order) float64 {
	var s search
	s.worst = o == Worst
	s.n = copy(s.order[:], jobs)
	s.try(0)
	if s.n == 2 {
		a, b := s.order[0], s.order[1]
		s.note(max(a[Load], b[Compute]+b[Exchange]) + max(b[Load], a[Compute]+a[Exchange]))
	}
	return s.found
}

// CyclicRound is Round by the closed form.
func CyclicRound(jobs []Times, o Order) float64 {
	s := search{worst: o == Worst, cyclic: true}
	s.n = copy(s.order[:], jobs)
	s.try(0)
	return s.found
}

// search tries all orders.
type search struct {
	order         [Most]Times
	n             int
	worst, cyclic bool
	found         float64
	any           bool
}

// try permutes what follows the first k.
func (s *search) try(k int) {
	if k >= s.n-1 {
		t := 0.0
		if s.cyclic {
			t = Cyclic(s.order[:s.n])
		} else {
			t = Slots(s.order[:s.n])
		}
		s.note(t)
		return
	}
	for i := k; i < s.n; i++ {
		s.order[k], s.order[i] = s.order[i], s.order[k]
		s.try(k + 1)
		s.order[k], s.order[i] = s.order[i], s.order[k]
	}
}

// note keeps a time that is better, or worse.
func (s *search) note(t float64) {
	if !s.any || t < s.found != s.worst && t != s.found {
		s.found, s.any = t, true
	}
}
