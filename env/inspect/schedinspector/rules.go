package schedinspector

import (
	"fmt"
	"math"
	"slices"
)

// Rule is a base rule: the waiting job with the least score is picked, of equal first numbers by the
// second.
type Rule struct {
	Name, Doc string
	Score     func(l *Log, j *Job) (first, second float64)
}

// RuleNames lists the base rules.
func RuleNames() []string {
	var out []string
	for _, r := range Rules() {
		out = append(out, r.Name)
	}
	return out
}

// RuleOf is the base rule of a name.
func RuleOf(name string) (Rule, error) {
	all := Rules()
	if i := slices.IndexFunc(all, func(r Rule) bool { return r.Name == name }); i >= 0 {
		return all[i], nil
	}
	return Rule{}, fmt.Errorf("base rule %q: unknown, expected one of %v", name, RuleNames())
}

// Rules lists the 16 base rules. r is the request, n the processors, s the submit, w the wait as the
// program has it.
func Rules() []Rule {
	rule := func(name, doc string, score func(r, n, s float64) float64) Rule {
		return Rule{name, doc, func(_ *Log, j *Job) (float64, float64) {
			return score(j.Request, float64(j.Procs), j.Submit), 0
		}}
	}
	expand := func(r, n, s float64) float64 { return (-1 - s + r) / n }
	return []Rule{
		rule("fcfs", "s", func(_, _, s float64) float64 { return s }),
		rule("lcfs", "-s", func(_, _, s float64) float64 { return -s }),
		{"smallest", "n, then s", func(_ *Log, j *Job) (float64, float64) { return float64(j.Procs), j.Submit }},
		rule("largest", "-n", func(_, n, _ float64) float64 { return -n }),
		{"sjf", "r, then n", func(_ *Log, j *Job) (float64, float64) { return j.Request, float64(j.Procs) }},
		rule("lpf", "-r", func(r, _, _ float64) float64 { return -r }),
		rule("saf", "r n", func(r, n, _ float64) float64 { return r * n }),
		rule("laf", "-r n", func(r, n, _ float64) float64 { return -(r * n) }),
		rule("sexp", "(w + r) / n", expand),
		rule("lexp", "-(w + r) / n", func(r, n, s float64) float64 { return -expand(r, n, s) }),
		rule("srf", "r / n", func(r, n, _ float64) float64 { return r / n }),
		rule("lrf", "-r / n", func(r, n, _ float64) float64 { return -(r / n) }),
		{"multifactor", "-(1000 w / 43200 + 1000 (1 - n / processors)), with the log's wait, which is -1",
			func(l *Log, j *Job) (float64, float64) {
				return -(-1000.0/longS + float64(1000*(1-float64(j.Procs)/float64(l.Procs)))), 0
			}},
		rule("f1", "log10(r) n + 870 log10(s)", func(r, n, s float64) float64 {
			return float64(log10(r)*n) + float64(870*log10(s))
		}),
		rule("wfp3", "-(w / r)^3 n", func(r, n, s float64) float64 {
			x := (-1 - s) / r
			return -float64(float64(x*x*x) * n)
		}),
		rule("unicep", "-w / (log2(n) r)", func(r, n, s float64) float64 {
			return -(-1 - s + tiny) / float64(math.Log(n+tiny)/math.Ln2*r)
		}),
	}
}

// tiny keeps unicep finite for one processor.
const tiny = 1e-15

// log10 is the logarithm of x, of 0.1 where x is 0.
func log10(x float64) float64 {
	if x <= 0 {
		x = 0.1
	}
	return math.Log(x) / math.Ln10
}
