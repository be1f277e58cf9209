package market

import "slices"

// Solver solves windows. It keeps its memory; the zero value is ready.
type Solver struct {
	steps  []step    // by worth per GPU, the steepest first
	worths []float64 // of each job's counts that change anything, from 0; first has where they begin
	first  []int
	low    []int // least counts of the present M
	given  []int
	best   []int
	spans  []span
	levels []float64
	sizes  []class
	// Of a job, which of sizes is its class, -1 = it needs more GPUs than there are.
	classOf []int
	taken   []int // of core
	plan    schedule
	logs    []float64
	// Of steepest:
	keys, other []keyed
	sorted      []step
}

// step is one more round for a job.
type step struct {
	job, nth int // the nth, from 1
	worth    float64
}

// Solve gives the optimum within the gap; ok is false where no counts keep the limits. The
// solution's Rounds are valid until the next call.
func (s *Solver) Solve(p *Problem) (out Solution, ok bool) {
	s.low, s.given = resize(s.low, len(p.Jobs)), resize(s.given, len(p.Jobs))
	if !s.bounds(p, p.most()) { // without M
		return out, false
	}
	s.begin(p)
	// No M below the least that fits is feasible.
	lo, _ := slices.BinarySearchFunc(s.levels, true, func(m float64, _ bool) int {
		if s.bounds(p, m) {
			return 0
		}
		return -1
	})
	clear(s.given)
	out.None, _ = p.objective(s.given)
	s.spans = append(s.spans[:0], s.span(p, lo, len(s.levels)-1))
	found := false
	for {
		k := s.widest()
		t := s.spans[k]
		if out.Bound = t.bound; found && t.bound <= out.Value+float64(p.Gap*max(1e-12, abs(out.Value))) {
			out.Bound = max(t.bound, out.Value)
			break
		}
		if s.spans = slices.Delete(s.spans, k, k+1); t.lo < t.hi {
			mid := (t.lo + t.hi) / 2
			s.spans = append(s.spans, s.span(p, t.lo, mid), s.span(p, mid+1, t.hi))
			continue
		}
		s.bounds(p, s.levels[t.lo])
		s.exact(p)
		if value, largest := p.objective(s.given); !found || value > out.Value {
			s.best = append(s.best[:0], s.given...)
			out.Value, out.Largest, found = value, largest, true
		}
		if len(s.spans) == 0 { // every value of M is solved
			out.Bound = out.Value
			break
		}
	}
	out.Rounds = s.best
	return out, true
}

// span is values of M, by their places in levels, with a bound of what they can give: the
// logarithms of the largest, the time of the least.
type span struct {
	lo, hi int
	bound  float64
}

func (s *Solver) span(p *Problem, lo, hi int) span {
	s.bounds(p, s.levels[hi])
	return span{lo, hi, s.relaxed(p)/p.norm() - float64(p.K*s.levels[lo])}
}

// widest is the span with the largest bound, of equal ones the first.
func (s *Solver) widest() int {
	k := 0
	for i := range s.spans {
		if s.spans[i].bound > s.spans[k].bound {
			k = i
		}
	}
	return k
}

func abs(x float64) float64 { return max(x, -x) }

// begin lists the steps and the values of M.
func (s *Solver) begin(p *Problem) {
	s.logs = p.logarithms(s.logs[:0])
	p.logs = s.logs
	s.steps, s.levels, s.first, s.worths = s.steps[:0], s.levels[:0], s.first[:0], s.worths[:0]
	floor := 0.0
	for i := range p.Jobs {
		j := &p.Jobs[i]
		before, useful := p.worth(j, 0), p.useful(j)
		s.first = append(s.first, len(s.worths))
		s.worths = append(s.worths, before)
		for k := 1; k <= useful; k++ {
			w := p.worth(j, k)
			s.steps = append(s.steps, step{i, k, w - before})
			s.worths = append(s.worths, w)
			before = w
		}
		floor = max(floor, p.left(j, p.Rounds))
	}
	s.first = append(s.first, len(s.worths))
	s.steepest(p)
	for i := range p.Jobs {
		for k := 0; k <= p.Rounds; k++ {
			if m := p.left(&p.Jobs[i], k); m >= floor {
				s.levels = append(s.levels, m)
			}
			if p.left(&p.Jobs[i], k) == 0 {
				break
			}
		}
	}
	s.levels = append(s.levels, floor)
	slices.Sort(s.levels)
	s.levels = slices.Compact(s.levels)
	s.gangs(p)
}

// bounds sets the least counts for a value of M; false = they do not fit.
func (s *Solver) bounds(p *Problem, m float64) bool {
	need := 0
	for i := range p.Jobs {
		j := &p.Jobs[i]
		s.low[i] = p.least(j, min(m, j.Limit))
		if s.low[i] > p.Rounds || j.GPUs > p.GPUs && s.low[i] > 0 {
			return false
		}
		need += j.GPUs * s.low[i]
	}
	return need <= p.GPUs*p.Rounds
}

// relaxed is the largest sum of logarithms with the least counts where a round may be given in
// part.
func (s *Solver) relaxed(p *Problem) float64 {
	room, sum := p.GPUs*p.Rounds, 0.0
	for i := range p.Jobs {
		room -= p.Jobs[i].GPUs * s.low[i]
		if k := s.first[i] + s.low[i]; k < s.first[i+1] {
			sum += s.worths[k]
		} else {
			sum += p.worth(&p.Jobs[i], s.low[i])
		}
	}
	for i := range s.steps {
		t := &s.steps[i]
		g := p.Jobs[t.job].GPUs
		switch {
		case t.nth <= s.low[t.job] || t.worth <= 0 || g > p.GPUs:
		case g <= room:
			room -= g
			sum += t.worth
		default:
			return sum + float64(t.worth*float64(room))/float64(g)
		}
	}
	return sum
}
