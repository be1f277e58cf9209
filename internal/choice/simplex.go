package choice

import "math"

// pivotFloor is the smallest element, relative to the sizes of its row and column, on which columns
// are exchanged.
const pivotFloor = 1e-11

// patience is how many exchanges without progress are made before Bland's rule chooses.
const patience = 64

func (s *Solver) slackID(i int) int32   { return int32(len(s.p.Cost) + i) }
func (s *Solver) stretchID() int32      { return int32(len(s.p.Cost) + s.k) }
func (s *Solver) use(o int32) []float64 { return s.p.Use[int(o)*s.k : int(o)*s.k+s.k] }

// cost of an option in the current question: 0 when costs count nothing.
func (s *Solver) cost(o int32) float64 {
	if s.weight == 0 {
		return 0
	}
	return s.p.Cost[o]
}

// run, with costs times weight (0 or 1), exchanges columns until no option, slack or stretch would
// lower the cost.
func (s *Solver) run(weight float64) error {
	s.surveyed = s.surveyed && s.weight == weight
	s.weight, s.idle, s.bland = weight, 0, false
	if err := s.refresh(); err != nil {
		return err
	}
	most := 1000 + 100*len(s.p.Cost)
	for s.Steps < most {
		if s.bland { // the lowest number first: options, then slacks, then the stretch
			if worst := s.sweep(); worst > 0 {
				if err := s.enter(s.found[0].option, s.found[0].group); err != nil {
					return err
				}
				continue
			}
		}
		if id := s.loose(); id >= 0 {
			if err := s.enter(id, -1); err != nil {
				return err
			}
			continue
		}
		worst := s.sweep()
		if worst == 0 {
			return s.settle()
		}
		if err := s.improve(worst); err != nil {
			return err
		}
	}
	return errStuck
}

// settle sums the load anew, so that the answer has the rounding of one sum only, and sets the
// bound of the prices: the keys are the cheapest options at them.
func (s *Solver) settle() error {
	clear(s.load[:])
	s.lower = 0
	for i := range s.k {
		s.lower -= float64(s.price[i] * s.rhs[i])
	}
	for _, o := range s.key {
		s.lower += float64(s.weight * s.p.Cost[o])
		for i, u := range s.use(o) {
			s.load[i] += u
			s.lower += float64(s.price[i] * u)
		}
	}
	return s.refresh()
}

// improve lets the candidates of the last sweep enter that are still among the best.
func (s *Solver) improve(worst float64) error {
	for _, c := range s.found {
		if c.gain < worst/4 {
			continue
		}
		o, gain := s.best(c.group)
		if gain < worst/8 {
			continue
		}
		if err := s.enter(o, c.group); err != nil || s.bland {
			return err
		}
	}
	return nil
}

// loose finds the slack or stretch whose price is below 0, -1 when there is none: the lowest, or by
// Bland's rule the first.
func (s *Solver) loose() int32 {
	size := s.paid()
	at, least := int32(-1), -1e-14*size
	for i := range s.k {
		v := s.price[i] * s.nature[i]
		if s.basic(s.slackID(i)) {
			continue
		}
		if v < 0 && v >= -1e-14*size {
			s.price[i] = 0
		}
		if v < least && (at < 0 || !s.bland) {
			at, least = s.slackID(i), v
		}
	}
	if s.stretch && at < 0 && !s.basic(s.stretchID()) {
		v := s.penalty
		for i := range s.k {
			v -= float64(s.price[i] * s.widen[i])
		}
		if v < -1e-14*(size+s.penalty) {
			at = s.stretchID()
		}
	}
	return at
}

// basic reports whether a column is in a slot.
func (s *Solver) basic(id int32) bool {
	for i := range s.k {
		if s.slots[i].id == id {
			return true
		}
	}
	return false
}

// column writes the column of a slot: of an option relative to its group's key.
func (s *Solver) column(l slot, a *[MaxRows]float64) {
	n := int32(len(s.p.Cost))
	switch {
	case l.group >= 0:
		u, k := s.use(l.id), s.use(s.key[l.group])
		for i := range u {
			a[i] = u[i] - k[i]
		}
	case l.id < n+int32(s.k):
		clear(a[:])
		a[l.id-n] = 1
	default:
		for i := range s.k {
			a[i] = -s.widen[i]
		}
	}
}

