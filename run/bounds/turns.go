package bounds

import (
	"fmt"
	"math"
	"slices"

	"tarry/baselines/over"
	"tarry/env/trait"
	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// mostTurns bounds the length of sequences of members.
const mostTurns = 1 << 14

// turns lists the rows of an environment whose agent names who decides next: its best member in each
// window, and the best sequence of members that a search finds there, with hindsight. The placebo of
// the sequences is the same search among copies of the window's best member: what it gains is of
// handing over at other times, and of luck.
func turns(of trait.Turned, parse over.Parser) []Bound {
	members, everyS := of.Turns()
	s := byTurn{parse: parse, members: members, every: sim.Seconds(everyS)}
	equal := s
	equal.equal = true
	return []Bound{
		{Name: Hindsight + ofMember, Placebo: Placebo + ofMember, PerWindow: true, candidates: members},
		{Name: Hindsight + ofTurns, candidates: []string{ofTurns}, search: &s},
		{Name: Placebo + ofTurns, candidates: []string{ofTurns}, search: &equal},
	}
}

// byTurn looks for sequences of members that are good in a window.
//
//  1. Each member decides the window alone; the best one begins with all turns.
//  2. By climb turns in a row go to a random member, for good if the mean completion time is less.
type byTurn struct {
	parse   over.Parser
	members []string
	every   sim.Time
	equal   bool // all members are copies of the best one
}

// about has the members.
func (s *byTurn) about() map[string]any {
	return map[string]any{"members": s.members, "every_s": s.every.Seconds(), "plays": plays}
}

// policy gives the policy of a trial that follows what the search finds for it.
func (s *byTurn) policy(t *trial.Trial) (sim.Policy, error) {
	best, cost, turns := 0, math.Inf(1), 0
	for i := range s.members {
		if c, n, err := s.cost(t, s.members, []int{i}); err != nil {
			return nil, err
		} else if turns = max(turns, n); c < cost {
			best, cost = i, c
		}
	}
	members := slices.Clone(s.members)
	if s.equal {
		for i := range members {
			members[i] = s.members[best]
		}
	}
	r := stream(t, "turns")
	found, err := climb(r, slices.Repeat([]int{best}, turns), cost, func(block []int) {
		to := r.IntN(len(members))
		for i := range block {
			block[i] = to
		}
	}, func(of []int) (float64, error) {
		c, _, err := s.cost(t, members, of)
		return c, err
	})
	if err != nil {
		return nil, err
	}
	return s.sequence(members, found)
}

// cost plays a sequence. It gives the mean completion time in seconds, infinite where jobs do not end,
// and how many turns there are until the last one ends.
func (s *byTurn) cost(t *trial.Trial, members []string, of []int) (cost float64, turns int, err error) {
	done, cost, err := played(t, func() (sim.Policy, error) { return s.sequence(members, of) })
	if err != nil {
		return 0, 0, fmt.Errorf("turns of %v: %w", members, err)
	}
	end := sim.Time(0)
	for i, jct := range done.JCT {
		if !math.IsNaN(jct) {
			end = max(end, t.Workload.Jobs[i].Submit+sim.Seconds(jct))
		}
	}
	return cost, int(min(end/s.every+1, mostTurns)), nil
}

// sequence is the policy in which member of[k] decides turn k, and the last one all after that.
func (s *byTurn) sequence(members []string, of []int) (sim.Policy, error) {
	takers := make([]over.Taker, len(members))
	for i, name := range members {
		var err error
		if takers[i], err = s.parse.ReadTaker(name, cluster.BestFit); err != nil {
			return nil, err
		}
	}
	return &sequence{turns: over.NewTurns(takers, over.MixKey), of: slices.Clone(of), every: s.every}, nil
}

// sequence is members that decide in a fixed sequence.
type sequence struct {
	turns *over.Turns
	of    []int
	every sim.Time
}

// Knows is what any member reads; the search has read the rest of the window, which is in the name of
// the row.
func (s *sequence) Knows() know.Set { return s.turns.Knows() }

// Decide lets the member of the turn decide.
func (s *sequence) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	s.turns.Hear(v)
	k := v.Now() / s.every
	out = s.turns.Decide(v, s.of[min(int(k), len(s.of)-1)], out)
	return s.turns.Wake(v, (k+1)*s.every, out)
}

// Clone gives an independent copy.
func (s *sequence) Clone() sim.Policy {
	c := *s
	c.turns = s.turns.Copy()
	return &c
}
