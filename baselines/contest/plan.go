package contest

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Plan is what an instant gives, before it becomes decisions.
type Plan struct {
	// Grants are who gets what; GPUs is the memory of their allocations.
	Grants []Grant
	GPUs   []cluster.GPU
	// Late is set when checkpoints take time: then acceptances count only once they are sure.
	Late bool
}

// Grant is a planned allocation of a job: the range Lo to Hi of Plan.GPUs.
type Grant struct {
	// Job is who gets it.
	Job    sim.JobID
	Lo, Hi int
	// Level is the level of the place, Since when the job's wait began.
	Level cluster.Level
	Since sim.Time
	// Kind is what it is beside a start.
	Kind Change
}

// Change is what a grant is beside a start.
type Change uint8

// The changes.
const (
	// Begins: the job starts.
	Begins Change = iota
	// Renews: the job's own GPUs at the end of its lease, or some of them, or more.
	Renews
	// Moves: others at the end of its lease, in another number; all are free now.
	Moves
	// Gives: fewer of its own in the middle of a lease.
	Gives
	// Grown: more, in the middle of a lease.
	Grown
)

// Planned is the grant of a job at this instant, nil without one.
func (p *Plan) Planned(j sim.JobID) *Grant {
	for i := range p.Grants {
		if p.Grants[i].Job == j {
			return &p.Grants[i]
		}
	}
	return nil
}

// Stay has a grant, the last of the plan, renew the GPUs gpus[n:].
func (p *Plan) Stay(g *Grant, gpus []cluster.GPU, n int) {
	g.Kind = Renews
	p.GPUs = append(gpus[:g.Lo], gpus[n:]...)
}

// Sure reports whether a GPU that is free in the plan will be so when the decisions are applied:
// with checkpoints that take time the GPUs of ended leases are not.
func (p *Plan) Sure(v *sim.View, g cluster.GPU) bool { return !p.Late || v.Owner(g) == sim.NoJob }

// Releases reports whether GPUs of the grant's job come free at once, others than by its end or
// preemption.
func (g *Grant) Releases(v *sim.View) bool {
	return g.Kind == Gives || g.Kind == Moves || g.Kind == Renews && g.Hi-g.Lo < len(v.Run(g.Job).Held())
}

// keep decides whether a holder whose lease has ended, and who finds the place in p.GPUs from g.Lo
// on, keeps GPUs of its own.
func (p *Policy) keep(v *sim.View, c *Class, g *Grant) {
	held := v.Run(g.Job).Held()
	all := allFree(v.Free(), held)
	switch {
	case all && len(held) == len(p.GPUs)-g.Lo:
		if p.Carries(v, c, held) && !v.Topology().Tighter(p.GPUs[g.Lo:], held) {
			p.Stay(g, append(p.GPUs, held...), len(p.GPUs))
		}
	case p.cfg.Sizes != nil:
		*g = p.cfg.Sizes.Keep(p, v, c, *g, all)
	}
}

// settled reports whether a holder whose lease has ended keeps its GPUs whatever place it finds: it
// may have all of them again, and no place is tighter.
func (p *Policy) settled(v *sim.View, c *Class, j sim.JobID) bool {
	held := v.Run(j).Held()
	return p.cfg.Sizes == nil && len(held) == c.GPUs && v.Topology().Tightest(held) &&
		allFree(v.Free(), held) && p.Carries(v, c, held)
}

// release appends the resizes that free GPUs, before all that takes them.
func (p *Policy) release(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.cfg.Sizes == nil {
		return out
	}
	for i := range p.Grants {
		if g := &p.Grants[i]; g.Releases(v) {
			out = append(out, p.resize(v, g))
		}
	}
	return out
}

// resize is the decision for a grant to a running job that keeps running.
func (p *Policy) resize(v *sim.View, g *Grant) sim.Decision {
	gpus := p.GPUs[g.Lo:g.Hi]
	d := sim.Decision{Kind: sim.Resize, Job: g.Job, GPUs: gpus}
	if slices.Equal(gpus, v.Run(g.Job).Held()) {
		d = sim.Decision{Kind: sim.Renew, Job: g.Job}
	}
	if g.Kind == Renews || g.Kind == Moves {
		d.Lease = p.LeaseFor(v, g.Job, gpus)
	}
	return d
}

// freed reports whether a job gives the GPUs that it does not keep at once, without a checkpoint.
func (p *Policy) freed(v *sim.View, j sim.JobID) bool {
	if p.cfg.Sizes == nil {
		return false
	}
	g := p.Planned(j)
	return g != nil && g.Releases(v)
}
