package choice

import (
	"errors"
	"math"
)

// MostNodes is how many linear problems Pick solves before it gives up the proof, unless
// Solver.MaxNodes states otherwise.
const MostNodes = 200000

// ErrNodes is returned by Pick together with the best picks that were found, when its last linear
// problem did not prove them optimal.
var ErrNodes = errors.New("choice: branch and bound ended before it had proved its best picks optimal")

// search is the state of one branch and bound.
type search struct {
	work  Problem // with the costs of options that are ruled out at +Inf
	trail []ruled
	best  []int32
	cost  float64 // of best
	grain float64 // costs of all picks are multiples of it; 0: unknown
	gap   float64 // answers that are better by less are not looked for
	nodes int
	most  int
	left  [MaxRows]float64
	try   []int32
	root  [MaxRows]float64 // prices of the first linear problem
}

// ruled is an option that was ruled out.
type ruled struct {
	option int32
	cost   float64
}

// Pick finds one option for each group such that all capacities are kept and the cost is least:
// branch and bound over Minimise. Options are ruled out as soon as their reduced costs show that
// they are in no better answer; when all costs are multiples of a decimal number, bounds are
// rounded up to it. Answers better by less than Gap are not looked for. Picked has the answer,
// Nodes the number of linear problems.
func (s *Solver) Pick(p *Problem) (float64, error) {
	b := &s.search
	b.work.Cap, b.work.First, b.work.Use = p.Cap, p.First, p.Use
	b.work.Cost = append(b.work.Cost[:0], p.Cost...)
	b.trail, b.best, b.cost, b.nodes = b.trail[:0], b.best[:0], math.Inf(1), 0
	b.grain, b.gap, b.most = grain(p.Cost), s.Gap, s.MaxNodes
	if b.most <= 0 {
		b.most = MostNodes
	}
	err := s.branch()
	b.work.Cap, b.work.First, b.work.Use = nil, nil, nil
	switch {
	case err != nil && !errors.Is(err, ErrNodes):
		return 0, err
	case len(b.best) == 0 && err == nil:
		return 0, ErrInfeasible
	}
	return b.cost, err
}

// Picked is the option of a group in the last answer of Pick.
func (s *Solver) Picked(group int) int { return int(s.search.best[group]) }

// Nodes is the number of linear problems of the last Pick.
func (s *Solver) Nodes() int { return s.search.nodes }

// Root has the prices of the rows in the first linear problem of the last Pick, 0 and more, so that
// a caller can bound what an option must cost. It is valid until the next Pick.
func (s *Solver) Root() []float64 {
	r := s.search.root[:s.k]
	for i := range r {
		r[i] = max(r[i], 0)
	}
	return r
}

// grain is the largest of 1, 0.1, ... 0.000001 of which all costs are multiples, 0 when there is
// none.
func grain(costs []float64) float64 {
	for _, per := range [...]float64{1, 10, 100, 1000, 1e4, 1e5, 1e6} {
		good := true
		for _, c := range costs {
			v := c * per
			if !math.IsInf(c, 1) && (math.Abs(v-math.Round(v)) > 1e-7 || math.Abs(v) > 1e9) {
				good = false
				break
			}
		}
		if good {
			return 1 / per
		}
	}
	return 0
}

// hopeless reports whether no answer of at least the bound is better than the best.
func (b *search) hopeless(bound float64) bool {
	if math.IsInf(b.cost, 1) {
		return false
	}
	near := 1e-9 * (1 + math.Abs(b.cost))
	return bound >= b.cost-max(near, b.grain*(1-1e-4), b.gap)
}

// rule rules an option out until the trail is taken back.
func (b *search) rule(o int32) {
	b.trail = append(b.trail, ruled{o, b.work.Cost[o]})
	b.work.Cost[o] = math.Inf(1)
}

// back takes the trail back to a length.
func (b *search) back(to int) {
	for i := len(b.trail) - 1; i >= to; i-- {
		b.work.Cost[b.trail[i].option] = b.trail[i].cost
	}
	b.trail = b.trail[:to]
}

