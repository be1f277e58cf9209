// Package keep has the operator of tests of policies that put jobs beside replicas.
package keep

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/series"
	"tarry/sim/service"
)

// Replicas is an operator that keeps each replica of one GPU on the first empty GPU that fits, up to an
// instant; sim.Never = for ever.
type Replicas struct{ Until sim.Time }

// Knows implements sim.Policy.
func (Replicas) Knows() know.Set { return know.Nothing }

// Clone implements sim.Operator.
func (k Replicas) Clone() sim.Policy { return k }

// Decide implements sim.Policy.
func (k Replicas) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	s, end, taken := v.Services(), v.Now() >= k.Until, map[cluster.GPU]bool{}
	for i := range s.Len() {
		for id, last := s.Replicas(i); id < last; id++ {
			switch running := v.Run(id).State() == sim.Running; {
			case running && end:
				out = append(out, sim.Decision{Kind: sim.Preempt, Job: id})
			case !running && !end:
				for g := range cluster.GPU(v.Topology().GPUs()) {
					if !taken[g] && s.Room(g) == 1000 && v.Fits(id, []cluster.GPU{g}) {
						taken[g] = true
						out = append(out, sim.Decision{Kind: sim.Start, Job: id, GPUs: []cluster.GPU{g}})
						break
					}
				}
			}
		}
	}
	if !end {
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: k.Until})
	}
	return out
}

// Case gives a case two services whose loads change, and replicas that are kept for half a minute: for policies that
// put jobs beside replicas (simtest.Options.Serve).
func Case(cfg *sim.Config, seed uint64) {
	day := func(k float64) *series.Series {
		return &series.Series{Steps: []series.Step{{Value: k}, {At: 2e6, Value: 3.5 * k}, {At: 4e6, Value: 0.5 * k},
			{At: 8e6, Value: 4.1 * k}, {At: 11e6}, {At: 15e6, Value: 3 * k}, {At: 30e6}}}
	}
	cfg.Services = &service.Model{Latency: service.Latency(seed % 2), Services: []service.Spec{
		{Name: "web", Replicas: 2, RatePerS: 4, DeadlineS: 1, Target: 0.9, Load: day(2)},
		{Name: "chat", Replicas: 2, RatePerS: 2, UtilFrac: 0.5, GPUMiB: 30, Load: day(1)}}}
	cfg.Operator = Replicas{Until: 30 * sim.Second}
}
