package ilp

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tarry/internal/choice"
)

// None is what a job gets that has no configuration.
const None = -1

// Problem is who may have what.
type Problem struct {
	// Rules are those by which the entries were made.
	Rules Rules
	// Configs are the configurations, Cap the GPUs of each type.
	Configs []Config
	Cap     []int
	// Entries has a row for each job, one entry for each configuration.
	Entries []float64
	// Valid states which entries may be chosen, as Entries; nil = all, as in the authors'
	// simulator, where the cost of an invalid one is such that no job has it.
	Valid []bool
	// Prev is the configuration that each job has, None for none. It decides between choices that
	// are equally good.
	Prev []int
	// Pinned states which jobs keep their configuration, come what may; nil = none does.
	Pinned []bool
}

// Jobs is the number of jobs.
func (p *Problem) Jobs() int { return len(p.Prev) }

// validate reports lengths that do not fit.
func (p *Problem) validate() error {
	n := p.Jobs() * len(p.Configs)
	if len(p.Cap) == 0 || len(p.Cap) > choice.MaxRows {
		return fmt.Errorf("ilp: %d types of GPUs, expected 1 to %d", len(p.Cap), choice.MaxRows)
	}
	if len(p.Entries) != n || p.Valid != nil && len(p.Valid) != n || p.Pinned != nil && len(p.Pinned) != p.Jobs() {
		return fmt.Errorf("ilp: %d jobs and %d configurations, but %d entries, %d of them valid or not, and %d jobs "+
			"pinned or not",
			p.Jobs(), len(p.Configs), len(p.Entries), len(p.Valid), len(p.Pinned))
	}
	return nil
}

// Solver solves problems one after another. The zero value is ready. A solver that solved a problem
// starts the next from its prices, so equal problems after equal problems have equal answers.
type Solver struct {
	// Nodes is how many linear problems a solve may take, 0 = 200, and fewer where a table
	// (table.go) costs less than that. Where they do not prove an answer best the table does, on
	// clusters that are small enough for it; else the best answer that was found counts.
	Nodes int
	// Gap is the part of the value by which an answer may be worse than the best, 0 and more; 1e-4
	// in the authors' simulator. Where it is less than the last decimal the answer is the best all
	// the same.
	Gap float64
	// Proved states that the last answer is proved to be the best, within Gap.
	Proved bool

	pick  choice.Solver
	work  choice.Problem
	of    []int // option -> configuration
	caps  []float64
	table table
}

// Clone gives an independent solver that answers alike.
func (s *Solver) Clone() Solver {
	return Solver{Nodes: s.Nodes, Gap: s.Gap, Proved: s.Proved, pick: choice.Solver{Price: slices.Clone(s.pick.Price)}}
}

// Steps is the number of linear problems of the last solve.
func (s *Solver) Steps() int { return s.pick.Nodes() }

// Solve writes the configuration of each job to picks, None for none, and gives the sum of the
// chosen entries and of lambda for each job without.
func (s *Solver) Solve(p *Problem, picks []int) (float64, error) {
	if err := p.validate(); err != nil {
		return 0, err
	}
	s.build(p)
	small := s.table.fits(p)
	s.pick.MaxNodes, s.pick.Part = s.nodes(small), s.Gap
	cost, err := s.pick.Pick(&s.work)
	s.Proved = err == nil
	switch {
	case errors.Is(err, choice.ErrNodes) && small && s.finish(p, cost, picks):
		s.Proved = true
	case err != nil && (!errors.Is(err, choice.ErrNodes) || math.IsInf(cost, 1)):
		return 0, fmt.Errorf("ilp: %d jobs: %w", p.Jobs(), err)
	default:
		for j := range picks {
			picks[j] = s.of[s.pick.Picked(j)]
		}
	}
	sum := p.value(picks)
	if stay := p.value(p.Prev); s.keeps(p) && (p.Rules.Power < 0 && stay <= sum+same || p.Rules.Power > 0 &&
		stay >= sum-same) {
		copy(picks, p.Prev)
		return stay, nil
	}
	return sum, nil
}

