package colocate

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Board is the picture of one decision. It belongs to one run.
type Board struct {
	rule cluster.Rule
	// given states which GPUs the decision has given out; touched lists them.
	given   []bool
	touched []cluster.GPU
	// cpu and mem are what the decision gives out of a machine; hosts lists those.
	cpu, mem []int64
	hosts    []int32
	arena    []cluster.GPU
	starts   []Start
	items    []item
	best     []item
	affected []sim.JobID
}

// Start is a job that the decision starts.
type Start struct {
	Job  sim.JobID
	GPUs []cluster.GPU
	// Knobs are set at the start but for the share.
	Knobs sim.Knobs
}

// NewBoard gives a board; rule chooses among free GPUs.
func NewBoard(rule cluster.Rule) *Board { return &Board{rule: rule} }

// Clone gives an independent board between two decisions.
func (b *Board) Clone() *Board { return NewBoard(b.rule) }

// Begin starts a decision.
func (b *Board) Begin(v *sim.View) {
	if b.given == nil {
		t := v.Topology()
		b.given, b.cpu, b.mem = make([]bool, t.GPUs()), make([]int64, t.Machines()), make([]int64, t.Machines())
	}
	for _, g := range b.touched {
		b.given[g] = false
	}
	for _, m := range b.hosts {
		b.cpu[m], b.mem[m] = 0, 0
	}
	b.touched, b.hosts, b.arena, b.starts = b.touched[:0], b.hosts[:0], b.arena[:0], b.starts[:0]
}

// Open reports whether a GPU may get another job in this decision: it is up, got none yet, and all
// that hold it run.
func (b *Board) Open(v *sim.View, g cluster.GPU) bool {
	if b.given[g] || !v.Up(g) {
		return false
	}
	if v.Owner(g) == sim.NoJob {
		return true
	}
	for _, j := range v.On(g) {
		if v.Run(j).State() != sim.Running {
			return false
		}
	}
	return true
}

// Given reports whether the decision has given a GPU to a job.
func (b *Board) Given(g cluster.GPU) bool { return b.given[g] }

// Starts lists the jobs that the decision starts, in order. It is valid until the next Begin.
func (b *Board) Starts() []Start { return b.starts }

// Again reports whether a job that found no GPUs may find some once the decision is carried out.
func (b *Board) Again() bool { return len(b.starts) > 0 }

// room is how many more GPUs of a demand a machine's CPU and memory can carry.
func (b *Board) room(v *sim.View, m int, d *plan.Demand) int {
	t, n := v.Topology(), int64(math.MaxInt32)
	if d.CPUMilli == 0 && d.MemMiB == 0 {
		return int(n)
	}
	cpu, mem := v.HostUsed(m)
	if c := t.CPUMilli(m); c > 0 && d.CPUMilli > 0 {
		n = min(n, (c-cpu-b.cpu[m])/int64(d.CPUMilli))
	}
	if c := t.MemMiB(m); c > 0 && d.MemMiB > 0 {
		n = min(n, (c-mem-b.mem[m])/int64(d.MemMiB))
	}
	return int(max(0, n))
}

// carried reports whether the hosts of an allocation (ascending) have room for it.
func (b *Board) carried(v *sim.View, gpus []cluster.GPU, d *plan.Demand) bool {
	if d.CPUMilli == 0 && d.MemMiB == 0 {
		return true
	}
	t := v.Topology()
	for i := 0; i < len(gpus); {
		m, n := t.Machine(gpus[i]), 0
		for ; i < len(gpus) && t.Machine(gpus[i]) == m; i++ {
			n++
		}
		if b.room(v, m, d) < n {
			return false
		}
	}
	return true
}

// Start gives GPUs (ascending) to a waiting job.
func (b *Board) Start(v *sim.View, j sim.JobID, d *plan.Demand, gpus []cluster.GPU, k sim.Knobs) {
	t, f := v.Topology(), v.Free()
	for _, g := range gpus {
		b.given[g] = true
		if f.Has(g) {
			f.Take(g)
		}
		m := t.Machine(g)
		b.cpu[m] += int64(d.CPUMilli)
		b.mem[m] += int64(d.MemMiB)
		b.hosts = append(b.hosts, int32(m))
	}
	b.touched = append(b.touched, gpus...)
	b.starts = append(b.starts, Start{j, gpus, k})
}
