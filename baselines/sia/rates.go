package sia

import (
	"tarry/baselines/sia/ilp"
	"tarry/sim"
	"tarry/sim/goodput"
)

// rate makes the goodputs of a job's configurations anew where something was learned.
func (p *Policy) rate(v *sim.View, m *member) {
	if !m.stale && len(m.rates) == len(p.configs) {
		return
	}
	m.stale, m.rates = false, m.rates[:0]
	fitted := false
	for t := range m.of {
		x := &m.of[t]
		if x.one = 0; x.known {
			x.one, _, _ = m.goodput(x, 1, 1)
			fitted = true
		}
	}
	for c := range p.configs {
		f := &p.configs[c]
		good := 0.0
		switch {
		case f.Type == ilp.Mixed:
			if m.mixed && f.GPUs == m.asks {
				good = 1
			}
		case !m.may(f.GPUs) || !p.accepts(v, m.id, f.Type):
		case m.batch > 0 && fitted:
			good = p.model(m, f)
		case m.batch > 0 && p.blank(v, m):
			good = 1
		default:
			if curve := p.curves.OfType(v, m.id, p.types[f.Type].name); f.GPUs < len(curve) {
				good = curve[f.GPUs]
			}
		}
		m.rates = append(m.rates, max(good, 0))
	}
}

// blank reports whether nothing is known of a job that will report measurements once it runs.
func (p *Policy) blank(v *sim.View, m *member) bool {
	if p.cfg.bootstrap {
		return false
	}
	_, ok := v.TelemetryAt(m.id, sim.Placement{GPUs: p.types[0].first[:], Alone: true})
	return ok
}

// model is the goodput of a configuration by what was measured: by the type's own parameters, or
// the parameters of the type on which most GPUs were measured, times the ratio of the two on one
// GPU.
func (p *Policy) model(m *member, f *ilp.Config) float64 {
	x := &m.of[f.Type]
	other := -1
	for t := range m.of {
		if o := &m.of[t]; o.known && o.one > 0 && o.widest > 1 && (other < 0 || o.widest > m.of[other].widest) {
			other = t
		}
	}
	switch {
	case x.known && (f.GPUs == 1 || x.widest > 1 || other < 0 || !p.cfg.project || x.one <= 0):
		good, _, _ := m.goodput(x, f.Nodes, f.GPUs)
		return good
	case x.known:
		o := &m.of[other]
		good, _, _ := m.goodput(o, f.Nodes, f.GPUs)
		return good * (x.one / o.one)
	// nothing is known of the type: the least that the job can have there
	case f.GPUs > max(m.lo, 1) && m.kind != rigid:
		return 0
	}
	for t := range m.of {
		if m.of[t].one > 0 {
			return m.of[t].one
		}
	}
	return 1
}

// goodput is the goodput of some GPUs with the batch that is best, or that the job has: samples per
// step of each GPU, and further steps of an update.
func (m *member) goodput(x *profile, nodes, replicas int) (good float64, local, accum int) {
	f := goodput.Function{Params: x.params, Noise: m.noise, Limits: m.limits}
	if m.kind == adaptive {
		return f.Best(nodes, replicas)
	}
	if local, accum = m.limits.Split(m.batch, replicas); local < 1 || local < m.limits.MinLocal {
		return 0, 0, 0
	}
	updates := f.Throughput(nodes, replicas, local, accum) / float64(replicas*local*(accum+1))
	return updates * float64(m.batch), local, accum
}

// limit is the most GPUs that a job may have in the next round on a type.
func (p *Policy) limit(m *member, t int) int {
	most := m.hi
	if p.cfg.most > 0 {
		most = min(most, p.cfg.most)
	}
	if m.batch > 0 && m.limits.MinLocal > 0 {
		most = min(most, max(1, m.limits.Max/m.limits.MinLocal))
	}
	if p.cfg.double {
		widest := m.widest
		if !p.cfg.shareMax {
			widest = m.of[t].widest
		}
		most = min(most, max(2*widest, 1))
	}
	return most
}

// row writes the goodputs of the configurations that a job may have in the next round, 0 for
// others, and reports whether there is one.
func (p *Policy) row(m *member, dst []float64, valid []bool) bool {
	some := false
	for c := range p.configs {
		f := &p.configs[c]
		dst[c] = 0
		if valid[c] = m.rates[c] > 0 && !(c < len(m.barred) && m.barred[c]); !valid[c] {
			continue
		}
		if m.kind != rigid && f.GPUs > p.limit(m, f.Type) && p.smaller(m, c) {
			valid[c] = false
			continue
		}
		dst[c], some = m.rates[c], true
	}
	return some
}

// smaller reports whether a job may have fewer GPUs of a configuration's type: the fewest are never
// too many.
func (p *Policy) smaller(m *member, c int) bool {
	for o := range p.configs {
		if f := &p.configs[o]; f.Type == p.configs[c].Type && f.GPUs < p.configs[c].GPUs && m.rates[o] > 0 {
			return true
		}
	}
	return false
}
