package choice

import "math"

// rounding is the part of the numbers in a reduced cost that is taken for rounding.
const rounding = 1e-13

// candidate is an option that would lower the cost.
type candidate struct {
	option, group int32
	gain          float64 // per unit of its weight
}

// at is the cost of an option with its use paid at the prices.
func (s *Solver) at(o int32) float64 {
	v := float64(s.weight * s.p.Cost[o])
	for i, u := range s.use(o) {
		v += float64(s.price[i] * u)
	}
	return v
}

// best finds the cheapest option of a group at the prices, and how much less than the key it costs:
// 0 when the difference is rounding. Options of the basis are as cheap as the key, so that they do
// not enter again.
func (s *Solver) best(g int32) (option int32, gain float64) {
	option, least := s.cheapest(g, false)
	if option == s.key[g] {
		return option, 0
	}
	own := s.at(s.key[g])
	if own-least <= rounding*s.scale(s.key[g], option, own, least) {
		return option, 0
	}
	if s.basic(option) {
		o, v := s.cheapest(g, true)
		if o < 0 || own-v <= rounding*s.scale(s.key[g], o, own, v) {
			return option, 0
		}
		return o, own - v
	}
	return option, own - least
}

// cheapest finds the cheapest option of a group, of all or of those outside the basis. A forbidden
// option has no number for its cost when costs count nothing (0 times +Inf), and is not below any.
func (s *Solver) cheapest(g int32, outside bool) (option int32, least float64) {
	from, to := s.p.First[g], s.p.First[g+1]
	costs := s.p.Cost[from:to]
	use := s.p.Use[int(from)*s.k : int(to)*s.k]
	if s.k == 3 && !outside {
		o, v := cheapest3(costs, use, s.weight, s.price[0], s.price[1], s.price[2])
		return from + int32(o), v
	}
	price := s.price[:s.k]
	option, least = int32(-1), math.Inf(1)
	for o, c := range costs {
		v := float64(s.weight * c)
		for i, u := range use[o*len(price):][:len(price)] {
			v += float64(price[i] * u)
		}
		if v < least && !(outside && s.basic(from+int32(o))) {
			option, least = from+int32(o), v
		}
	}
	return option, least
}

// cheapest3 is cheapest for the usual three rows.
func cheapest3(costs, use []float64, weight, p0, p1, p2 float64) (option int, least float64) {
	least = math.Inf(1)
	use = use[:3*len(costs)]
	for o, c := range costs {
		u := use[3*o : 3*o+3 : 3*o+3]
		if v := float64(weight*c) + float64(p0*u[0]) + float64(p1*u[1]) + float64(p2*u[2]); v < least {
			option, least = o, v
		}
	}
	return option, least
}

// scale is the size of the numbers of which two options' costs at the prices are made. A price has
// an error that depends on the size of all prices, and that is ten times nearer to the last bit.
func (s *Solver) scale(a, b int32, atA, atB float64) float64 {
	ca, cb := s.cost(a), s.cost(b)
	part, ua, ub := 0.0, s.use(a), s.use(b)
	for i := range ua {
		part += (math.Abs(ua[i]) + math.Abs(ub[i])) / s.nature[i]
	}
	return math.Abs(ca) + math.Abs(cb) + math.Abs(atA-ca) + math.Abs(atB-cb) + float64(part*s.paid())/10
}

// paid is what all capacity costs at the prices.
func (s *Solver) paid() float64 {
	sum := 0.0
	for i := range s.k {
		sum += float64(math.Abs(s.price[i]) * s.nature[i])
	}
	return sum
}

// margin is how far, as a part of it, a price may move from where all groups were looked at before
// that must be done again.
const margin = 0.05

// sweep lists the options that would lower the cost, and returns the largest gain, 0 at the
// optimum. First it looks at the groups only whose key was nearly not the cheapest when all were
// looked at last; when none of them gains, and the prices have moved since by more than the margin,
// it looks at all groups.
func (s *Solver) sweep() (worst float64) {
	if worst = s.look(); worst > 0 || s.held() {
		return worst
	}
	s.Sweeps++
	s.center, s.surveyed = s.price, true
	s.near = s.near[:0]
	for g, k := range s.key {
		if o, _, near := s.survey(int32(g)); near || o != k {
			s.near = append(s.near, int32(g))
		}
	}
	return s.look()
}

// look lists the options of the near groups that would lower the cost, by Bland's rule only the
// first, and returns the largest gain.
func (s *Solver) look() (worst float64) {
	s.found = s.found[:0]
	for _, g := range s.near {
		if o, gain := s.best(g); gain > 0 {
			s.found = append(s.found, candidate{o, g, gain})
			worst = max(worst, gain)
			if s.bland {
				return worst
			}
		}
	}
	return worst
}

