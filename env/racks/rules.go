package racks

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// rule is a fixed way to answer.
type rule struct {
	name, doc string
	// speeds states that the rule asks for speeds.
	speeds bool
	choose func(s *scheduler, v *sim.View) int
}

// rules are the rules, the default first. None lets a job wait that fits.
func rules() []rule {
	return []rule{
		{"local", "its own rack first, packed; else the freest rack", false, on(packed)},
		{"home", "its own rack, packed, or it waits", false, func(s *scheduler, v *sim.View) int {
			if s.gpus[packed] == nil && s.idle(v) {
				return forward
			}
			return start(s, packed)
		}},
		{"freest", "the rack with most free GPUs, packed", false, func(s *scheduler, v *sim.View) int {
			f := v.Free()
			if len(s.racks) > 0 && f.InRack(int(s.racks[0])) > f.InRack(s.rack) {
				return forward
			}
			return on(packed)(s, v)
		}},
		{"spread", "its own rack first, on the emptiest machines; else the freest rack", false, on(emptiest)},
		{"quiet", "its own rack first, away from jobs over several machines; else the freest rack", false, on(quiet)},
		{"fastest", "its own rack first, where the job is predicted to be fastest, of equals beside the fewest jobs over " +
			"several machines; else the freest rack", true,
			func(s *scheduler, v *sim.View) int { return on(s.fastest(v))(s, v) }},
	}
}

// forward is the choice of the freest rack.
const forward = 1 + sets

// start is the choice of a set, packed where there is no such set; 0 where there is none.
func start(s *scheduler, set int) int {
	switch {
	case s.gpus[set] != nil:
		return 1 + set
	case s.gpus[packed] != nil:
		return 1 + packed
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
		rate, met := v.Predict(s.job, sim.Placement{GPUs: gpus, Fresh: true}).Rate, s.meets(v.Topology(), gpus)
		if rate > most || rate == most && met < least {
			most, least, set = rate, met, k
		}
	}
	return set
}

// meets is how many jobs over several machines a job on GPUs would meet on links, counted on each of its
// machines; 0 on one machine.
func (s *scheduler) meets(t *cluster.Topology, gpus []cluster.GPU) (n int32) {
	last := t.Machine(gpus[len(gpus)-1])
	if t.Machine(gpus[0]) == last {
		return 0
	}
	for k, g := range gpus {
		if m := t.Machine(g); k == 0 || m != t.Machine(gpus[k-1]) {
			n += s.many.Jobs[m]
		}
	}
	return n
}

func ruleNames() (out []string) {
	for _, r := range rules() {
		out = append(out, r.name)
	}
	return out
}

func ruleNamed(name string) (rule, bool) {
	for _, r := range rules() {
		if r.name == name {
			return r, true
		}
	}
	return rule{}, false
}
