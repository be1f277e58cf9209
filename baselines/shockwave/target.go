package shockwave

// series is a job's estimates of its fair finish time: a mean weighted by the rounds for which each
// held, and the latest.
type series struct {
	sum, weight float64
	last        float64 // s
	round       int     // since which it holds
	any         bool
}

// add takes an estimate from a round on.
func (s *series) add(round int, estimate float64) {
	if s.any {
		s.sum += float64(float64(round-s.round) * s.last)
		s.weight += float64(round - s.round)
	}
	s.last, s.round, s.any = estimate, round, true
}

// value is the target in a round: momentum x the mean + (1 - momentum) x the latest estimate.
func (s *series) value(round int, momentum float64) float64 {
	w := s.weight + float64(round-s.round)
	mean := s.last
	if w > 0 {
		mean = (s.sum + float64(float64(round-s.round)*s.last)) / w
	}
	return float64(momentum*mean) + float64((1-momentum)*s.last)
}

// estimate renews the targets of all jobs: when each would finish with an equal share of the GPUs
// from its arrival on.
func (p *Policy) estimate() {
	share := p.share()
	for _, m := range p.active {
		m.calibrate()
		m.target.add(p.round, m.joined+(m.elapsedS()+m.remainingS())/share)
	}
}

// share is the part of the time that an equal division of the GPUs gives each job, whatever its
// gang.
func (p *Policy) share() float64 {
	return min(1, float64(p.gpus)/float64(len(p.active)))
}