// held reports whether the prices are still near the prices of the last look at all groups.
func (s *Solver) held() bool {
	for i := range s.k {
		if !(math.Abs(s.price[i]-s.center[i]) <= margin*s.center[i]) {
			return false
		}
	}
	return s.surveyed
}

// survey is cheapest of all options, and reports whether another one may become the cheapest while
// the prices move by less than the margin: then what an option uses costs between 1 - margin and 1
// + margin of what it does now.
func (s *Solver) survey(g int32) (option int32, least float64, near bool) {
	from, to := s.p.First[g], s.p.First[g+1]
	costs := s.p.Cost[from:to]
	use := s.p.Use[int(from)*s.k : int(to)*s.k]
	if s.k == 3 {
		o, v, near := survey3(costs, use, s.weight, s.price[0], s.price[1], s.price[2])
		return from + int32(o), v, near
	}
	price := s.price[:s.k]
	option, least = from, math.Inf(1)
	high, low := math.Inf(1), math.Inf(1) // what the cheapest may cost at most, any other at least,
	own := math.Inf(1)                    // and the cheapest at least
	for o, c := range costs {
		paid := 0.0
		for i, u := range use[o*len(price):][:len(price)] {
			paid += float64(price[i] * u)
		}
		c = float64(s.weight * c)
		if v := c + paid; v < least {
			low = min(low, own)
			option, least, high, own = from+int32(o), v, v+float64(margin*paid), v-float64(margin*paid)
		} else if v >= least {
			low = min(low, v-float64(margin*paid))
		}
	}
	return option, least, low <= high
}

// survey3 is survey for the usual three rows.
func survey3(costs, use []float64, weight, p0, p1, p2 float64) (option int, least float64, near bool) {
	least = math.Inf(1)
	high, low, own := least, least, least
	use = use[:3*len(costs)]
	for o, c := range costs {
		u := use[3*o : 3*o+3 : 3*o+3]
		paid := float64(p0*u[0]) + float64(p1*u[1]) + float64(p2*u[2])
		if v := float64(weight*c) + paid; v < least {
			low = min(low, own)
			option, least, high, own = o, v, v+float64(margin*paid), v-float64(margin*paid)
		} else if v >= least {
			low = min(low, v-float64(margin*paid))
		}
	}
	return option, least, low <= high
}

// start gives each group its cheapest option at the prices, and the slots the slacks, or the
// stretch in the place of the slack of the row that is exceeded most. A row of capacity 0 that
// nothing widens is avoided.
func (s *Solver) start() error {
	clear(s.load[:])
	s.center, s.surveyed, s.near = s.price, !s.bare, s.near[:0]
	for g := range s.key {
		k, least, near := s.survey(int32(g))
		if s.bare {
			k, least = s.unblocked(int32(g))
		}
		if math.IsInf(least, 1) {
			return ErrInfeasible
		}
		if near {
			s.near = append(s.near, int32(g))
		}
		s.key[g] = k
		for i, u := range s.use(k) {
			s.load[i] += u
		}
	}
	over, most := -1, 0.0
	for i := range s.k {
		s.slots[i] = slot{s.slackID(i), -1}
		if e := s.load[i] - s.rhs[i]; s.widen[i] > 0 && (e > most*s.widen[i] || s.wide && over < 0) {
			over, most = i, e/s.widen[i]
		}
	}
	if s.stretch = over >= 0; s.stretch {
		s.slots[over].id = s.stretchID()
	}
	return nil
}

// unblocked is cheapest without the options that use a row of no capacity.
func (s *Solver) unblocked(g int32) (option int32, least float64) {
	option, least = int32(-1), math.Inf(1)
options:
	for o := s.p.First[g]; o < s.p.First[g+1]; o++ {
		for i, u := range s.use(o) {
			if u > 0 && s.widen[i] == 0 {
				continue options
			}
		}
		if v := s.at(o); v < least {
			option, least = o, v
		}
	}
	return option, least
}

// spread is more than all costs together can differ.
func (s *Solver) spread() float64 {
	sum := 0.0
	for g := range s.key {
		low, high := math.Inf(1), math.Inf(-1)
		for _, c := range s.p.Cost[s.p.First[g]:s.p.First[g+1]] {
			if !math.IsInf(c, 1) {
				low, high = min(low, c), max(high, c)
			}
		}
		sum += high - low
	}
	if sum == 0 {
		return 1
	}
	return 2 * sum
}
