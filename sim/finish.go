package sim

import (
	"errors"
	"fmt"
	"slices"

	"tarry/sim/cluster"
	"tarry/sim/end"
)

// end closes the run: what still runs is settled and reported.
func (e *Engine) end(next Time) {
	e.ended = true
	if next != Never {
		e.advance(e.cfg.Until)
	}
	e.closeServices()
	for id := range JobID(e.next) {
		r := e.of(id)
		switch r.state {
		case Running, Draining:
			e.release(r, end.Horizon)
		case Waiting:
			r.queue += e.now - r.since
			e.waiting--
		default:
			continue
		}
		e.inSystem--
		e.tell(id)
	}
}

// tell hands the job's record to the observers.
func (e *Engine) tell(id JobID) {
	if len(e.obs) == 0 {
		return
	}
	e.observedRecord = e.Record(id)
	for _, o := range e.obs {
		o.Job(&e.observedRecord)
	}
}

// Record is the life of a job so far. Where jobs are streamed only the state is left of a job that
// ended at an earlier instant.
func (e *Engine) Record(id JobID) Record {
	s := e.at[id]
	if (s == rowDone || s == rowRejected) && e.past != nil {
		return e.past[id]
	}
	r := e.runs[s].record()
	r.Job = id
	return r
}

// record is the life of the run's job so far.
func (r *run) record() Record {
	return Record{Job: r.id, State: r.state, Start: r.start, End: r.end, Queue: r.queue, Run: r.run, Overhead: r.paused,
		Comm: Time(r.comm + 0.5), Lost: Time(r.lost + 0.5), LostRun: r.lostRun, KilledRun: r.killedRun,
		Preemptions: r.preemptions, Migrations: r.migrations,
		Faults: r.faults, Allocations: r.allocations, ByLevel: r.byLevel, Level: r.level, OutOfMemory: r.outs}
}

// Now is the simulated time reached.
func (e *Engine) Now() Time { return e.now }

// Events is the number of events processed so far.
func (e *Engine) Events() int64 { return e.nEvents }

// Gauge is the present state of the cluster.
func (e *Engine) Gauge() Gauge {
	return Gauge{Now: e.now, Busy: e.busy, Free: e.free.Total(), Down: e.downGPUs, Waiting: e.waiting,
		Running: len(e.running) + e.draining, Largest: e.free.Largest(cluster.LevelMachine)}
}

// Areas are the integrals over time of jobs in the system, of jobs waiting, and of busy GPUs, up to
// Now. By Little's law the first is the sum of the times that jobs spent in the system: exactly,
// since time is an integer. The first two are 128-bit numbers (hi, lo) in job-microseconds; busy is
// in GPU-microseconds.
func (e *Engine) Areas() (jobs, waiting [2]uint64, busy Time) {
	return [2]uint64{e.areaJobs.hi, e.areaJobs.lo}, [2]uint64{e.areaWait.hi, e.areaWait.lo}, e.busyArea
}

// Verify checks every invariant of the present state and names the first that is broken:
//
//	I1 GPUs are conserved: busy + free + down = all.
//	I2 no GPU is given out beyond its capacity, and shares add up.
//	I3 the clock never runs backwards, and no event lies in the past.
//	I4 every arrival is in exactly one state, and the counts agree.
//	I5 no job holds GPUs before its arrival.
//	I6 work done never exceeds work asked.
//	I7 GPU-time by job equals GPU-time by GPU.
//	I8 a job's time in the system is queue + run + overhead, and what faults and kills undid is part of run.
//	I9 no job is lifted between instants: a move that gives GPUs up gets GPUs at the same instant.
//	I12 a job holds a number of GPUs in its range, a multiple of its worker's.
//	I13 a rejected job has left the system, and nothing brings it back.
//	I14 a job that runs is between two marks of a progressive model: work done across marks is work asked.
//	I15 the memory that jobs hold of a GPU is never more than it has; one that has run out of it holds none.
//	I16 the instances in use on a GPU may exist beside one another, no job uses it without one then, and the jobs in each have at most its share and memory.
//	I17 what kills undid is part of what was lost, and 0 where preemptions save; no job that is killed holds its GPUs on.
//	I18 a machine that is not on holds no job, and its boot ends later.
//	I20 of each service arrived = served + backlog, good <= arrived, and its speed is the sum of its replicas'.
//	I21 a machine that is not lent holds no job, and GPUs with replicas are counted.
//
// I10 and I11 need what observers receive: simtest.Audit checks them, and I13 and I14 over time.
func (e *Engine) Verify() error {
	if n := e.busy + e.free.Total() + e.downGPUs; n != e.top.GPUs() {
		return fmt.Errorf("I1: %d busy + %d free + %d down = %d GPUs, the cluster has %d", e.busy, e.free.Total(),
			e.downGPUs, n, e.top.GPUs())
	}
	if e.events.next() <= e.now && e.events.next() != Never {
		return fmt.Errorf("I3: an event at %v is not after the clock at %v", e.events.next(), e.now)
	}
	used := make([]int32, e.top.GPUs())
	if err := e.verifyServices(used); err != nil {
		return err
	}
	var count [Rejected + 1]int
	for id := range JobID(e.total) {
		r := e.of(id)
		count[r.state]++
		if s := e.at[id]; s < rows {
			if err := e.verifyPast(id, s); err != nil {
				return err
			}
			continue
		}
		if err := e.verifyJob(id, r); err != nil {
			return err
		}
		for _, g := range r.gpus {
			used[g] += r.share
		}
	}
	for g, u := range used {
		if u != int32(e.used[g]) || u > 1000 {
			return fmt.Errorf("I2: GPU %d has %d thousandths by job, %d by GPU, at most 1000", g, u, e.used[g])
		}
		if (u == 0 && e.down[g] == 0) != e.free.Has(cluster.GPU(g)) {
			return fmt.Errorf("I2: GPU %d has %d thousandths in use, down %d, free %v", g, u, e.down[g],
				e.free.Has(cluster.GPU(g)))
		}
	}
	if e.lifted != 0 {
		return fmt.Errorf("I9: %d jobs are lifted between instants", e.lifted)
	}
	if err := errors.Join(e.verifyHosts(), e.verifyGPUMiB(), e.verifyInstances(), e.verifyPower()); err != nil {
		return err
	}
	if count[Waiting] != e.waiting || count[Running] != len(e.running) || count[Draining] != e.draining ||
		e.inSystem != count[Waiting]+count[Running]+count[Draining] || count[Pending] != e.total-e.next {
		return fmt.Errorf("I4: states %v do not add up: %d waiting, %d running, %d draining, %d in the system", count,
			e.waiting, len(e.running), e.draining, e.inSystem)
	}
	return nil
}

