package ffdl

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// top is the best score of a machine by one plugin.
const top = 100

// host is a machine as it is planned.
type host struct {
	up       int32 // GPUs that have not failed
	cpu, mem int64 // given out by this decision
}

// scratch is what the placement of a gang needs, by machine.
type scratch struct {
	free    []int32 // pods that it has room for
	req     []load
	scores  []int64
	now     []load // of a sample
	room    []int32
	drawn   []int64
	trial   []int32
	pods    []int32
	gpus    []cluster.GPU
	touched []int32
}

// load is what is requested of a machine, and what it has: GPUs, CPU, memory. A resource that it
// does not state has capacity 0.
type load struct{ req, has [3]int64 }

func (p *Policy) initialise(v *sim.View) {
	n := v.Topology().Machines()
	p.hosts = make([]host, n)
	b := &p.buf
	b.free, b.req, b.scores, b.pods = make([]int32, n), make([]load, n), make([]int64, n), make([]int32, n)
	b.now, b.room, b.drawn = make([]load, n), make([]int32, n), make([]int64, n)
	p.count(v)
}

// count takes in which GPUs have failed.
func (p *Policy) count(v *sim.View) {
	for m := range p.hosts {
		p.hosts[m].up = 0
		for g, hi := v.Topology().MachineGPUs(m); g < hi; g++ {
			if v.Up(g) {
				p.hosts[m].up++
			}
		}
	}
}

// open begins a decision.
func (p *Policy) open(*sim.View) {
	for _, m := range p.buf.touched {
		p.hosts[m].cpu, p.hosts[m].mem = 0, 0
	}
	p.buf.touched = p.buf.touched[:0]
	for i := range p.shapes {
		p.shapes[i].closed = false
	}
}

// charge books the CPU and memory of GPUs that the placer has given out, or with sign -1 has taken
// back.
func (p *Policy) charge(v *sim.View, s *shape, gpus []cluster.GPU, sign int64) {
	if s.CPUMilli == 0 && s.MemMiB == 0 {
		return
	}
	for _, g := range gpus {
		m := v.Topology().Machine(g)
		p.hosts[m].cpu += sign * int64(s.CPUMilli)
		p.hosts[m].mem += sign * int64(s.MemMiB)
		p.buf.touched = append(p.buf.touched, int32(m))
	}
}

// look reads what is requested of the machines that have room for a pod of a shape, and their
// scores with it. It reports whether they have room for a gang.
func (p *Policy) look(v *sim.View, f *cluster.Free, s *shape) bool {
	t, b, need := v.Topology(), &p.buf, s.learners()
	all := v.Free()
	for m := range p.hosts {
		b.free[m] = 0
		gpus := f.InMachine(m)
		if gpus < int(s.pod) {
			continue
		}
		h, x := &p.hosts[m], &b.req[m]
		cpu, mem := v.HostUsed(m)
		x.has = [3]int64{int64(h.up), t.CPUMilli(m), t.MemMiB(m)}
		x.req = [3]int64{int64(h.up) - int64(all.InMachine(m)), cpu + h.cpu, mem + h.mem}
		for i, each := range s.each() {
			if x.has[i] > 0 && each > 0 {
				room := (x.has[i] - x.req[i]) / (each * int64(s.pod))
				if i == 0 {
					room = int64(gpus) / int64(s.pod)
				}
				if i == 0 || room < int64(b.free[m]) {
					b.free[m] = int32(max(0, room))
				}
			}
		}
		need -= b.free[m]
		b.scores[m] = p.cfg.score(x.with(s))
	}
	return need <= 0
}

// each is what a GPU of a shape requests.
func (s *shape) each() [3]int64 { return [3]int64{1, int64(s.CPUMilli), int64(s.MemMiB)} }

// with is a load with a pod more.
func (x load) with(s *shape) load {
	for i, n := range s.each() {
		x.req[i] += n * int64(s.pod)
	}
	return x
}

// greedy places one pod after the other where the score is highest, and on the first of equals.
func (p *Policy) greedy(s *shape) {
	b := &p.buf
	p.order = p.order[:0]
	for range s.learners() {
		best := int32(-1)
		for m, n := range b.free {
			if n > 0 && (best < 0 || b.scores[m] > b.scores[best]) {
				best = int32(m)
			}
		}
		p.order = append(p.order, best)
		b.free[best]--
		b.req[best] = b.req[best].with(s)
		b.scores[best] = p.cfg.score(b.req[best].with(s))
	}
}

func sortGPUs(gpus []cluster.GPU) { slices.Sort(gpus) }
