package contest

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan/victim"
)

// Classes lists the classes in the order in which their demands were first seen. It is shared.
func (p *Policy) Classes() []*Class { return p.classes }

// ClassOf is the class in which a job contests, or contested last.
func (p *Policy) ClassOf(j sim.JobID) *Class { return p.classes[p.of[j]-1] }

// Expired reports whether the lease of a job ended at this instant.
func (p *Policy) Expired(j sim.JobID) bool { return slices.Contains(p.expired, j) }

// Rule is how a unit is chosen among fitting units.
func (p *Policy) Rule() cluster.Rule { return p.cfg.Rule }

// LargestMachine is the number of GPUs of the largest machine.
func (p *Policy) LargestMachine() int { return p.capMach }

// Contestants appends the jobs that contest, in no particular (but reproducible) order.
func (p *Policy) Contestants(dst []sim.JobID) []sim.JobID {
	for _, c := range p.classes {
		if c.Live == 0 {
			continue
		}
		for i := range c.list[:c.n] {
			if j := c.list[i].Job; j != sim.NoJob {
				dst = append(dst, j)
			}
		}
	}
	return dst
}

// Evictions gives the rule of evictions: whether there is one, and its margin and least run in
// leases.
func (p *Policy) Evictions() (on bool, margin, minRun float64) {
	return p.cfg.Evict, p.cfg.Margin, p.cfg.MinRun
}

// Victims is which jobs are evicted.
func (p *Policy) Victims() victim.Choice { return p.cfg.Victims }

// SetEvictions sets Config.Evict, Config.Margin and Config.MinRun, in leases, from now on.
func (p *Policy) SetEvictions(on bool, margin, minRun float64) {
	p.cfg.Evict, p.cfg.Margin, p.cfg.MinRun = on, margin, minRun
	p.setMinRun()
	if !on {
		p.running.forget()
	}
}
