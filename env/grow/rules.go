package grow

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/sim/param"
)

// rule chooses in the agent's place.
type rule struct {
	name, doc string
	// score is what the job with the least of gets a worker; false = it gets none.
	score func(x *share) (least float64, ok bool)
}

// rules are all, the strongest on validation first.
func rules() []rule {
	capped := func(name, doc string, most int) rule {
		return rule{name, doc, func(x *share) (float64, bool) {
			return x.fastest(), x.count+x.next() <= max(most, x.least) && x.faster() > 0
		}}
	}
	return []rule{
		capped("time", "the least time left, up to its fastest count", math.MaxInt),
		{"gain", "the largest part of its work left that one worker more does in a time, for its GPUs",
			func(x *share) (float64, bool) { return -x.faster() / x.left, x.faster() > 0 }},
		capped("time2", "the same, at most 2 GPUs each", 2),
		capped("time4", "the same, at most 4 GPUs each", 4),
		capped("time8", "the same, at most 8 GPUs each", 8),
		{"fair", "the fewest GPUs, ties to the earlier",
			func(x *share) (float64, bool) { return float64(x.count), x.count == 0 || x.faster() > 0 }},
		{"saved", "the most time that one worker more saves, for its GPUs; a job without GPUs first",
			func(x *share) (float64, bool) {
				if x.count == 0 {
					return math.Inf(-1), true
				}
				n := x.next()
				return -(x.time(x.count) - x.time(x.count+n)) / float64(n), x.faster() > 0
			}},
	}
}

// faster is how much speed the job's next worker adds for each of its GPUs; 0 = it may have no more.
func (x *share) faster() float64 {
	n := x.next()
	if n == 0 {
		return 0
	}
	return (x.speed[x.count+n] - x.speed[x.count]) / float64(n)
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
	return "a worker goes to the job with " + strings.Join(out, " | ")
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

// choose is the answer of a rule: the legal job with the least score, ties to the earlier. A rule that
// wants none while no job has GPUs gives to the first that may have some.
func (s *scheduler) choose(r rule) int {
	best, least, first := 0, math.Inf(1), 0
	for i := range s.jobs {
		if !s.legal(i) {
			continue
		}
		if first == 0 {
			first = i + 1
		}
		if score, ok := r.score(&s.jobs[i]); ok && (best == 0 || score < least) {
			best, least = i+1, score
		}
	}
	if best == 0 && !s.given() {
		return first
	}
	return best
}
