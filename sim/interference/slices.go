package interference

import "tarry/sim/param"

// turns is time slicing: the jobs of a GPU take turns, and each turn begins with a switch. Gandiva
// (Xiao et al., OSDI 2018) suspends and resumes a job in about 100 ms, at the least use of memory
// within a mini-batch, each 60 s. We take it as the part switch_s / quantum_s of all time.
//
// Together the sharers of a GPU get at most 1 - switch_s/quantum_s.
type turns struct {
	byShare bool
	net     float64 // part of the time that is not spent on switches
}

func slicesKind() Kind {
	return Kind{Name: "slices", Form: "slices[:by=ticket,quantum_s=60,switch_s=0.1]",
		Doc: "time slicing with a switch per turn (Gandiva, OSDI 2018)",
		Params: "by         jobs: turns of one length; ticket: in proportion to the shares\n" +
			"quantum_s  length of a turn, s\n" +
			"switch_s   time that a switch takes of each turn, s", read: readSlices}
}

func readSlices(s *param.Set, _ Opener) (law, error) {
	by := s.Enum("by", "jobs", "ticket")
	quantum := s.Float("quantum_s", 60, 1e-3, 1e6)
	change := s.Float("switch_s", 0.1, 0, 1e6)
	if change >= quantum {
		s.Fault("a switch takes %v s of a turn of %v s, expected less", change, quantum)
	}
	return &turns{by == "ticket", 1 - change/quantum}, nil
}

func (l *turns) keep(me *sharer, others []sharer) float64 {
	if len(others) == 0 {
		return 1
	}
	if !l.byShare {
		return l.net / float64(1+len(others))
	}
	all := me.share
	for i := range others {
		all += others[i].share
	}
	return l.net * float64(me.share) / float64(all)
}
