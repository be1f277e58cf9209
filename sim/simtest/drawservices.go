package simtest

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/series"
	"tarry/sim/service"
)

// addServices gives one case in eight services, and machines that are lent and taken back. It draws
// nothing, so that all else is as it was.
func addServices(cfg *sim.Config, seed uint64) {
	if seed%8 != 6 {
		return
	}
	own := make([]bool, cfg.Topology.Machines())
	for m := range own {
		own[m] = m%2 == 1
	}
	day := &series.Series{Steps: []series.Step{{Value: 3}, {At: 2e6, Value: 9}, {At: 5e6 + 1, Value: 0.5},
		{At: 12e6, Value: 7}, {At: 13e6, Value: 14}, {At: 24e6}}}
	cfg.Services = &service.Model{Own: own, Latency: service.Latency(seed / 8 % 2), Services: []service.Spec{
		{Name: "web", Replicas: 3, RatePerS: 4, DeadlineS: 1, Target: 0.9, StartS: 0.75, Load: day},
		{Name: "chat", Replicas: 4, RatePerS: 2, ShareMilli: 400, Load: series.Constant(3)}}}
	cfg.Operator = &juggler{seed: seed, until: 30 * sim.Second}
}

// juggler is an operator that starts and stops replicas, lends machines and takes them back, by a
// hash of the time; from until on it does nothing and has nothing.
type juggler struct {
	seed    uint64
	until   sim.Time
	claimed []cluster.GPU
	stopped []sim.JobID
}

// Knows implements sim.Policy.
func (*juggler) Knows() know.Set { return know.Nothing }

// Clone implements sim.Operator.
func (o *juggler) Clone() sim.Policy { return &juggler{seed: o.seed, until: o.until} }

// chance is a hash of the instant and a number.
func (o *juggler) chance(v *sim.View, k int) uint64 {
	h := o.seed*0x9e3779b97f4a7c15 + uint64(v.Now()/sim.Second)*0xbf58476d1ce4e5b9 + uint64(k)*0x94d049bb133111eb
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>32
}

// Decide implements sim.Policy.
func (o *juggler) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	o.claimed, o.stopped = o.claimed[:0], o.stopped[:0]
	over := v.Now() >= o.until
	out = o.lend(v, over, out)
	s := v.Services()
	for i := range s.Len() {
		first, end := s.Replicas(i)
		for id := first; id < end; id++ {
			want := !over && o.chance(v, 100+int(id))%3 > 0
			if running := v.Run(id).State() == sim.Running; running && !want {
				out = append(out, sim.Decision{Kind: sim.Preempt, Job: id})
			} else if !running && want {
				out = o.start(v, id, out)
			}
		}
	}
	if !over {
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Second + sim.Time(o.chance(v, 1)%3000)*1000})
	}
	return out
}

func (o *juggler) lend(v *sim.View, over bool, out []sim.Decision) []sim.Decision {
	s := v.Services()
	for m := range v.Topology().Machines() {
		want := over || !s.Own(m) || o.chance(v, m+2)%2 == 0
		switch lent := s.Lent(m); {
		case lent == want:
		case want:
			out = append(out, sim.Decision{Kind: sim.Uncordon, Machine: int32(m)})
		default:
			for _, j := range v.Running() {
				if !slices.Contains(o.stopped, j) && slices.ContainsFunc(v.Run(j).Held(), func(g cluster.GPU) bool {
					return v.Topology().Machine(g) == m
				}) {
					o.stopped = append(o.stopped, j)
					out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
				}
			}
			out = append(out, sim.Decision{Kind: sim.Cordon, Machine: int32(m)})
		}
	}
	return out
}

// start puts a replica on the first GPU without jobs that fits.
func (o *juggler) start(v *sim.View, id sim.JobID, out []sim.Decision) []sim.Decision {
	for g := range cluster.GPU(v.Topology().GPUs()) {
		if v.Sharers(g) == 0 && !slices.Contains(o.claimed, g) && v.Fits(id, []cluster.GPU{g}) {
			o.claimed = append(o.claimed, g)
			return append(out, sim.Decision{Kind: sim.Start, Job: id, GPUs: o.claimed[len(o.claimed)-1:]})
		}
	}
	return out
}
