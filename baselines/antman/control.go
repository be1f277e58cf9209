package antman

import (
	"slices"

	"tarry/sim"
)

// reset forgets what is known of the shares of opportunistic jobs beside whom, or beside whose
// guaranteed job, a job came or left. One that has a new guaranteed job beside it begins with
// the least share.
func (p *Policy) reset(v *sim.View) {
	m := &p.mixed
	m.changed = append(m.changed[:0], v.FewerSharers()...)
	for _, s := range p.board.Starts() {
		m.changed = append(m.changed, s.Job)
		for _, g := range s.GPUs {
			m.changed = append(m.changed, v.On(g)...)
		}
	}
	slices.Sort(m.changed)
	for _, j := range m.jobs {
		gpus, _ := p.held(v, j)
		x := &p.jobs[j]
		if x.first {
			continue
		}
		for _, g := range gpus {
			r := m.gpus[m.at[g]-1].first
			if p.changed(j) || r != sim.NoJob && p.changed(r) {
				x.bad = 1001
			}
			if r != sim.NoJob && v.Run(r).State() == sim.Waiting {
				x.share = p.cfg.least
			}
		}
	}
}

func (p *Policy) changed(j sim.JobID) bool {
	_, ok := slices.BinarySearch(p.mixed.changed, j)
	return ok
}

// adjust is the feedback: additive growth, multiplicative cut. It looks at the guaranteed jobs
// beside each opportunistic one.
func (p *Policy) adjust(v *sim.View) {
	p.lead(v)
	for _, j := range p.guests {
		if v.Run(j).State() != sim.Running {
			continue // it starts now
		}
		x, slow, last := &p.jobs[j], false, sim.NoJob
		for _, g := range v.Run(j).Held() {
			r := p.leaders[g]
			if r == last || r == sim.NoJob {
				continue
			}
			if last, slow = r, p.part(v, r) < 1-p.cfg.slow; slow {
				break
			}
		}
		switch {
		case last == sim.NoJob:
		case slow:
			now := v.Run(j).Knobs().ShareMilli
			x.bad = min(x.bad, now)
			p.allow(j, max(p.cfg.least, min(x.share, int32(float64(now)*p.cfg.cut))))
		default:
			if next := min(x.share+p.cfg.step, 1000-p.cfg.keep); next < x.bad {
				p.allow(j, next)
			}
		}
	}
}

// lead notes the guaranteed job on each GPU, the first where another caller left several.
func (p *Policy) lead(v *sim.View) {
	if p.leaders == nil {
		p.leaders = make([]sim.JobID, v.Topology().GPUs())
	}
	for g := range p.leaders {
		p.leaders[g] = sim.NoJob
	}
	for _, j := range p.runs {
		if v.Run(j).State() != sim.Running {
			continue // it starts now
		}
		for _, g := range v.Run(j).Held() {
			if r := &p.leaders[g]; *r == sim.NoJob || j < *r {
				*r = j
			}
		}
	}
}

// allow sets the share that an opportunistic job may have beside guaranteed ones.
func (p *Policy) allow(j sim.JobID, share int32) {
	if x := &p.jobs[j]; x.share != share {
		x.share = share
		p.mixed.moved = append(p.mixed.moved, j)
	}
}

// relook asks for a look at speeds after a period, while shares may still move: a guaranteed job is
// beside an opportunistic one whose share is not where it stays. Shares and speeds stay as they are
// while no job comes or goes, so a share that was found to be too large is not tried again.
func (p *Policy) relook(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.looks.At(v.Now()) != sim.Never {
		return out
	}
	again := false
	for i := 0; i < len(p.mixed.wants) && !again; i++ {
		w := &p.mixed.wants[i]
		moved := w.starts > 0 || w.share != w.hadShare || p.changed(w.job)
		again = !p.jobs[w.job].first && (moved || p.grows(w.job)) && p.shared(v, w.job)
	}
	for i := 0; i < len(p.guests) && !again; i++ {
		again = p.grows(p.guests[i]) && p.shared(v, p.guests[i])
	}
	if !again {
		return out
	}
	return p.looks.Set(v.Now(), v.Now()+p.cfg.period, out)
}

// grows reports whether an opportunistic job may have a step more.
func (p *Policy) grows(j sim.JobID) bool {
	x := &p.jobs[j]
	more := min(x.share+p.cfg.step, 1000-p.cfg.keep)
	return more > x.share && more < x.bad
}

// shared reports whether an opportunistic job is beside a guaranteed one once the decision is
// carried out.
func (p *Policy) shared(v *sim.View, j sim.JobID) bool {
	gpus, _ := p.held(v, j)
	for _, g := range gpus {
		switch at := p.mixed.at[g]; {
		case at > 0 && p.mixed.gpus[at-1].first != sim.NoJob, at == 0 && p.leads(v.On(g)) != sim.NoJob:
			return true
		}
	}
	return false
}
