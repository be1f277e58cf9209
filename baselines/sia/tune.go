package sia

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
)

// knobs are the batch and the steps of an update that suit an adaptive job on GPUs; none where
// nothing is known of it there.
func (p *Policy) knobs(v *sim.View, m *member, gpus []cluster.GPU) sim.Knobs {
	if m.kind != adaptive || m.batch <= 0 {
		return sim.Knobs{}
	}
	c := p.held(v.Topology(), gpus)
	if c < 0 || p.configs[c].Type < 0 {
		return sim.Knobs{}
	}
	x := &m.of[p.configs[c].Type]
	if !x.known {
		return sim.Knobs{}
	}
	_, local, accum := m.goodput(x, nodes(v.Topology(), gpus), len(gpus))
	if local < 1 {
		return sim.Knobs{}
	}
	return sim.Knobs{Batch: float64(len(gpus)*local*(accum+1)) / float64(m.batch), AccumSteps: int32(accum + 1)}
}

// changed leaves of knobs what a job that runs does not have already.
func changed(v *sim.View, m *member, k sim.Knobs) sim.Knobs {
	has := v.Run(m.id).Knobs()
	if k.Batch == has.Batch && k.AccumSteps == has.AccumSteps {
		return sim.Knobs{}
	}
	return k
}

// retune measures a job at a mark and chooses its batch anew.
func (p *Policy) retune(v *sim.View, m *member, out []sim.Decision) []sim.Decision {
	if m.kind != adaptive || !p.observe(v, m) {
		return out
	}
	if k := changed(v, m, p.knobs(v, m, v.Run(m.id).Held())); k != (sim.Knobs{}) {
		out = append(out, sim.Decision{Kind: sim.Tune, Job: m.id, Knobs: k})
	}
	return p.watch(v, m, out)
}

// watch asks to be woken at the next mark of a job.
func (p *Policy) watch(v *sim.View, m *member, out []sim.Decision) []sim.Decision {
	if !p.cfg.atMarks || m.kind != adaptive {
		return out
	}
	mark := v.Run(m.id).NextMark()
	if !(mark < float64(math.MaxInt64/2)) {
		return out
	}
	// a mark on a grid may lie at what is done already
	return append(out, sim.Decision{Kind: sim.Watch, Job: m.id, Counter: sim.Progress,
		Bound: max(sim.Time(math.Ceil(mark)), sim.Time(v.Run(m.id).Done())+1)})
}
