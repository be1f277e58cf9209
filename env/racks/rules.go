package racks

import (
	"tarry/env/schedenv/protocol"
	"tarry/env/schedenv/sets"
	"tarry/sim"
	"tarry/sim/know"
)

// rule is a fixed way to answer.
type rule = protocol.Rule[*scheduler]

// rules are the rules, the default first. None lets a job wait that fits.
func rules() protocol.Rules[*scheduler] {
	return protocol.Rules[*scheduler]{
		{Name: "local", Doc: "its own rack first, packed, else the freest rack", Choose: on(sets.Packed)},
		{Name: "home", Doc: "its own rack, or wait", Choose: func(s *scheduler, v *sim.View) int {
			if s.gpus[sets.Packed] == nil && s.Idle(v) {
				return forward
			}
			return start(s, sets.Packed)
		}},
		{Name: "freest", Doc: "the rack with most free GPUs", Choose: func(s *scheduler, v *sim.View) int {
			f := v.Free()
			if len(s.racks) > 0 && f.InRack(int(s.racks[0])) > f.InRack(s.rack) {
				return forward
			}
			return on(sets.Packed)(s, v)
		}},
		{Name: "spread", Doc: "as local, on the emptiest machines", Choose: on(sets.Emptiest)},
		{Name: "quiet", Doc: "as local, away from jobs over several machines", Choose: on(sets.Quiet)},
		{Name: "fastest", Doc: "as local, where the job is fastest now and meets the fewest jobs", Knows: know.Speed,
			Choose: func(s *scheduler, v *sim.View) int { return on(s.fastest(v))(s, v) }},
	}
}

// forward is the choice of the freest rack.
const forward = 1 + sets.N

// start is the choice of a set, packed where there is no such set; 0 where there is none.
func start(s *scheduler, set int) int {
	switch {
	case s.gpus[set] != nil:
		return 1 + set
	case s.gpus[sets.Packed] != nil:
		return 1 + sets.Packed
	}
	return 0
}

// on starts a job on a set of its own rack, or forwards it to the freest.
func on(set int) func(s *scheduler, v *sim.View) int {
	return func(s *scheduler, _ *sim.View) int {
		if at := start(s, set); at > 0 || len(s.racks) == 0 {
			return at
		}
		return forward
	}
}

// fastest is the set on which the job would be fastest now, of equals where it meets the fewest jobs,
// the first of these.
func (s *scheduler) fastest(v *sim.View) (set int) {
	most, least := -1.0, int32(0)
	for k, gpus := range s.gpus {
		if gpus == nil {
			continue
		}
		rate, met := v.Predict(s.job, sim.Placement{GPUs: gpus, Fresh: true}).Rate, meets(s.Count(v, gpus))
		if rate > most || rate == most && met < least {
			most, least, set = rate, met, k
		}
	}
	return set
}

// meets is how many jobs over several machines a job would meet on links, counted on each of its
// machines; 0 on one machine.
func meets(n sets.Counts) int32 {
	if n.Machines == 1 {
		return 0
	}
	return n.Crossing
}