// branch searches below the options that are not ruled out.
func (s *Solver) branch() error {
	b := &s.search
	if b.nodes++; b.nodes > b.most {
		return ErrNodes
	}
	switch _, err := s.Minimise(&b.work); {
	case errors.Is(err, ErrInfeasible):
		return nil
	case err != nil:
		return err
	}
	if b.nodes == 1 {
		b.gap = max(b.gap, s.Part*math.Abs(s.Bound))
		b.root = s.price
	}
	if b.hopeless(s.Bound) {
		return nil
	}
	start := len(b.trail)
	defer b.back(start)
	s.complete()
	if b.hopeless(s.Bound) {
		return nil
	}
	group, option := s.split(whole)
	if group < 0 { // and yet no better answer: what looks undivided is not, by a hair
		if group, option = s.split(1); group < 0 {
			return nil
		}
	}
	s.cut()
	mark := len(b.trail)
	for o := b.work.First[group]; o < b.work.First[group+1]; o++ { // first with the option, ...
		if o != option && !math.IsInf(b.work.Cost[o], 1) {
			b.rule(o)
		}
	}
	if err := s.branch(); err != nil {
		return err
	}
	b.back(mark)
	b.rule(option) // ... then without it
	return s.branch()
}

// whole is the least weight of an option that counts as all of its group.
const whole = 1 - 1e-7

// split finds the group whose mix is the most divided, with no option of at least the given weight,
// and its option of the largest weight; -1 when there is none.
func (s *Solver) split(most float64) (group, option int32) {
	group = -1
	for r := range s.k {
		if g := s.slots[r].group; g >= 0 {
			if o, weight := s.heaviest(g); weight < most {
				group, option, most = g, o, weight
			}
		}
	}
	return group, option
}

// heaviest is the option of the largest weight in a group's mix.
func (s *Solver) heaviest(g int32) (option int32, weight float64) {
	option, weight = s.key[g], s.keyValue(g)
	for i := range s.k {
		if s.slots[i].group == g && s.x[i] > weight {
			option, weight = s.slots[i].id, s.x[i]
		}
	}
	return option, weight
}

// cut rules out the options that are in no better answer by their reduced costs.
func (s *Solver) cut() {
	b := &s.search
	for g := range s.key {
		_, least := s.cheapest(int32(g), false)
		for o := b.work.First[g]; o < b.work.First[g+1]; o++ {
			if !math.IsInf(b.work.Cost[o], 1) && b.hopeless(s.Bound+s.at(o)-least) {
				b.rule(o)
			}
		}
	}
}

// complete makes picks of the linear answer: each group keeps its key, and where that does not fit,
// or the group is divided, it takes the cheapest option that does. They become the best if they
// are.
func (s *Solver) complete() {
	b := &s.search
	b.try = append(b.try[:0], s.key...)
	copy(b.left[:], b.work.Cap)
	for r := range s.k {
		if g := s.slots[r].group; g >= 0 {
			if o, weight := s.heaviest(g); weight >= whole {
				b.try[g] = o
			} else {
				b.try[g] = -1
			}
		}
	}
	for _, o := range b.try { // first all that are not divided
		if o >= 0 {
			b.take(s.use(o), 1)
		}
	}
	for g, o := range b.try {
		if o >= 0 {
			continue
		}
		if b.try[g] = s.fitting(g); b.try[g] < 0 {
			return
		}
		b.take(s.use(b.try[g]), 1)
	}
	s.climb()
	cost := 0.0
	for _, o := range b.try {
		cost += b.work.Cost[o]
	}
	for i := range s.k {
		if b.left[i] < -1e-9*s.nature[i] {
			return
		}
	}
	if cost < b.cost {
		b.cost = cost
		b.best = append(b.best[:0], b.try...)
	}
}

// climb lets each group once take a cheaper option that fits beside the others.
func (s *Solver) climb() {
	b := &s.search
	for g, o := range b.try {
		b.take(s.use(o), -1)
		if f := s.fitting(g); f >= 0 && b.work.Cost[f] < b.work.Cost[o] {
			b.try[g], o = f, f
		}
		b.take(s.use(o), 1)
	}
}

// take takes what an option uses from what is left, or gives it back.
func (b *search) take(use []float64, times float64) {
	for i, u := range use {
		b.left[i] -= times * u
	}
}

// fitting is the cheapest option of a group that fits into what is left, -1 for none.
func (s *Solver) fitting(g int) int32 {
	b := &s.search
	at := int32(-1)
options:
	for o := b.work.First[g]; o < b.work.First[g+1]; o++ {
		if math.IsInf(b.work.Cost[o], 1) || at >= 0 && b.work.Cost[o] >= b.work.Cost[at] {
			continue
		}
		for i, u := range s.use(o) {
			if u > b.left[i]+1e-9*s.nature[i] {
				continue options
			}
		}
		at = o
	}
	return at
}
