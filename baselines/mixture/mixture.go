// Package mixture is a random mixture of schedulers (improper learning; Zaki, Mohan, Gopalan and
// Mannor, arXiv:2102.08201): a member is drawn, decides for a while, and another one is drawn.
//
// We differ: there each decision is of a member drawn anew; here a member keeps a turn of every_s. The
// probabilities are a softmax of theta, which the learner of tarry/Mix-v0 finds (agents/mixture).
package mixture

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"tarry/baselines/over"
	"tarry/internal/mixing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings for the catalogue.
const Params = `members  policies that take turns, NAME+NAME+...; "NAME:key=value"+... with settings
theta    one number for each member, a+b+...: probabilities are their softmax
every_s  length of a turn, s
seed     of the draws`

// Members are the members where none are given.
func Members() []string { return []string{"fifo", "sjf", "las", "srtf"} }

// policy draws who decides.
type policy struct {
	turns *over.Turns
	p     []float64 // probabilities
	every sim.Time
	draws *rng.Stream
	next  sim.Time // begin of the next turn
	of    int      // the member whose turn it is
}

// New gives the maker of the policy. Parameters: Params.
//
//  1. A member is drawn with the probabilities softmax(theta) at each multiple of every_s, from a
//     stream of its own, also where it was drawn before.
//  2. The member decides until the next draw; it takes over the jobs that wait and, if it preempts,
//     the jobs that run.
func New(parse over.Parser) func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		members, err := Read(parse, s.Texts("members", Members()), rule)
		if err != nil {
			s.FaultAt("members", "members: %w", err)
		}
		theta, err := numbers(s.Texts("theta", nil), len(members))
		if err != nil {
			s.FaultAt("theta", "theta: %w", err)
		}
		p := &policy{turns: over.NewTurns(members, over.MixKey), p: make([]float64, len(members)),
			every: sim.Seconds(s.Float("every_s", 600, 1e-3, 1e9))}
		seed := s.Int("seed", 1, 0, math.MaxInt32)
		p.draws = rng.Source{Seed: uint64(seed), Experiment: "mixture"}.Stream("members")
		if s.Err() == nil {
			mixing.Softmax(p.p, theta)
		}
		return p, s.Err()
	}
}

// Read makes members, each NAME or NAME:key=value,...
func Read(parse over.Parser, names []string, rule cluster.Rule) (members []over.Taker, err error) {
	for _, name := range names {
		m, err := parse.ReadTaker(strings.TrimSpace(name), rule)
		if err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, nil
}

// numbers reads one number for each member; none = zeros.
func numbers(texts []string, n int) ([]float64, error) {
	theta := make([]float64, n)
	if len(texts) == 0 {
		return theta, nil
	}
	if len(texts) != n {
		return nil, fmt.Errorf("%d numbers, expected %d, one for each member", len(texts), n)
	}
	for i, one := range texts {
		x, err := strconv.ParseFloat(strings.TrimSpace(one), 64)
		if err != nil || !(math.Abs(x) <= 1e6) {
			return nil, fmt.Errorf("%q, expected a number from -1e6 to 1e6", one)
		}
		theta[i] = x
	}
	return theta, nil
}

// Knows is what any member reads.
func (p *policy) Knows() know.Set { return p.turns.Knows() }

// Decide draws members up to the present turn, and lets the member of the turn decide.
func (p *policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.turns.Hear(v)
	for p.next <= v.Now() {
		p.of = mixing.Draw(p.p, p.draws.Float64())
		p.next += p.every
	}
	out = p.turns.Decide(v, p.of, out)
	return p.turns.Wake(v, p.next, out)
}

// Clone gives an independent copy between two decisions, to continue from a snapshot.
func (p *policy) Clone() sim.Policy {
	c := *p
	c.turns, c.draws = p.turns.Copy(), p.draws.Clone()
	return &c
}
