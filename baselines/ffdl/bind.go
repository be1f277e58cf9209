package ffdl

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// binding is a job that has some of its pods.
type binding struct {
	job  sim.JobID
	gpus []cluster.GPU
}

// idleness counts the GPUs of jobs that wait for their other pods.
type idleness struct {
	at   sim.Time
	gpus int64 // held now, and most at once
	most int64
	held sim.Time // GPUs x time, in GPU-microseconds
}

// until books the time up to now.
func (i *idleness) until(now sim.Time) {
	i.held += sim.Time(i.gpus) * (now - i.at)
	i.at = now
}

// bind places pods of admitted jobs one by one, in random order, and starts the jobs that have all
// of theirs.
func (p *Policy) bind(v *sim.View, out []sim.Decision) []sim.Decision {
	p.hold(v)
	p.deal()
	for _, j := range p.cards {
		s := &p.shapes[p.jobs[j].shape]
		if s.closed {
			continue
		}
		one := *s
		if s.ShareMilli == 1000 {
			one.GPUs = s.pod
		}
		gpus, ok := p.put(v, &one)
		if !ok {
			s.closed = true
			continue
		}
		b := p.bound(sim.JobID(j))
		b.gpus = append(b.gpus, gpus...)
	}
	return p.complete(out)
}

// hold keeps the GPUs of incomplete jobs away from others; pods on GPUs that have failed are lost.
func (p *Policy) hold(v *sim.View) {
	for i := range p.loose {
		b := &p.loose[i]
		s := &p.shapes[p.jobs[b.job].shape]
		b.gpus = s.alive(v, b.gpus)
		if len(b.gpus) > 0 {
			p.charge(v, s, p.place.Given(v, &s.Demand, b.gpus), 1)
		}
	}
}

// alive drops the pods that have a GPU that has failed.
func (s *shape) alive(v *sim.View, gpus []cluster.GPU) []cluster.GPU {
	kept := gpus[:0]
	for i := 0; i < len(gpus); i += int(s.pod) {
		pod := gpus[i : i+int(s.pod)]
		if !slices.ContainsFunc(pod, func(g cluster.GPU) bool { return !v.Up(g) }) {
			kept = append(kept, pod...)
		}
	}
	return kept
}

// deal lists every pod that is not bound, shuffled.
func (p *Policy) deal() {
	p.cards = p.cards[:0]
	for i := range p.shapes {
		s := &p.shapes[i]
		for _, j := range s.jobs[s.head:] {
			n := s.learners()
			if k := p.find(j); k >= 0 {
				n -= int32(len(p.loose[k].gpus)) / s.pod
			}
			for range n {
				p.cards = append(p.cards, int32(j))
			}
		}
	}
	p.draws.Shuffle(len(p.cards), func(i, k int) { p.cards[i], p.cards[k] = p.cards[k], p.cards[i] })
}

// find is the place of a job among the jobs with pods, -1 if it has none.
func (p *Policy) find(j sim.JobID) int {
	i, ok := slices.BinarySearchFunc(p.loose, j, func(b binding, j sim.JobID) int { return int(b.job - j) })
	if !ok {
		return -1
	}
	return i
}

// bound is the binding of a job.
func (p *Policy) bound(j sim.JobID) *binding {
	i, ok := slices.BinarySearchFunc(p.loose, j, func(b binding, j sim.JobID) int { return int(b.job - j) })
	if !ok {
		b := binding{job: j}
		if n := len(p.spare); n > 0 {
			b.gpus, p.spare = p.spare[n-1][:0], p.spare[:n-1]
		}
		p.loose = slices.Insert(p.loose, i, b)
	}
	return &p.loose[i]
}

// complete starts the jobs that have all their pods, by arrival, and counts what the others hold.
func (p *Policy) complete(out []sim.Decision) []sim.Decision {
	p.idle.gpus = 0
	kept := p.loose[:0]
	for _, b := range p.loose {
		s := &p.shapes[p.jobs[b.job].shape]
		switch n := int32(len(b.gpus)); {
		case n == s.GPUs:
			slices.Sort(b.gpus)
			out = append(out, sim.Decision{Kind: sim.Start, Job: b.job, GPUs: b.gpus})
			i, _ := slices.BinarySearch(s.jobs[s.head:], b.job)
			s.jobs = slices.Delete(s.jobs, s.head+i, s.head+i+1)
			p.spare = append(p.spare, b.gpus) // for the next decision
		case n > 0:
			p.idle.gpus += int64(n)
			kept = append(kept, b)
		default:
			p.spare = append(p.spare, b.gpus)
		}
	}
	clear(p.loose[len(kept):])
	p.loose = kept
	p.idle.most = max(p.idle.most, p.idle.gpus)
	return out
}

// Measures gives what pods held while they waited for the others of their job: GPU-seconds up to
// the last decision, and GPUs at most at once; and how many jobs of the free tier were evicted of
// each tenant.
func (p *Policy) Measures(yield func(name, of, unit string, value float64)) {
	for i := range p.tenants {
		yield("evictions", p.tenants[i].name, "count", float64(p.tenants[i].thrown))
	}
	if p.cfg.gang {
		return
	}
	yield("idle_learner_gpu_s", "", "gpu_s", p.idle.held.Seconds())
	yield("idle_learner_gpus_max", "", "gpus", float64(p.idle.most))
}
