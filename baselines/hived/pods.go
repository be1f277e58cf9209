package hived

import (
	"tarry/baselines/hived/cells"
	"tarry/sim"
)

// demand is what decides where a job can run.
type demand struct {
	// gpus is what the job asks for, least what it can run on.
	gpus, least, worker int32
	typ                 string
	cpu, mem, gpuMiB    int32
}

func demandOf(v *sim.View, j sim.JobID) demand {
	a := v.Job(j).Public()
	lo, _ := v.Job(j).Range()
	return demand{int32(v.Job(j).GPUs()), int32(lo), a.WorkerGPUs, a.GPUType, a.CPUMilli, a.MemMiB, a.GPUMiB}
}

// try is one way to ask the cells for a job: pods on machines of one kind.
type try struct {
	chain   string
	members []cells.Member
	take    []int32 // GPUs that the job uses of each pod, in ascending order
}

// tries lists the ways, one for each kind of machines that can hold the job in these cells, for the
// largest count of GPUs that any can. A job without workers of a stated size is cut by machines;
// where cells of that size cannot hold it, it is single GPUs.
func (p *Policy) tries(d *demand, vc string, prio int) (out []try) {
	step := max(1, d.worker)
	for n := d.gpus; n >= max(1, d.least) && len(out) == 0; n -= step {
		for i := range p.chains {
			c := &p.chains[i]
			if d.typ != "" && c.typ != d.typ && !p.untyped || c.gpuMiB > 0 && int64(d.gpuMiB) > c.gpuMiB {
				continue
			}
			if t, ok := c.cut(d, n, d.worker); ok && p.could(&t, vc, prio) {
				out = append(out, t)
			} else if t, ok := c.cut(d, n, 1); ok && d.worker == 0 && p.could(&t, vc, prio) {
				out = append(out, t)
			}
		}
	}
	return out
}

// could asks empty cells.
func (p *Policy) could(t *try, vc string, prio int) bool {
	pod := t.pod("?", vc, prio)
	return p.cells.Could(pod)
}

// pod is a request to the cells.
func (t *try) pod(name, vc string, prio int) cells.Pod {
	return cells.Pod{Name: name, VC: vc, Priority: prio, GPUType: t.chain, GPUs: t.members[0].GPUs, Group: name,
		Members: t.members}
}

// cut divides n GPUs into pods on machines of a kind: of the worker's size, else as large as a
// machine holds. A pod that needs more CPU or memory than its GPUs' part of the machine holds more
// GPUs and leaves them idle. false: no machine holds a pod.
func (c *chain) cut(d *demand, n, worker int32) (try, bool) {
	size := int32(0)
	if worker > 0 && int(worker) <= c.gpus {
		if size = worker; c.pad(d, size) > c.gpus {
			return try{}, false
		}
	} else {
		for size = min(int32(c.gpus), n); size > 0 && c.pad(d, size) > c.gpus; size-- {
		}
	}
	if size == 0 {
		return try{}, false
	}
	t := try{chain: c.name}
	if rest := n % size; rest > 0 {
		t.members = append(t.members, cells.Member{Pods: 1, GPUs: c.pad(d, rest)})
		t.take = append(t.take, rest)
	}
	if n >= size {
		t.members = append(t.members, cells.Member{Pods: int(n / size), GPUs: c.pad(d, size)})
		for range n / size {
			t.take = append(t.take, size)
		}
	}
	return t, true
}

// pad is the number of GPUs whose part of a machine has what k GPUs of a job need.
func (c *chain) pad(d *demand, k int32) int {
	n := int64(k)
	for _, r := range [...]struct{ need, has int64 }{{int64(d.cpu), c.cpu}, {int64(d.mem), c.mem}} {
		if need := int64(k) * r.need * int64(c.gpus); r.has > 0 && need > 0 {
			n = max(n, (need+r.has-1)/r.has)
		}
	}
	return int(n)
}
