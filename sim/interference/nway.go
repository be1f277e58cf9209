package interference

import "tarry/sim/param"

// nway is a parametric law of n jobs on a GPU, of ours: while their busy parts fit together each
// new one costs all of them a little, beyond that they divide the GPU.
//
//	keep = 1 / (1 + a (n-1)) / max(1, u1 + ... + un)
//
// The sharers of a GPU keep together a part of their busy parts of at most 1: keep1 u1 + ... +
// keepn un <= 1.
type nway struct {
	busy
	a float64
}

func nwayKind() Kind {
	return Kind{Name: "nway", Form: "nway[:a=0.1,util=0.5]", Doc: "n jobs: 1/(1 + a (n-1)), and over the sum of " +
		"busy parts where that is above 1 (ours)",
		Params: "a          what one more job on a GPU adds to the time of the others\n" + busyDoc,
		read:   readNway}
}

func readNway(s *param.Set, _ Opener) (law, error) {
	return &nway{readBusy(s), s.Float("a", 0.1, 0, 1000)}, nil
}

func (l *nway) keep(me *sharer, others []sharer) float64 {
	return 1 / (1 + float64(l.a*float64(len(others)))) / max(1, l.sum(me, others))
}
