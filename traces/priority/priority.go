// Package priority gives jobs priority classes by a stated law: few traces hold any.
//
// Reading guide: Parse reads a Law from the setting priorities; Law.Apply changes the priorities of
// a workload's jobs.
//
// A law lists classes with the part of the jobs that are in each, as in "-1=0.3,5=0.1": three jobs
// in ten have priority -1, one in ten has 5, and the others keep what the trace or their tenant
// states. Each job takes one number from the stream "priorities" of the run's seed. What a priority
// means is the policy's business; the usual reading is that a larger one goes first, and that a
// negative one may be stopped for others (HiveD's opportunistic jobs).
package priority

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Forms states how the setting is written.
const Forms = "none or CLASS=FRACTION,...: -1=0.3,5=0.1"

// draws is the stream that classes come from.
const draws = "priorities"

// Law states which part of the jobs is in which class. It does not change, and many runs may share
// it.
type Law struct {
	text    string
	classes []class
}

type class struct {
	priority int32
	below    float64 // a job with a number below it, and not below an earlier class's
}

// Parse reads a setting; nil for "" and none.
func Parse(text string) (*Law, error) {
	if text = strings.TrimSpace(text); text == "" || text == "none" {
		return nil, nil
	}
	l, sum := &Law{text: text}, 0.0
	for _, one := range strings.Split(text, ",") {
		name, part, ok := strings.Cut(strings.TrimSpace(one), "=")
		p, err := strconv.ParseInt(strings.TrimSpace(name), 10, 32)
		f, bad := param.ParseFloat(strings.TrimSpace(part))
		if !ok || err != nil || bad != nil || !(f >= 0 && f <= 1) {
			return nil, fmt.Errorf("priorities is %q, expected %s; %q is no whole number with a part of the "+
				"jobs in 0..1", text, Forms, one)
		}
		if slices.ContainsFunc(l.classes, func(c class) bool { return c.priority == int32(p) }) {
			return nil, fmt.Errorf("priorities is %q, expected each class once; %d is there twice", text, p)
		}
		if sum += f; sum > 1+1e-12 || math.IsNaN(sum) {
			return nil, fmt.Errorf("priorities is %q, expected parts that add up to at most 1, not %g", text, sum)
		}
		l.classes = append(l.classes, class{int32(p), sum})
	}
	return l, nil
}

// Apply gives the workload with the law's priorities.
func (l *Law) Apply(w *sim.Workload, src rng.Source) (*sim.Workload, error) {
	s := src.Stream(draws)
	return w.Each(func(j *sim.Job) {
		u := s.Float64()
		if k := slices.IndexFunc(l.classes, func(c class) bool { return u < c.below }); k >= 0 {
			j.Priority = l.classes[k].priority
		}
	}, origin.Origin{Field: "priority", Source: fmt.Sprintf("law %s, drawn from stream %q", l.text, draws)})
}
