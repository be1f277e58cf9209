package powercap

import "tarry/sim"

// apply writes clocks into the decisions of this instant, which begin at first, adds Tunes of other
// jobs where they change, preempts, and leaves out starts that wait. changed reports whether jobs
// started or clocks changed, stopped whether jobs were preempted.
func (p *Policy) apply(out []sim.Decision, first int) (kept []sim.Decision, changed, stopped bool) {
	i, waits := 0, false
	for k := range p.runs {
		r := &p.runs[k]
		x := &p.jobs[p.slot[r.job]-1]
		if r.stop {
			p.owed = append(p.owed, r.job)
			if x.gone = true; r.start {
				x.held, waits = true, true
			} else {
				out, stopped = append(out, sim.Decision{Kind: sim.Preempt, Job: r.job}), true
			}
			continue
		}
		want := p.clock(x, p.at[i])
		i++
		changed = changed || r.start || x.at > 0 || want != r.knobs.FreqFrac
		switch d := max(x.at, x.tune); {
		case want == r.knobs.FreqFrac:
		case d > 0:
			out[first+int(d)-1].FreqFrac = want
		default:
			out = append(out, sim.Decision{Kind: sim.Tune, Job: r.job, Knobs: sim.Knobs{FreqFrac: want}})
		}
	}
	if waits {
		// a host may stop a job and start it elsewhere: then it is stopped, and others have its GPUs
		out = p.without(out, first, func(d *sim.Decision) bool {
			s := p.slot[d.Job]
			return d.Kind != sim.Preempt && s > 0 && p.jobs[s-1].held
		})
	}
	return out, changed, stopped
}
