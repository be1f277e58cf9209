package bsbf

import (
	"cmp"
	"math"
	"slices"

	"tarry/baselines/bsbf/pair"
	"tarry/sim"
)

// offer is a resident beside which a job may start.
type offer struct {
	resident int
	rank     float64 // the smaller the better
	// steps is the number of micro-batches with which the memory of both fits.
	steps int32
}

// offers lists the residents beside which starting a job gains, the best first; with sjf-ffs all
// of them that do not stand still, the lowest GPU first.
func (p *Policy) offers(v *sim.View, k *kind, j sim.JobID) {
	p.trial = p.trial[:0]
	typ, solo := -1, 0.0
	for i := range p.residents {
		s := &p.residents[i]
		m := v.Topology().Machine(s.gpus[0])
		steps := p.cfg.steps(k, s.free)
		if p.room[m] == 0 || steps == 0 {
			continue
		}
		b := p.kinds[p.of[s.job]]
		if p.cfg.always {
			if !math.IsInf(p.by(v, k, b, j, s.job, p.types[m])+p.by(v, b, k, s.job, j, p.types[m]), 1) {
				p.trial = append(p.trial, offer{i, float64(s.gpus[0]), steps})
			}
			continue
		}
		if t := p.types[m]; t != typ {
			typ, solo = t, p.cfg.left(v, j)/p.solo(v, k, j, t)
		}
		now := pair.Job{Solo: solo * p.slower(v, &p.cfg, k, j, typ, steps), Slow: p.by(v, k, b, j, s.job, typ)}
		rank := pair.Together(now, pair.Job{Solo: s.solo, Slow: p.by(v, b, k, s.job, j, typ)})
		if rank < pair.Apart(pair.Job{Solo: solo}, pair.Job{Solo: s.solo}) { // it may wait for its whole batch
			p.trial = append(p.trial, offer{i, rank, steps})
		}
	}
	slices.SortFunc(p.trial, func(a, b offer) int {
		if c := cmp.Compare(a.rank, b.rank); c != 0 {
			return c
		}
		return cmp.Compare(p.residents[a.resident].job, p.residents[b.resident].job)
	})
}
