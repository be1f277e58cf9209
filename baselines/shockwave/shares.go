package shockwave

import (
	"tarry/sim"
	"tarry/sim/plan"
)

// shares is the choice of rounds by fractions of time, as Gavel makes it, for the fair schedulers:
// max-min gives jobs fractions x such that the least of GPUs x fraction is as large as can be,
// gandiva-fair each the same fraction.
type shares struct {
	policy string
	fair   Fair
	rounds *plan.Rounds
	need   bool
	last   float64 // s, 0 = none yet
	turns  []plan.Turn
}

func (s *shares) join(m *member) {
	if s.rounds == nil {
		return
	}
	m.row = s.rounds.Add(m.id, sim.NoJob, m.gpus)
	s.rounds.Able(m.row, 0, true)
	s.need = true
}

func (s *shares) leave(m *member) {
	if s.rounds == nil || m.row < 0 {
		return
	}
	s.rounds.Remove(m.row)
	m.row, s.need = -1, true
}

// Fair is what the fair schedulers leave open.
type Fair struct {
	// ResetS is the least time between two computations of the fractions, in seconds.
	ResetS float64
	// Spare is the part of the time that max-min leaves undecided which jobs get, 0 to 1.
	Spare float64
}

// SetFair changes what the fair schedulers do; without it fractions are computed at most every 1000
// s, and jobs get all of the time.
func (p *Policy) SetFair(f Fair) { p.fair = f }

// pick chooses the jobs of a round. late: a job that came after the last computation takes GPUs and
// does not run, as in the simulator.
func (p *Policy) pick(nowS float64, late bool) {
	s := &p.shares
	if s.need && (nowS-s.last >= p.fair.ResetS || s.last == 0) {
		s.rounds.Reset(nowS - s.last)
		s.last, s.need = nowS, false
		p.fractions()
	}
	s.rounds.Open()
	s.turns, _ = s.rounds.Pick(0, p.gpus, true, s.turns[:0])
	for _, t := range s.turns {
		if t.Known || !late {
			p.round1 = append(p.round1, p.find(t.Job))
		}
	}
}

// fractions computes them.
func (p *Policy) fractions() {
	s, n := &p.shares, float64(len(p.active))
	if s.policy == "gandiva-fair" {
		for _, m := range p.active {
			s.rounds.Set(m.row, 0, min(1, float64(p.gpus)/n))
		}
		return
	}
	// The least of g x is at most 1 where a job of one GPU is there, and at most GPUs / jobs.
	least, used, all := float64(p.gpus)/n, 0.0, 0.0
	for _, m := range p.active {
		least = min(least, float64(m.gpus))
		all += float64(m.gpus)
	}
	used = least * n
	part := 0.0 // of what is missing to a fraction of 1, where the value leaves it open
	if all > used {
		part = p.fair.Spare * min(1, max(0, float64(p.gpus)-used)/(all-used))
	}
	for _, m := range p.active {
		x := least / float64(m.gpus)
		s.rounds.Set(m.row, 0, x+float64(part*(1-x)))
	}
}
