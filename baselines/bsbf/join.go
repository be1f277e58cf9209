package bsbf

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// join starts a job on what is idle, if the placer could not, or on that and beside residents.
func (p *Policy) join(v *sim.View, k *kind, j sim.JobID) bool {
	need := k.demand.GPUs
	p.scan(v)
	if len(p.idle)+len(p.spots) < int(need) {
		return false
	}
	p.limits(v, k)
	p.trial = p.trial[:0]
	total := p.fit(v, p.idle)
	if total >= need {
		return p.take(v, k, j, -1)
	}
	if k.share < whole || total+int32(len(p.spots)) < need {
		return false
	}
	p.offers(v, k, j)
	for _, o := range p.trial {
		s := &p.residents[o.resident]
		total += p.fit(v, s.gpus)
		if p.cfg.jobs || need == 1 {
			if total >= need {
				break
			}
			continue
		}
		if m := p.machine(v, s.gpus, need); m >= 0 {
			return p.take(v, k, j, m)
		}
	}
	return total >= need && p.take(v, k, j, -1)
}

// limits notes how many GPUs of a job each machine can carry, and that none is counted yet.
func (p *Policy) limits(v *sim.View, k *kind) {
	t := v.Topology()
	for m := range p.room {
		p.count[m], p.room[m] = 0, 0
		if (k.typ == "" || t.Type(m) == k.typ) && p.cfg.steps(k, capacity(t, m)) > 0 {
			p.room[m] = int32(min(p.place.Room(v, m, &k.demand), math.MaxInt32))
		}
	}
}

// fit counts GPUs as far as their machines can carry the job on them.
func (p *Policy) fit(v *sim.View, gpus []cluster.GPU) (n int32) {
	for _, g := range gpus {
		if m := v.Topology().Machine(g); p.count[m] < p.room[m] {
			p.count[m]++
			n++
		}
	}
	return n
}

// machine is the machine among those GPUs' which can hold a job with what has been counted, with
// the fewest GPUs to choose from; -1 for none.
func (p *Policy) machine(v *sim.View, gpus []cluster.GPU, need int32) int {
	best := -1
	for _, g := range gpus {
		if m := v.Topology().Machine(g); p.count[m] >= need && (best < 0 || p.count[m] < p.count[best]) {
			best = m
		}
	}
	return best
}

// take starts a job on a machine, or anywhere if that is -1: on idle GPUs first, then beside the
// residents on offer, in their order. It reports false where a job would have speed 0 then.
func (p *Policy) take(v *sim.View, k *kind, j sim.JobID, machine int) bool {
	clear(p.count)
	p.chosen = p.chosen[:0]
	if p.cfg.jobs {
		p.fewest(v)
	}
	p.pick(v, k, machine, p.idle)
	steps, shared, met := p.cfg.stepsOn(v.Topology(), k, p.chosen), false, len(p.met)
	for _, o := range p.trial {
		s := &p.residents[o.resident]
		if p.pick(v, k, machine, s.gpus) {
			steps, shared = max(steps, o.steps), true
			p.met = append(p.met, s.job)
		}
	}
	slices.Sort(p.chosen)
	if shared && p.stalls(v, j, p.met[met:]) {
		p.met = p.met[:met]
		return false
	}
	gpus, set := p.place.Given(v, &k.demand, p.chosen), p.cfg.micro(k, steps)
	if !shared {
		p.start(k, j, gpus, set)
		return true
	}
	p.met = append(p.met, j)
	p.out = plan.Join(v, p.out, j, gpus)
	d := &p.out[len(p.out)-1]
	d.AccumSteps, d.GPUMiB = set.AccumSteps, set.GPUMiB
	p.note(k, j, gpus, set)
	return true
}

// stalls reports whether a job on the chosen GPUs, or one of the residents whom it meets there,
// would not progress: some speed models have pairs on the same GPUs alone, and the pair test asks
// about those. Who has started at this instant cannot be asked about; once a job would have stalled
// no job joins these.
func (p *Policy) stalls(v *sim.View, j sim.JobID, met []sim.JobID) bool {
	fresh := false
	for _, b := range met {
		if v.Run(b).State() != sim.Running {
			fresh = true
		} else if !(v.Predict(b, sim.Placement{GPUs: v.Run(b).Held(), Mate: sim.Peer{ID: j, GPUs: p.chosen,
			Knobs: sim.Knobs{ShareMilli: half}}}).Rate > 0) {
			p.strict = true
			return true
		}
	}
	if fresh {
		return p.strict
	}
	stuck := !(v.Predict(j, sim.Placement{GPUs: p.chosen, Knobs: sim.Knobs{ShareMilli: half}}).Rate > 0)
	p.strict = p.strict || stuck
	return stuck
}

// pick chooses from GPUs what the job still needs. It reports whether it chose any.
func (p *Policy) pick(v *sim.View, k *kind, machine int, from []cluster.GPU) (any bool) {
	for _, g := range from {
		m := v.Topology().Machine(g)
		if len(p.chosen) == int(k.demand.GPUs) || machine >= 0 && m != machine || p.count[m] == p.room[m] {
			continue
		}
		p.count[m]++
		p.chosen = append(p.chosen, g)
		any = true
	}
	return any
}

// fewest puts idle GPUs in the order of the machines with the fewest jobs.
func (p *Policy) fewest(v *sim.View) {
	t := v.Topology()
	slices.SortStableFunc(p.idle, func(a, b cluster.GPU) int {
		return int(p.jobs[t.Machine(a)] -
			p.jobs[t.Machine(b)])
	})
}