// size is the natural size of a column's value.
func (s *Solver) size(l slot) float64 {
	if i := int(l.id) - len(s.p.Cost); i >= 0 && i < s.k {
		return s.nature[i]
	}
	return 1
}

// keyValue is the weight of a group's key.
func (s *Solver) keyValue(g int32) float64 {
	v := 1.0
	for i := range s.k {
		if s.slots[i].group == g {
			v -= s.x[i]
		}
	}
	return max(v, 0)
}

// value of a column that is no key.
func (s *Solver) value(id int32) float64 {
	for i := range s.k {
		if s.slots[i].id == id {
			return s.x[i]
		}
	}
	return 0
}

// leave is the result of a ratio test.
type leave struct {
	slot  int   // that leaves, or
	group int32 // whose key leaves (-1: a slot)
	step  float64
	pivot float64
	id    int32
}

// enter makes a column basic: the ratio test, and the exchange.
func (s *Solver) enter(id, group int32) error {
	in := slot{id, group}
	var a, d [MaxRows]float64
	s.column(in, &a)
	k := s.k
	for r := range k {
		sum := 0.0
		for i := range k {
			sum += float64(s.inverse[r*k+i] * a[i])
		}
		d[r] = sum
	}
	out := s.ratio(in, &d)
	if math.IsInf(out.step, 1) {
		return errStuck // costs and capacities bound every column
	}
	s.Steps++
	if out.step > 1e-13*s.size(in) {
		s.idle, s.bland = 0, false
	} else if s.idle++; s.idle > patience {
		s.bland = true
	}
	return s.exchange(in, out)
}

// ratio finds what reaches 0 first when a column enters along d.
func (s *Solver) ratio(in slot, d *[MaxRows]float64) leave {
	out := leave{step: math.Inf(1)}
	size := s.size(in)
	for r := range s.k {
		l := s.slots[r]
		if d[r]*size > pivotFloor*s.size(l) {
			s.consider(&out, leave{r, -1, max(s.x[r], 0) / d[r], d[r] * size / s.size(l), l.id})
		}
		if l.group >= 0 && l.group != in.group && s.first(r) {
			s.considerKey(&out, in, d, l.group)
		}
	}
	if in.group >= 0 {
		s.considerKey(&out, in, d, in.group)
	}
	return out
}

// first reports whether a slot is the first of its group.
func (s *Solver) first(r int) bool {
	for i := range r {
		if s.slots[i].group == s.slots[r].group {
			return false
		}
	}
	return true
}

// considerKey looks at the key of a group in the ratio test.
func (s *Solver) considerKey(out *leave, in slot, d *[MaxRows]float64, g int32) {
	rate := 0.0
	if g == in.group {
		rate = 1
	}
	for r := range s.k {
		if s.slots[r].group == g {
			rate -= d[r]
		}
	}
	if rate*s.size(in) > pivotFloor {
		s.consider(out, leave{-1, g, s.keyValue(g) / rate, rate * s.size(in), s.key[g]})
	}
}

// consider keeps the smaller step; of equal ones the larger pivot, or by Bland's rule the smaller
// number.
func (s *Solver) consider(out *leave, l leave) {
	slack := 1e-13 * (l.step + 1e-3)
	switch {
	case l.step < out.step-slack:
	case l.step > out.step+slack:
		return
	case s.bland && l.id > out.id, !s.bland && l.pivot <= out.pivot:
		return
	}
	*out = l
}

// exchange puts a column in the place of the leaving one.
func (s *Solver) exchange(in slot, out leave) error {
	if out.group < 0 {
		s.slots[out.slot] = in
		return s.refresh()
	}
	at := -1 // the member of the group that becomes its key: the one with the largest value
	for r := range s.k {
		if s.slots[r].group == out.group && (at < 0 || s.x[r] > s.x[at]) {
			at = r
		}
	}
	if at < 0 { // the entering option itself
		s.turn(out.group, in.id)
		return s.values()
	}
	s.turn(out.group, s.slots[at].id)
	s.slots[at] = in
	return s.refresh()
}

// turn makes an option the key of its group.
func (s *Solver) turn(g, o int32) {
	old, now := s.use(s.key[g]), s.use(o)
	for i := range now {
		s.load[i] += now[i] - old[i]
	}
	s.key[g] = o
}
