package order

import (
	"fmt"
	"math"
	"slices"

	"tarry/baselines/contest"
	"tarry/baselines/ranked"
	"tarry/baselines/score"
	"tarry/sim"
	"tarry/sim/know"
)

// demo is the baseline that is demonstrated.
type demo struct {
	policy  *contest.Policy
	fn      *score.Func // of ranked; else nil
	globals score.Globals
	knows   know.Set
	keys    []float64 // scratch
}

// Follow names the baseline whose order is demonstrated: dally with any order, with or without
// evict=later, or ranked. Its timers, leases and ties are not followed where the action has no
// globals: the environment's are. The law of ranked is the environment's.
func (s *scheduler) Follow(baseline string) error {
	p, err := s.cfg.CheckBaseline(baseline, "ranked")
	if err != nil {
		return err
	}
	d, ok := p.(*contest.Policy)
	if !ok {
		return fmt.Errorf("%s has no order to follow", baseline)
	}
	s.demo = &demo{policy: d, knows: d.Knows(), globals: ranked.Globals(d)}
	if r, ok := d.OrderedBy().(*ranked.Ranker); ok {
		s.demo.fn = r.Func()
		s.keys.read.ReadFor(s.demo.fn, s.demo.globals.Least != score.Gates{})
	}
	if s.demo.globals.Auto() { // the action cannot tune them
		s.demo.globals.Rack, s.demo.globals.Net = s.cfg.Rule.Globals.Rack, s.cfg.Rule.Globals.Net
	}
	return nil
}

// Demonstrate writes scores that put the jobs in the list in the baseline's order: for ranked its
// scores, else equally spaced ones, equal ones for equal keys; and the baseline's globals.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) {
	clear(action)
	if s.demo == nil {
		return
	}
	if s.demo.fn != nil {
		var x score.Inputs
		for i, j := range s.list.jobs {
			s.keys.read.Read(v, j, nil, &x)
			action[i] = min(mostScore, max(-mostScore, s.demo.fn.Score(&x)))
		}
	} else {
		s.demo.spaced(v, s.list.jobs, action)
	}
	if s.cfg.Globals {
		g := toLn(s.demo.globals.At(s.keys.read.Common()))
		copy(action[s.cfg.Jobs:], g[:])
	}
}

// spaced writes equally spaced scores in the order of keys.
func (d *demo) spaced(v *sim.View, jobs []sim.JobID, action []float64) {
	d.keys = d.keys[:0]
	for _, j := range jobs {
		d.keys = append(d.keys, d.policy.Order(v, j))
	}
	slices.Sort(d.keys)
	d.keys = slices.Compact(d.keys)
	for i, j := range jobs {
		at, _ := slices.BinarySearch(d.keys, d.policy.Order(v, j))
		action[i] = mostScore * (2*float64(at)/math.Max(1, float64(len(d.keys)-1)) - 1)
	}
}