// finish lets the table choose. most is the cost of the best choice that was found, +Inf for none.
func (s *Solver) finish(p *Problem, most float64, picks []int) bool {
	narrow(&s.work, s.pick.Root(), most+max(tilt/p.Rules.scale()/2, 1e-9*(1+math.Abs(most))))
	return s.table.solve(p, &s.work, s.of, picks)
}

// nodes is how many linear problems may be solved: one, and where a table can be made as many more
// as cost about as much as the table, which ends the search in any case.
func (s *Solver) nodes(small bool) int {
	most := s.Nodes
	if most <= 0 {
		most = 200
	}
	if small {
		most = min(most, 1+len(s.table.now)/cellsPerNode)
	}
	return most
}

// cellsPerNode is how many cells of the table take about as long as a linear problem: both look at
// all options.
const cellsPerNode = 50

// same is the difference of values that are equal but for rounding.
const same = 1e-9

// value is the sum of the chosen entries, and of lambda for each job without.
func (p *Problem) value(picks []int) float64 {
	sum := 0.0
	for j, c := range picks {
		if c == None {
			sum += p.Rules.Lambda
		} else {
			sum += p.Entries[j*len(p.Configs)+c]
		}
	}
	return sum
}

// keeps reports whether all jobs may keep what they have.
func (s *Solver) keeps(p *Problem) bool {
	for j, c := range p.Prev {
		if c == None {
			continue
		}
		if p.Valid != nil && !p.Valid[j*len(p.Configs)+c] {
			return false
		}
		f := &p.Configs[c]
		for t, n := range f.Parts {
			s.caps[t] -= float64(n)
		}
		if f.Type != Mixed {
			s.caps[f.Type] -= float64(f.GPUs)
		}
	}
	for _, n := range s.caps {
		if n < 0 {
			return false
		}
	}
	return true
}

// tilt is by what part of the last decimal an option is made better that gives a job GPUs; the
// configuration that it has is by twice as much.
const tilt = 1e-4

// build writes the problem as one of package choice, whose costs are entries, or with p > 0 entries
// turned round.
func (s *Solver) build(p *Problem) {
	s.caps, s.of = s.caps[:0], s.of[:0]
	for _, n := range p.Cap {
		s.caps = append(s.caps, float64(n))
	}
	s.work.Reset(s.caps)
	sign := 1.0
	if p.Rules.Power > 0 {
		sign = -1
	}
	unit := 1 / p.Rules.scale()
	lean := unit * tilt
	if float64(p.Jobs())*2*tilt > 0.5 { // too many jobs for the aims to stay apart
		lean = 0
	}
	s.pick.Gap = 0
	if lean > 0 {
		s.pick.Gap = unit*(1-1e-3) - float64(p.Jobs())*2*lean
	}
	for j := range p.Jobs() {
		s.group(p, j, sign, lean)
	}
}

// group writes the options of a job: the present one first, then none at all.
func (s *Solver) group(p *Problem, j int, sign, lean float64) {
	n := len(p.Configs)
	row := p.Entries[j*n : (j+1)*n]
	if c := p.Prev[j]; c != None {
		pinned := p.Pinned != nil && p.Pinned[j]
		if pinned || s.may(p, j, c, sign) {
			s.option(p, c, float64(sign*row[c])-2*lean)
		}
		if pinned {
			s.work.Close()
			return
		}
	}
	s.option(p, None, float64(sign*p.Rules.Lambda))
	for c := range row {
		if c != p.Prev[j] && s.may(p, j, c, sign) {
			s.option(p, c, float64(sign*row[c])-lean)
		}
	}
	s.work.Close()
}

// may reports whether a job may be given a configuration, and it is no worse than none.
func (s *Solver) may(p *Problem, j, c int, sign float64) bool {
	i := j*len(p.Configs) + c
	return (p.Valid == nil || p.Valid[i]) && float64(sign*p.Entries[i]) <= float64(sign*p.Rules.Lambda)
}

func (s *Solver) option(p *Problem, c int, cost float64) {
	use := s.work.Option(cost)
	s.of = append(s.of, c)
	if c == None {
		return
	}
	if f := &p.Configs[c]; f.Type == Mixed {
		for t, g := range f.Parts {
			use[t] = float64(g)
		}
	} else {
		use[f.Type] = float64(f.GPUs)
	}
}
