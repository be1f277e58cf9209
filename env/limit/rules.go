package limit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/internal/fixmath"
	"tarry/sim/param"
)

// rule shares GPUs worker by worker.
type rule struct {
	name, doc string
	// score is what the job with the least of gets a worker; false = it gets none.
	score func(x *share) (least float64, ok bool)
}

// rules are all, the strongest on validation first.
func rules() []rule {
	out := []rule{
		{"srtf", "the least time left, up to its fastest count",
			func(x *share) (float64, bool) { return x.fastest(), x.faster() > 0 }},
		{"gain", "the largest part of its work left that one worker more does in a time, for its GPUs",
			func(x *share) (float64, bool) { return -x.faster() / x.left, x.faster() > 0 }},
		{"fair", "the fewest GPUs, ties to the earlier",
			func(x *share) (float64, bool) { return float64(x.count), x.count == 0 || x.faster() > 0 }},
		{"fifo", "the first arrival, up to its fastest count",
			func(x *share) (float64, bool) { return float64(x.job), x.faster() > 0 }},
	}
	for _, power := range powers() {
		out = append(out, rule{fmt.Sprintf("work%+.1f", power),
			fmt.Sprintf("the fewest GPUs over the work left to the power of %v", power), func(x *share) (float64, bool) {
				return float64(x.count+x.next()) / fixmath.Pow(x.left, power), x.faster() > 0
			}})
	}
	return out
}

// RuleNames lists the rules, the default first.
func RuleNames() []string {
	var out []string
	for _, r := range rules() {
		out = append(out, r.name)
	}
	return out
}

// ruleDoc explains them.
func ruleDoc() string {
	var out []string
	for _, r := range rules() {
		out = append(out, r.name+": "+r.doc)
	}
	return "a worker more goes to the job with " + strings.Join(out, " | ")
}

// ruleOf finds a rule.
func ruleOf(name string) (rule, error) {
	all := rules()
	i := slices.IndexFunc(all, func(r rule) bool { return r.name == name })
	if i < 0 {
		return rule{}, fmt.Errorf("rule is %q, expected one of %s%s", name, strings.Join(RuleNames(), ", "),
			param.Hint(name, RuleNames()))
	}
	return all[i], nil
}

// choose is the answer of a rule: it shares the GPUs that are left among the jobs without a count, and
// the job that gets most of them is next, with the largest limit up to its part.
func (s *scheduler) choose(r rule) (place, limit int) {
	s.plan = s.plan[:0]
	for i := range s.jobs {
		if s.jobs[i].chosen {
			continue
		}
		x := s.jobs[i]
		x.place = i
		s.plan = append(s.plan, x)
	}
	for room := s.room; ; {
		best, least := -1, math.Inf(1)
		for i := range s.plan {
			x := &s.plan[i]
			if n := x.next(); n == 0 || n > room {
				continue
			}
			if score, ok := r.score(x); ok && (best < 0 || score < least) {
				best, least = i, score
			}
		}
		if best < 0 {
			break
		}
		n := s.plan[best].next()
		s.plan[best].count += n
		room -= n
	}
	most := -1
	for i := range s.plan {
		if s.legal(s.plan[i].place, s.levelOf(s.plan[i].place, 0)) && (most < 0 || s.plan[i].count > s.plan[most].count) {
			most = i
		}
	}
	x := &s.plan[most]
	return x.place, s.levelOf(x.place, x.count)
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
