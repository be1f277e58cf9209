package contest

import "tarry/sim"

// TakesOver reports whether the policy can take over a run from another one (over.Taker): it has no
// rule of a variant.
func (p *Policy) TakesOver() bool { return p.cfg.Variant.None() }

// TakeOver takes in the jobs that wait, since when they wait, and the jobs that run. A job whose lease
// is over contests at once, one without a lease gets one from now on.
func (p *Policy) TakeOver(v *sim.View, jobs []sim.JobID, out []sim.Decision) []sim.Decision {
	p.init(v)
	for _, j := range jobs {
		switch run := v.Run(j); run.State() {
		case sim.Waiting:
			p.enterSince(v, j, run.Since())
		case sim.Running:
			p.of[j] = p.classFor(v, j) + 1
			if p.cfg.Backfill != NoBackfill {
				p.guessAt(v, j)
			}
			switch {
			case run.Expired():
				p.expired = append(p.expired, j)
			case p.lease != sim.Never && run.LeaseEnd() == sim.Never:
				out = append(out, sim.Decision{Kind: sim.Renew, Job: j, Lease: p.LeaseFor(v, j, run.Held())})
			}
		}
	}
	return out
}
