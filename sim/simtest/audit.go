package simtest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/end"
)

// Audit is an observer that keeps its own books of a run and compares them with the kernel's.
// It looks only at what observers receive, so it does not share the kernel's mistakes.
type Audit struct {
	w         *sim.Workload
	top       *cluster.Topology
	now       sim.Time
	any       bool
	ints      []interval
	cut       []cutting // on GPUs that can be cut into instances
	recs      []sim.Record
	told      []int
	work      []float64  // done, by job
	run, held []sim.Time // by job
	done      []float64  // by job: the work done and not lost at the end of its last interval
	lost      []float64  // by job: what fell back since, added up
	fell      []bool     // by job: its last interval ended by a fault
	outs      []int32    // by job: how often it ran out of memory
	kills     bool       // preemptions kill: they return a job to less
	killed    []float64  // by job: what fell back after a preemption, added up
	shot      []bool     // by job: its last interval ended by a kill
	// by job: 1 + when its last allocation ended by a move that has not led to another; 0 = no such
	moves    []sim.Time
	power    powerAudit
	services serviceAudit
	errs     []error
}

type interval struct {
	job        sim.JobID
	gpu        cluster.GPU
	start, end sim.Time
	share      int32
	cpu, mem   int32
	gpuMiB     int32
	out        bool // it ran out of memory
	leaves     bool // it may have held them for a checkpoint after it was stopped
}

// maxErrors bounds what one audit reports.
const maxErrors = 10

// NewAudit starts the books of a run.
func NewAudit(w *sim.Workload, top *cluster.Topology) *Audit {
	n := len(w.Jobs)
	return &Audit{w: w, top: top, told: make([]int, n), recs: make([]sim.Record, n), work: make([]float64, n),
		run: make([]sim.Time, n), held: make([]sim.Time, n), moves: make([]sim.Time, n), outs: make([]int32, n),
		done: make([]float64, n), lost: make([]float64, n), fell: make([]bool, n),
		killed: make([]float64, n), shot: make([]bool, n), power: newPowerAudit(n, top)}
}

// Kills states that preemptions of the run kill (sim.Costs.Kill). It gives the same audit.
func (a *Audit) Kills(kill bool) *Audit {
	a.kills = kill
	return a
}

func (a *Audit) fault(format string, args ...any) {
	if len(a.errs) < maxErrors {
		a.errs = append(a.errs, fmt.Errorf(format, args...))
	}
}

// Interval implements sim.Observer.
func (a *Audit) Interval(i *sim.Interval) {
	j := &a.w.Jobs[i.Job]
	if i.Start < j.Submit {
		a.fault("I5: job %q holds GPUs from %v, submitted at %v", j.ID, i.Start, j.Submit)
	}
	if i.End < i.Start || i.End < a.now || i.Run < 0 || i.Run > i.End-i.Start {
		a.fault("I3: job %q held GPUs %v-%v and ran %v of it, reported after %v", j.ID, i.Start, i.End, i.Run, a.now)
	}
	if at := a.moves[i.Job]; at > 0 && i.Start != at-1 {
		a.fault("I9: job %q gave its GPUs up for others at %v and got them at %v", j.ID, at-1, i.Start)
	}
	if r := &a.recs[i.Job]; a.told[i.Job] > 0 && r.State == sim.Rejected {
		a.fault("I13: job %q was rejected at %v and held GPUs %v-%v, reported later", j.ID, r.End, i.Start, i.End)
	}
	a.moves[i.Job] = 0
	if i.Reason == end.Migrate || i.Reason == end.Resize {
		a.moves[i.Job] = i.End + 1
	}
	if lo, hi := j.Range(); int32(len(i.GPUs)) < lo || int32(len(i.GPUs)) > hi ||
		int32(len(i.GPUs))%max(1, j.WorkerGPUs) != 0 {
		a.fault("I12: job %q got %d GPUs, asked %d..%d in workers of %d", j.ID, len(i.GPUs), lo, hi,
			max(1, j.WorkerGPUs))
	}
	if !(i.CopyFrac >= 0 && i.CopyFrac <= 1) || i.CopyFrac > 0 && i.ShareMilli != 1000 {
		a.fault("I2: job %q has copies of which a part of %v counts, on %d thousandths, expected 0..1 on whole GPUs",
			j.ID, i.CopyFrac, i.ShareMilli)
	}
	if l := a.top.LevelOf(i.GPUs); l != i.Level {
		a.fault("job %q: level %v reported, %v lies at %v", j.ID, i.Level, i.GPUs, l)
	}
	for _, g := range i.GPUs {
		if typ := a.top.Type(a.top.Machine(g)); j.GPUType != "" && len(a.top.Types()) > 1 && typ != j.GPUType {
			a.fault("job %q wants type %q and got GPU %d of type %q", j.ID, j.GPUType, g, typ)
		}
		a.ints = append(a.ints, interval{i.Job, g, i.Start, i.End, i.ShareMilli, i.CPUMilli, i.MemMiB, i.GPUMiB,
			i.Reason == end.OutOfMemory, leaves(i.Reason)})
	}
	if i.Reason == end.OutOfMemory {
		a.outs[i.Job]++
	}
	a.cuts(i)
	a.resumes(i)
	a.work[i.Job] += i.Work
	a.run[i.Job] += i.Run
	a.held[i.Job] += i.End - i.Start
	a.power.computed(i)
}

