package search

import (
	"errors"
	"fmt"
	"slices"

	"tarry/sim/rng"
)

// Config states how long to search.
type Config struct {
	// Population is the number of states that survive a generation, >= 1; Pollux: 100.
	Population int
	// Generations is how many there are, the first one, which mutates nothing, included, >= 1;
	// Pollux: 100.
	Generations int
}

// Search keeps the population from one search to the next. It belongs to one run.
type Search struct {
	cfg   Config
	draws draws
	b     board

	// saved is the last population: a row of w words for each key, state by state.
	saved  []uint64
	keys   []int64
	states int
	w      int

	// What follows is of one search.
	pop        []*one
	known      []int32 // hash table of places in pop, from 1
	at         map[int64]int32
	seen, shut []uint64
	marks      []uint64
	nodes      []int32
	left       []int32
	shares     []uint64
	deck       []int32
	dealt      int
	order      []place
	fronts     []front
	kept       []keep
	best       *one
}

// New gives a search that draws from a stream of its own.
func New(cfg Config, stream *rng.Stream) (*Search, error) {
	if cfg.Population < 1 || cfg.Generations < 1 {
		return nil, fmt.Errorf("search: population %d for %d generations, expected at least 1 each", cfg.Population,
			cfg.Generations)
	}
	if stream == nil {
		return nil, errors.New("search: no stream of random numbers")
	}
	return &Search{cfg: cfg, draws: draws{src: stream}, at: map[int64]int32{}}, nil
}

// Run searches. Row then gives the state that was found; the last population is kept for the next
// search, which finds the rows of its jobs by their keys. A problem without jobs, or without nodes,
// empties it. The problem must be valid; it is not kept.
func (s *Search) Run(p *Problem) {
	s.open(p)
	if len(p.Jobs) == 0 || len(p.GPUs) == 0 {
		s.saved, s.keys, s.states, s.best = s.saved[:0], s.keys[:0], 0, nil
		return
	}
	n := s.seed()
	s.survive(s.pop[:n], n)
	for range s.cfg.Generations - 1 {
		if p.Cancelled != nil && p.Cancelled() {
			break
		}
		made := s.breed(n, s.cfg.Population)
		if made == 0 {
			break
		}
		all := n + made
		n = min(all, s.cfg.Population)
		s.survive(s.pop[:all], n)
	}
	s.rank(s.pop[:n])
	s.best = s.pop[s.order[0].at]
	s.save(n)
}

// Row gives the GPUs on each node that the last search found for a job of its problem.
func (s *Search) Row(job int, row []uint8) { s.best.write(&s.b, job, row) }

// Found gives the fitness and utility of the state that the last search found, 0 without one.
func (s *Search) Found() (fitness, utility float64) {
	if s.best == nil {
		return 0, 0
	}
	return s.best.fitness, s.best.utility
}

// open makes everything of the size of a problem.
func (s *Search) open(p *Problem) {
	s.draws.open()
	s.b.set(p)
	jobs, w, nodes := len(s.b.jobs), s.b.w, s.b.nodes
	for len(s.pop) < 2*s.cfg.Population {
		s.pop = append(s.pop, &one{})
	}
	for _, o := range s.pop {
		s.b.shape(o)
	}
	if s.known == nil {
		n := 64
		for n < 4*s.cfg.Population {
			n *= 2
		}
		s.known = make([]int32, n)
	}
	s.seen, s.shut, s.marks = resize(s.seen, w), resize(s.shut, w), resize(s.marks, jobs)
	s.nodes, s.left = resize(s.nodes, nodes)[:0], resize(s.left, nodes)
	s.shares = resize(s.shares, jobs+1)
	for k := range s.shares {
		s.shares[k] = chance(1 / float64(max(1, k)))
	}
	s.deck = s.deck[:0]
}

// seed fills the head of the population: with the population of the last search, else with the
// present state.
func (s *Search) seed() int {
	b := &s.b
	clear(s.known)
	n := 0
	if s.states > 0 && s.w == b.w {
		clear(s.at)
		for i, k := range s.keys {
			s.at[k] = int32(i)
		}
		for state := range s.states {
			o := s.pop[n]
			o.empty()
			from := s.saved[state*len(s.keys)*b.w:]
			for i := range b.jobs {
				if at, ok := s.at[b.jobs[i].key]; ok {
					copy(o.rows[i*b.w:(i+1)*b.w], from[int(at)*b.w:])
				}
			}
			n = s.settle(n)
		}
	}
	if n == 0 {
		o := s.pop[0]
		o.empty()
		copy(o.rows, b.base)
		n = s.settle(0)
	}
	return n
}

// settle repairs and evaluates the member at the end of the population, and keeps it if it is new.
func (s *Search) settle(n int) int {
	o := s.pop[n]
	s.repair(o)
	s.b.evaluate(o)
	if s.add(o, n) {
		n++
	}
	return n
}

// save keeps the population for the next search.
func (s *Search) save(n int) {
	s.states, s.w = n, s.b.w
	s.saved, s.keys = s.saved[:0], s.keys[:0]
	for _, o := range s.pop[:n] {
		s.saved = append(s.saved, o.rows...)
	}
	for i := range s.b.jobs {
		s.keys = append(s.keys, s.b.jobs[i].key)
	}
}

// Clone gives an independent copy for use after a Run; what Row gives is not copied.
func (s *Search) Clone() *Search {
	c := &Search{cfg: s.cfg, saved: slices.Clone(s.saved), keys: slices.Clone(s.keys), states: s.states, w: s.w,
		at: map[int64]int32{}}
	c.draws.src = s.draws.src.Clone()
	return c
}
