package interference

import "tarry/sim/param"

// horus is the rule of Horus' simulator (Yeung et al., "Horus: interference-aware and
// prediction-based scheduling in deep learning systems", TPDS 2022): a task that is placed beside
// others takes 1.2 times as long, however many there are. We differ: there the duration is
// multiplied once and for all, here the job is slowed as long as it shares, and the jobs that it
// joins are as well. With each=true it is 1 + factor (n-1), which is ours.
//
// It bounds nothing together: n sharers get n/1.2.
type horus struct {
	factor float64
	each   bool
}

func horusKind() Kind {
	return Kind{Name: "horus", Form: "horus[:factor=0.2,each=true]", Doc: "a job beside others takes 1.2 times as " +
		"long, however many (simulator of Horus, TPDS 2022)",
		Params: "factor     what sharing adds to a job's time\neach       true: for each other job",
		read:   readHorus}
}

func readHorus(s *param.Set, _ Opener) (law, error) {
	return &horus{s.Float("factor", 0.2, 0, 1000), s.Bool("each", false)}, nil
}

func (l *horus) keep(_ *sharer, others []sharer) float64 {
	n := len(others)
	if !l.each {
		n = min(n, 1)
	}
	return 1 / (1 + float64(l.factor*float64(n)))
}
