package grow

import (
	"fmt"
	"slices"
	"strings"

	"tarry/env/schedenv/shares"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// follower is who is demonstrated: a rule, or a baseline by the counts that it would give.
type follower struct {
	rule  shares.Rule
	base  baseline // nil = the rule
	knows know.Set
	want  map[sim.JobID]int // counts that the baseline has decided; others stay as they are
	out   []sim.Decision
}

// baseline is a policy that can be copied.
type baseline interface {
	sim.Policy
	Clone() sim.Policy
}

// counted lists the baselines whose counts can be followed: they share all GPUs at arrivals and ends.
func counted() []string { return []string{"afs-l", "afs-p"} }

// Follow names a rule, or a baseline whose counts are demonstrated.
func (s *scheduler) Follow(name string) error {
	if r, err := rules().Named(name); err == nil {
		s.demo = &follower{rule: r}
		return nil
	}
	of, fresh, err := s.cfg.Policies.Parse(name, cluster.BestFit)
	if err == nil && !slices.Contains(counted(), of.Name) {
		err = fmt.Errorf("what %s would do cannot be read off as counts", name)
	}
	var p sim.Policy
	if err == nil {
		p, err = fresh()
	}
	if err != nil {
		names := append(RuleNames(), counted()...)
		return fmt.Errorf("%w; expected one of %s%s", err, strings.Join(names, ", "), param.Hint(name, names))
	}
	s.demo = &follower{base: p.(baseline), knows: s.cfg.Declares(p.Knows()), want: map[sim.JobID]int{}}
	return nil
}

// copied gives an independent copy; nil of nil.
func (f *follower) copied() *follower {
	if f == nil || f.base == nil {
		return f
	}
	c := *f
	c.base, c.want, c.out = f.base.Clone().(baseline), map[sim.JobID]int{}, nil
	for j, n := range f.want {
		c.want[j] = n
	}
	return &c
}

// see lets the baseline decide, and notes the counts that it would give.
func (f *follower) see(v *sim.View) {
	if f.base == nil {
		return
	}
	clear(f.want)
	f.out = f.base.Decide(v, f.out[:0])
	for i := range f.out {
		switch d := &f.out[i]; d.Kind {
		case sim.Start, sim.Resize, sim.Migrate:
			f.want[d.Job] = len(d.GPUs)
		case sim.Preempt:
			f.want[d.Job] = 0
		}
	}
}

// Demonstrate answers as who is followed: a baseline gives to the first job that lacks some of its
// count, and stops when none does.
func (s *scheduler) Demonstrate(_ *sim.View, action []float64) {
	if action[0] = 0; s.demo == nil {
		action[0] = float64(s.choose(s.rule))
		return
	}
	if s.demo.base == nil {
		action[0] = float64(s.choose(s.demo.rule))
		return
	}
	first := 0
	for i := range s.Jobs {
		if !s.legal(i) {
			continue
		}
		if first == 0 {
			first = i + 1
		}
		want, changes := s.demo.want[s.Jobs[i].Job]
		if !changes {
			want = s.Jobs[i].Held
		}
		if s.Jobs[i].Count+s.Jobs[i].Next() <= want {
			action[0] = float64(i + 1)
			return
		}
	}
	if !s.given() {
		action[0] = float64(first)
	}
}