// verifyHosts checks that CPU and memory by machine are what the jobs on it hold, and fit.
func (e *Engine) verifyHosts() error {
	cpu, mem := make([]int64, e.top.Machines()), make([]int64, e.top.Machines())
	odds := 0
	for s := range e.runs {
		r := &e.runs[s]
		odds += int(min(r.special, 1))
		for _, g := range r.gpus {
			cpu[e.top.Machine(g)] += int64(r.cpu)
			mem[e.top.Machine(g)] += int64(r.mem)
		}
	}
	if odds != len(e.special)-len(e.specialIdle) {
		return fmt.Errorf("I2: %d allocations have knobs of their own, the table holds %d", odds,
			len(e.special)-len(e.specialIdle))
	}
	for m := range cpu {
		if cpu[m] != e.cpuUsed[m] || mem[m] != e.memUsed[m] ||
			e.top.CPUMilli(m) > 0 && cpu[m] > e.top.CPUMilli(m) || e.top.MemMiB(m) > 0 && mem[m] > e.top.MemMiB(m) {
			return fmt.Errorf("I2: machine %d has %d thousandths of CPU and %d MiB by job, %d and %d by machine, of "+
				"%d and %d",
				m, cpu[m], mem[m], e.cpuUsed[m], e.memUsed[m], e.top.CPUMilli(m), e.top.MemMiB(m))
		}
	}
	return nil
}

func (e *Engine) verifyJob(id JobID, r *run) error {
	j := e.job(id)
	holds := r.state == Running || r.state == Draining
	switch {
	case r.lifted:
		return fmt.Errorf("I9: job %q is lifted between instants", j.ID)
	case holds != (len(r.gpus) > 0):
		return fmt.Errorf("I2: job %q is %v and holds %d GPUs", j.ID, r.state, len(r.gpus))
	case holds && j.runsOn(int32(len(r.gpus))) != nil:
		return fmt.Errorf("I12: job %q holds %w", j.ID, j.runsOn(int32(len(r.gpus))))
	case r.start < j.Submit || holds && r.since < j.Submit:
		return fmt.Errorf("I5: job %q started at %v, submitted at %v", j.ID, r.start, j.Submit)
	case r.state == Rejected && (r.end != e.now || r.special != 0 || e.events.pos[e.at[id]] != 0 ||
		!slices.Contains(e.leaving, id)):
		return fmt.Errorf("I13: job %q was rejected at %v, and is still in the system", j.ID, r.end)
	case r.left < 0 || r.left > float64(j.Work) || r.saved < r.left-1e-6:
		return fmt.Errorf("I6: job %q has %v of %v left, %v saved", j.ID, r.left, j.Work, r.saved)
	case r.state == Running && !slices.Contains(e.running, id):
		return fmt.Errorf("I4: job %q runs but is not listed", j.ID)
	case r.killedRun < 0 || r.killedRun > r.lostRun || r.killedRun > 0 && !e.cfg.Costs.Kill ||
		e.cfg.Costs.Kill && r.state == Draining && !r.out:
		return fmt.Errorf("I17: job %q is %v and lost %v of its running time, %v of that by kills", j.ID, r.state,
			r.lostRun, r.killedRun)
	case r.savedRun < 0 || r.savedRun > r.run || r.lostRun < 0 || r.lostRun > r.run:
		return fmt.Errorf("I8: job %q ran %v, of that %v until the last checkpoint and %v lost", j.ID, r.run,
			r.savedRun, r.lostRun)
	}
	if e.progressive != nil && r.state == Running {
		if err := e.verifyMark(j, r); err != nil {
			return err
		}
	}
	if rec := r.record(); !rec.adds(j.Submit) {
		return e.astray(&rec)
	}
	return nil
}

// verifyPast checks what is kept of a job that has no row of its own.
func (e *Engine) verifyPast(id JobID, row int32) error {
	if e.past == nil || row != rowDone && row != rowRejected {
		return nil
	}
	p := &e.past[id]
	if (row == rowRejected) != (p.State == Rejected) {
		return fmt.Errorf("I13: job %q is %v, and its record states %v", e.job(id).ID, e.runs[row].state, p.State)
	}
	if !p.adds(e.job(id).Submit) {
		return e.astray(p)
	}
	return nil
}

// adds reports whether the time in the system of a job that is done or rejected is the sum of its
// parts.
func (r *Record) adds(submit Time) bool {
	return r.State != Done && r.State != Rejected || r.End-submit == r.Queue+r.Run+r.Overhead
}

func (e *Engine) astray(r *Record) error {
	j := e.job(r.Job)
	return fmt.Errorf("I8: job %q was %v in the system, queue %v + run %v + overhead %v", j.ID, r.End-j.Submit,
		r.Queue, r.Run, r.Overhead)
}
