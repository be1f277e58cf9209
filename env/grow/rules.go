package grow

import (
	"math"

	"tarry/env/schedenv/shares"
)

// rules are all, the strongest on validation first.
func rules() shares.Rules {
	capped := func(name, doc string, most int) shares.Rule {
		return shares.Rule{Name: name, Doc: doc, Score: func(x *shares.Share) (float64, bool) {
			return x.Fastest(), x.Count+x.Next() <= max(most, x.Least) && x.Faster() > 0
		}}
	}
	return shares.Rules{
		capped("time", "the least time left, up to its fastest count", math.MaxInt),
		shares.ByGain(),
		capped("time2", "the same, at most 2 GPUs each", 2),
		capped("time4", "the same, at most 4 GPUs each", 4),
		capped("time8", "the same, at most 8 GPUs each", 8),
		shares.ByCount(),
		{Name: "saved", Doc: "the most time that one worker more saves, for its GPUs; a job without GPUs first",
			Score: func(x *shares.Share) (float64, bool) {
				if x.Count == 0 {
					return math.Inf(-1), true
				}
				n := x.Next()
				return -(x.Time(x.Count) - x.Time(x.Count+n)) / float64(n), x.Faster() > 0
			}},
	}
}

// RuleNames lists the rules, the default first.
func RuleNames() []string { return rules().Names() }

// choose is the answer of a rule: the legal job with the least score, ties to the earlier. A rule that
// wants none while no job has GPUs gives to the first that may have some.
func (s *scheduler) choose(r shares.Rule) int {
	best, least, first := 0, math.Inf(1), 0
	for i := range s.Jobs {
		if !s.legal(i) {
			continue
		}
		if first == 0 {
			first = i + 1
		}
		if score, ok := r.Score(&s.Jobs[i]); ok && (best == 0 || score < least) {
			best, least = i+1, score
		}
	}
	if best == 0 && !s.given() {
		return first
	}
	return best
}
