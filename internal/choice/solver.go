package choice

import (
	"errors"
	"math"
)

// ErrInfeasible is returned when no mix keeps all capacities.
var ErrInfeasible = errors.New("choice: no mix of the options keeps the capacities")

// errStuck is returned when the arithmetic ends in a basis that cannot be inverted, or after far
// too many exchanges.
var errStuck = errors.New("choice: the simplex method is stuck: numbers of too different sizes")

// Solver solves problems one after another. The zero value is ready for use. It keeps a reference
// to the last problem.
type Solver struct {
	// Price has the price of a unit of each row at the last optimum, 0 and more. The next solve
	// starts from it when the number of rows is the same; a caller may set it.
	Price []float64
	// Bound is a value that no solution can be below: from the last Minimise or Stretch, by its
	// prices.
	Bound float64
	// Steps counts the exchanges of the last solve, Sweeps the passes over all options.
	Steps, Sweeps int
	// Gap is what Pick's answer may cost more than the best, Part the same as a part of the cost,
	// both 0 and more; the larger counts. MaxNodes is how many linear problems it solves, at least
	// one, before it gives the proof up; 0 = MostNodes.
	Gap, Part float64
	MaxNodes  int

	p        *Problem
	k        int     // rows
	key      []int32 // of each group
	slots    [MaxRows]slot
	x        [MaxRows]float64 // values of the slots
	rhs      [MaxRows]float64
	load     [MaxRows]float64 // what the keys use
	widen    [MaxRows]float64 // what a unit of the stretch adds to each capacity
	nature   [MaxRows]float64 // size of each row
	price    [MaxRows]float64
	inverse  [MaxRows * MaxRows]float64
	penalty  float64          // cost of a unit of stretch
	wide     bool             // the question is Stretch
	stretch  bool             // the stretch may enter
	bare     bool             // the question is Stretch, and a row has no capacity
	weight   float64          // of costs: 0 = they count nothing, 1
	bland    bool             // Bland's rule chooses
	idle     int              // exchanges without progress
	lower    float64          // bound of the prices
	center   [MaxRows]float64 // prices at which all groups were looked at last,
	surveyed bool             // if they were since the costs changed,
	near     []int32          // and the groups whose key is nearly not the cheapest there
	found    []candidate
	search   search // of Pick
}

// slot is a column of the small basis that is no key: an option, the slack of a row, or the
// stretch.
type slot struct {
	id    int32 // option; options + i is the slack of row i, options + rows the stretch
	group int32 // of an option, else -1
}

// Stretch finds the least factor t >= 0 such that some mix uses at most t times each capacity;
// costs count nothing, and options with cost +Inf are forbidden, as are options that use a row of
// capacity 0. The prices then add up to 1 over all capacity.
func (s *Solver) Stretch(p *Problem) (float64, error) {
	if err := s.open(p); err != nil {
		return 0, err
	}
	s.penalty, s.wide, s.bare, s.weight = 1, true, false, 0
	for i := range s.k {
		s.rhs[i], s.widen[i] = 0, p.Cap[i]
		s.bare = s.bare || p.Cap[i] == 0
	}
	if err := s.start(); err != nil {
		return 0, err
	}
	if err := s.run(0); err != nil {
		return 0, err
	}
	s.close()
	return max(s.value(s.stretchID()), 0), nil
}

// Minimise finds the mix of least cost, or ErrInfeasible.
func (s *Solver) Minimise(p *Problem) (float64, error) {
	if err := s.open(p); err != nil {
		return 0, err
	}
	s.wide, s.bare, s.weight = false, false, 1
	for i := range s.k {
		s.rhs[i], s.widen[i] = p.Cap[i], s.nature[i]
	}
	if err := s.start(); err != nil {
		return 0, err
	}
	if err := s.reach(); err != nil {
		return 0, err
	}
	if err := s.run(1); err != nil {
		return 0, err
	}
	s.close()
	return s.objective(), nil
}

// reach leads from a start above a capacity to a mix within all: capacities are widened at a
// penalty that grows, and at the end at any cost.
func (s *Solver) reach() error {
	s.penalty = s.spread()
	for round := 0; s.stretch; round++ {
		last, weight := round == 2, 1.0
		if last {
			s.penalty, weight = 1, 0
		}
		if err := s.run(weight); err != nil {
			return err
		}
		if t := s.value(s.stretchID()); t <= feasible {
			return s.withdraw(t)
		}
		if last {
			return ErrInfeasible
		}
		s.penalty *= 1000
	}
	return nil
}

// withdraw takes the stretch out of the basis, where it has the value t, nearly 0.
func (s *Solver) withdraw(t float64) error {
	s.stretch = false
	if t > 0 {
		for i := range s.k {
			s.rhs[i] += float64(t * s.widen[i])
		}
	}
	for r := range s.k {
		if s.slots[r].id != s.stretchID() {
			continue
		}
		at, most := -1, 0.0
		for i := range s.k {
			if v := math.Abs(s.inverse[r*s.k+i]) * s.nature[i]; v > most && !s.basic(s.slackID(i)) {
				at, most = i, v
			}
		}
		if at < 0 {
			return errStuck
		}
		s.slots[r] = slot{s.slackID(at), -1}
	}
	return nil
}

// feasible is the part of all capacities by which they may be exceeded: rounding of sums.
const feasible = 1e-11

// Weights writes the weight of every option at the last optimum.
func (s *Solver) Weights(z []float64) {
	clear(z)
	for g, o := range s.key {
		z[o] = s.keyValue(int32(g))
	}
	for i := range s.k {
		if s.slots[i].group >= 0 {
			z[s.slots[i].id] = min(max(s.x[i], 0), 1)
		}
	}
}

// Key is the option of a group that stands for it in the basis: the only one of weight above 0, but
// for at most as many groups as there are rows.
func (s *Solver) Key(group int) int { return int(s.key[group]) }

// open takes a problem and sets the start's prices.
func (s *Solver) open(p *Problem) error {
	s.p, s.k = p, len(p.Cap)
	s.Steps, s.Sweeps = 0, 0
	sum := 0.0
	for _, c := range p.Cap {
		sum += c
	}
	for i, c := range p.Cap {
		if s.nature[i] = c; c == 0 {
			s.nature[i] = 1
		}
		s.price[i] = 0
		if len(s.Price) == s.k && s.Price[i] >= 0 && !math.IsInf(s.Price[i], 1) {
			s.price[i] = s.Price[i]
		} else if sum > 0 {
			s.price[i] = 1 / sum
		}
	}
	groups := p.Groups()
	if cap(s.key) < groups {
		s.key = make([]int32, groups, groups+groups/4)
	}
	s.key = s.key[:groups]
	for g := range groups {
		if p.First[g] == p.First[g+1] {
			return ErrInfeasible
		}
	}
	return nil
}

// close leaves the prices for the next solve, and the bound that they prove.
func (s *Solver) close() {
	s.Price = s.Price[:0]
	for _, v := range s.price[:s.k] {
		s.Price = append(s.Price, max(v, 0))
	}
	s.Bound = s.lower
}

// objective is the cost of the mix.
func (s *Solver) objective() float64 {
	sum := 0.0
	for _, o := range s.key {
		sum += s.p.Cost[o]
	}
	for i := range s.k {
		if l := s.slots[i]; l.group >= 0 {
			sum += float64((s.p.Cost[l.id] - s.p.Cost[s.key[l.group]]) * s.x[i])
		}
	}
	return sum
}
