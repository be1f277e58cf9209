package place

import (
	"tarry/env/schedenv/protocol"
	"tarry/env/schedenv/sets"
	"tarry/sim"
)

// rule is a fixed way to answer.
type rule = protocol.Rule[*scheduler]

// rules are the rules, the default first. Each starts jobs until none fits.
func rules() protocol.Rules[*scheduler] {
	return protocol.Rules[*scheduler]{
		{Name: "first", Doc: "the first job that fits, packed", Choose: of(sets.Packed)},
		{Name: "spread", Doc: "on the emptiest machines", Choose: of(sets.Emptiest)},
		{Name: "pack", Doc: "on leftovers", Choose: of(sets.Fragments)},
		{Name: "quiet", Doc: "away from jobs over several machines", Choose: of(sets.Quiet)},
		{Name: "small", Doc: "the job with the fewest GPUs, packed", Choose: func(s *scheduler, _ *sim.View) int {
			best := 0
			for i := range s.jobs {
				if len(s.gpus[i][sets.Packed]) < len(s.gpus[best][sets.Packed]) {
					best = i
				}
			}
			return 1 + best*sets.N
		}},
	}
}

// of is the first candidate on a set, packed where it has no such set.
func of(set int) func(*scheduler, *sim.View) int {
	return func(s *scheduler, _ *sim.View) int {
		if s.gpus[0][set] == nil {
			return 1
		}
		return 1 + set
	}
}