// resumes checks that a job resumes from the work that it had done: marks and moves lose nothing
// and add nothing, and a fault or kill alone returns it to less.
func (a *Audit) resumes(i *sim.Interval) {
	j, from := &a.w.Jobs[i.Job], i.Done-i.Work
	slack := float64(1e-9*float64(j.Work)) + 1e-3
	switch back := a.done[i.Job] - from; {
	case a.fell[i.Job] && back > -slack && from > -slack:
		a.lost[i.Job] += back
		if a.shot[i.Job] {
			a.killed[i.Job] += back
		}
	case math.Abs(back) > slack:
		a.fault("I14: job %q resumes at %v from %v of its work, %v were done", j.ID, i.Start, from, a.done[i.Job])
	}
	if i.Work < -slack || i.Done > float64(j.Work)+slack {
		a.fault("I14: job %q did %v at %v-%v and has done %v of %v", j.ID, i.Work, i.Start, i.End, i.Done,
			float64(j.Work))
	}
	a.done[i.Job], a.shot[i.Job] = i.Done, a.kills && i.Reason == end.Preempt
	a.fell[i.Job] = i.Reason == end.Fault || i.Reason == end.OutOfMemory || a.shot[i.Job]
}

// Job implements sim.Observer.
func (a *Audit) Job(r *sim.Record) {
	a.told[r.Job]++
	a.recs[r.Job] = *r
}

// Instant implements sim.Observer.
func (a *Audit) Instant(g *sim.Gauge) {
	if a.any && g.Now <= a.now {
		a.fault("I3: the clock went from %v to %v", a.now, g.Now)
	}
	a.any, a.now = true, g.Now
	if n := g.Busy + g.Free + g.Down; n != a.top.GPUs() {
		a.fault("I1: at %v %d busy + %d free + %d down, the cluster has %d", g.Now, g.Busy, g.Free, g.Down,
			a.top.GPUs())
	}
}

// Close compares the books at the end of the run and gives all that is wrong.
func (a *Audit) Close(e *sim.Engine) error {
	var inSystem, queued [2]uint64
	for id := range a.w.Jobs {
		a.closeJob(sim.JobID(id), e.Now())
		r := &a.recs[id]
		if r.State == sim.Refused || a.told[id] == 0 {
			continue
		}
		add(&inSystem, min(r.End, e.Now())-a.w.Jobs[id].Submit)
		add(&queued, r.Queue)
	}
	jobs, waiting, busy := e.Areas()
	if jobs != inSystem {
		a.fault("Little: the area under jobs in the system is %v, their times add up to %v", jobs, inSystem)
	}
	if waiting != queued {
		a.fault("Little: the area under waiting jobs is %v, their queueing adds up to %v", waiting, queued)
	}
	if byGPU := a.closeGPUs(); byGPU != busy {
		a.fault("I7: GPU-time is %v by GPU, %v by the kernel", byGPU, busy)
	}
	a.closeHosts()
	a.closeInstances()
	a.closeGPUMiB()
	a.closePower(e.Now())
	a.closeServices(e.Now())
	return errors.Join(a.errs...)
}

func add(sum *[2]uint64, t sim.Time) {
	lo, c := bits.Add64(sum[1], uint64(t), 0)
	sum[0], sum[1] = sum[0]+c, lo
}

