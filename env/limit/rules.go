package limit

import (
	"fmt"
	"math"

	"tarry/env/schedenv/shares"
	"tarry/internal/fixmath"
)

// rules are all, the strongest on validation first.
func rules() shares.Rules {
	out := shares.Rules{
		{Name: "srtf", Doc: "the least time left, up to its fastest count",
			Score: func(x *shares.Share) (float64, bool) { return x.Fastest(), x.Faster() > 0 }},
		shares.ByGain(),
		shares.ByCount(),
		{Name: "fifo", Doc: "the first arrival, up to its fastest count",
			Score: func(x *shares.Share) (float64, bool) { return float64(x.Job), x.Faster() > 0 }},
	}
	for _, power := range powers() {
		out = append(out, shares.Rule{Name: fmt.Sprintf("work%+.1f", power),
			Doc: fmt.Sprintf("the fewest GPUs over the work left to the power of %v", power),
			Score: func(x *shares.Share) (float64, bool) {
				return float64(x.Count+x.Next()) / fixmath.Pow(x.Left, power), x.Faster() > 0
			}})
	}
	return out
}

// RuleNames lists the rules, the default first.
func RuleNames() []string { return rules().Names() }

// choose is the answer of a rule: it shares the GPUs that are left among the jobs without a count, and
// the job that gets most of them is next, with the largest limit up to its part.
func (s *scheduler) choose(r shares.Rule) (place, limit int) {
	s.plan = s.plan[:0]
	for i := range s.Jobs {
		if s.Jobs[i].Count > 0 {
			continue
		}
		s.plan = append(s.plan, planned{s.Jobs[i], i})
	}
	for room := s.Room; ; {
		best, least := -1, math.Inf(1)
		for i := range s.plan {
			x := &s.plan[i]
			if n := x.Next(); n == 0 || n > room {
				continue
			}
			if score, ok := r.Score(&x.Share); ok && (best < 0 || score < least) {
				best, least = i, score
			}
		}
		if best < 0 {
			break
		}
		n := s.plan[best].Next()
		s.plan[best].Count += n
		room -= n
	}
	most := -1
	for i := range s.plan {
		if s.legal(s.plan[i].place, s.levelOf(s.plan[i].place, 0)) && (most < 0 || s.plan[i].Count > s.plan[most].Count) {
			most = i
		}
	}
	x := &s.plan[most]
	return x.place, s.levelOf(x.place, x.Count)
}

// levelOf is the largest legal limit of a job that gives up to a count, else its least one; below 0 where
// none is legal.
func (s *scheduler) levelOf(place, count int) int {
	best := -1
	for l := range s.levels {
		if s.legal(place, l) && (best < 0 || s.counted(place, l) <= count) {
			best = l
		}
	}
	return best
}