// closeJob checks one job's life; jobs that never arrived before the horizon are not reported.
func (a *Audit) closeJob(id sim.JobID, end sim.Time) {
	j, r := &a.w.Jobs[id], &a.recs[id]
	if want := 1; a.told[id] != want && (j.Submit <= end || a.told[id] > 0) {
		a.fault("I4: job %q was reported %d times, expected once", j.ID, a.told[id])
	}
	asked := float64(j.Work)
	switch slack := float64(1e-6*asked) + 2; {
	case a.told[id] == 0:
	case (r.State == sim.Done || r.State == sim.Rejected) && r.End-j.Submit != r.Queue+r.Run+r.Overhead:
		a.fault("I8: job %q was %v in the system, queue %v + run %v + overhead %v", j.ID, r.End-j.Submit, r.Queue,
			r.Run, r.Overhead)
	case r.LostRun < 0 || r.LostRun > r.Run || r.Lost > 0 && r.LostRun == 0:
		a.fault("I8: job %q ran %v, and faults and kills undid %v of it, work of %v", j.ID, r.Run, r.LostRun, r.Lost)
	case a.work[id]-float64(r.Lost) > asked+slack:
		a.fault("I6: job %q did %v of %v, %v of it lost", j.ID, a.work[id], asked, r.Lost)
	case r.State == sim.Done && math.Abs(a.work[id]-float64(r.Lost)-asked) > slack:
		a.fault("I6: job %q is done with %v of %v, %v of it lost", j.ID, a.work[id], asked, r.Lost)
	case r.State == sim.Done && (math.Abs(a.done[id]-asked) > slack || math.Abs(a.lost[id]-float64(r.Lost)) > slack):
		a.fault("I14: job %q is done with %v of %v and fell back by %v, its record states %v", j.ID, a.done[id], asked,
			a.lost[id], r.Lost)
	case r.KilledRun < 0 || r.KilledRun > r.LostRun || (r.KilledRun == 0) && a.killed[id] > slack ||
		r.KilledRun > 0 && (!a.kills || r.Preemptions == 0):
		a.fault("I17: job %q lost %v of its running time, %v of it by kills, and fell back by %v after %d preemptions",
			j.ID, r.LostRun, r.KilledRun, a.killed[id], r.Preemptions)
	case r.OutOfMemory != a.outs[id]:
		a.fault("I15: job %q ran out of memory %d times, its record states %d", j.ID, a.outs[id], r.OutOfMemory)
	case a.moves[id] > 0:
		a.fault("I9: job %q gave its GPUs up for others at %v and never got any", j.ID, a.moves[id]-1)
	case r.State == sim.Rejected && (r.End < j.Submit || r.End > end):
		a.fault("I13: job %q was rejected at %v, expected from %v to %v", j.ID, r.End, j.Submit, end)
	case r.State == sim.Refused && a.work[id] > 0:
		a.fault("I4: job %q was refused and ran", j.ID)
	case r.Run != a.run[id] || r.Run+r.Overhead != a.held[id]:
		a.fault("I10: job %q held GPUs for %v and ran %v of it, its record states run %v and overhead %v", j.ID,
			a.held[id], a.run[id], r.Run, r.Overhead)
	}
}

// closeGPUs sweeps over every GPU's intervals: shares do not exceed it. It gives the time in use,
// summed.
func (a *Audit) closeGPUs() (busy sim.Time) {
	type edge struct {
		gpu   cluster.GPU
		at    sim.Time
		share int32 // negative at an end
		job   sim.JobID
	}
	edges := make([]edge, 0, 2*len(a.ints))
	for _, i := range a.ints {
		if i.start < i.end {
			edges = append(edges, edge{i.gpu, i.start, i.share, i.job}, edge{i.gpu, i.end, -i.share, i.job})
		}
	}
	slices.SortFunc(edges, func(x, y edge) int {
		return cmp.Or(cmp.Compare(x.gpu, y.gpu), cmp.Compare(x.at, y.at), cmp.Compare(x.share, y.share))
	})
	used := int32(0)
	for i, e := range edges {
		if used > 0 {
			busy += e.at - edges[i-1].at
		}
		if used += e.share; used > 1000 {
			a.fault("I2: GPU %d has %d thousandths in use at %v, with job %q", e.gpu, used, e.at, a.name(e.job))
		}
	}
	return busy
}
