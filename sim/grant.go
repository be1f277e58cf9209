package sim

import (
	"fmt"
	"math/bits"

	"tarry/sim/cluster"
	"tarry/sim/end"
)

// grant gives checked GPUs to a job and starts its clock after pause.
func (e *Engine) grant(r *run, d *Decision, pause Time) error {
	e.hold(r, d.GPUs)
	if e.isReplica(r.id) {
		e.lodge(r.gpus, 1)
	}
	e.occupy(r.id, r.gpus, r.share)
	e.charge(r, 1)
	r.level = e.top.LevelOf(r.gpus)
	r.byLevel[r.level]++
	r.allocations++
	r.since = e.now
	r.settled = e.now
	e.pause(r, pause+d.Delay)
	r.ckpt0 = r.settled
	r.work0, r.comm0, r.run0 = r.left, r.comm, r.run
	if r.special != 0 {
		e.special[r.special-1].split = false
	}
	e.lease(r, d.Lease)
	if r.start == Never {
		r.start = e.now
	}
	if e.overfull(r) {
		if e.isReplica(r.id) {
			return fmt.Errorf("the replica needs %d MiB of each GPU, which one of %v does not have left", r.gpuMiB, d.GPUs)
		}
		e.runOut(r)
		return nil
	}
	if err := e.speed(r); err != nil {
		return err
	}
	e.jostle(r)
	e.schedule(r)
	return nil
}

// hold copies an allocation, into memory of a job that ended where there is some: in the long
// run a grant then allocates nothing. Capacities are powers of two; spare[k] holds lists of 1<<k.
func (e *Engine) hold(r *run, gpus []cluster.GPU) {
	if k := bits.Len(uint(len(gpus) - 1)); cap(r.gpus) < len(gpus) {
		e.discard(r)
		if n := len(e.spare[k]); n > 0 {
			r.gpus = e.spare[k][n-1]
			e.spare[k] = e.spare[k][:n-1]
		} else {
			r.gpus = make([]cluster.GPU, 0, 1<<k)
		}
	}
	r.gpus = append(r.gpus[:0], gpus...)
}

// discard gives the memory of an allocation back. It is used again only after the decisions of the
// instant, which may name allocations by the slices that View gave.
func (e *Engine) discard(r *run) {
	if cap(r.gpus) > 0 {
		e.spent = append(e.spent, r.gpus[:0])
		r.gpus = nil
	}
}

// recycle makes discarded memory available.
func (e *Engine) recycle() {
	for _, s := range e.spent {
		k := bits.Len(uint(cap(s))) - 1
		e.spare[k] = append(e.spare[k], s)
	}
	e.spent = e.spent[:0]
}

// pause holds progress back by d from now on (or from the end of an earlier pause).
func (e *Engine) pause(r *run, d Time) {
	r.settled += d
	r.paused += d
	e.idle.longest = max(e.idle.longest, d)
}

func (e *Engine) lease(r *run, d Time) {
	r.expired, r.leaseEnd = false, Never
	if d > 0 {
		r.leaseEnd = e.now.add(d)
	}
}

// occupy books a share of GPUs: all at once if they are unused and up.
func (e *Engine) occupy(id JobID, gpus []cluster.GPU, share int32) {
	for _, g := range gpus {
		if e.used[g] != 0 || e.down[g] != 0 {
			for _, g := range gpus {
				e.join(id, g, share)
			}
			return
		}
	}
	e.free.TakeAll(gpus)
	e.busy += len(gpus)
	for _, g := range gpus {
		e.owner[g] = id
		e.used[g] += int16(share)
	}
}

// join books a share of a GPU.
func (e *Engine) join(id JobID, g cluster.GPU, share int32) {
	if e.used[g] == 0 {
		if e.down[g] == 0 {
			e.free.Take(g)
		} else { // it was the job's own before a cordon
			e.downGPUs--
		}
		e.owner[g] = id
		e.busy++
	} else {
		e.mates.add(int(g), len(e.used), e.owner[g], id)
	}
	e.used[g] += int16(share)
}

// vacate gives a share of GPUs back: all at once if they are up and not shared.
func (e *Engine) vacate(id JobID, gpus []cluster.GPU, share int32) {
	for _, g := range gpus {
		if e.down[g] != 0 || e.mates.many > 0 {
			for _, g := range gpus {
				e.quit(id, g, share)
			}
			return
		}
	}
	e.free.ReleaseAll(gpus)
	e.busy -= len(gpus)
	for _, g := range gpus {
		e.owner[g] = NoJob
		e.used[g] -= int16(share)
	}
}

// quit gives a share of a GPU back.
func (e *Engine) quit(id JobID, g cluster.GPU, share int32) {
	e.used[g] -= int16(share)
	if e.mates.of(int(g)) != 0 {
		e.owner[g] = e.mates.drop(int(g), id)
		return
	}
	e.owner[g] = NoJob
	e.busy--
	if e.down[g] == 0 {
		e.free.Release(g)
	} else {
		e.downGPUs++
	}
}

// charge books (sign +1) or returns (-1) CPU and memory of the job's machines, and GPU memory.
func (e *Engine) charge(r *run, sign int64) {
	e.load(r, sign)
	if r.cpu == 0 && r.mem == 0 {
		return
	}
	for _, g := range r.gpus {
		m := e.top.Machine(g)
		e.cpuUsed[m] += sign * int64(r.cpu)
		e.memUsed[m] += sign * int64(r.mem)
	}
}

// release takes a job's GPUs away and informs the observers of the allocation.
func (e *Engine) release(r *run, why end.Reason) {
	e.halt(r)
	if r.out {
		why = end.OutOfMemory
	}
	if len(e.obs) > 0 {
		k := e.knobs(r)
		e.interval(r.id, e.now, why, &k)
	}
	if r.lifted {
		r.lifted = false
		e.lifted--
	} else {
		e.vacateAll(r)
		if r.state == Draining {
			e.draining--
		} else {
			e.stop(r)
		}
	}
	r.gpus = r.gpus[:0]
	if e.isReplica(r.id) {
		e.recount(r)
	}
	e.tellDraw(r)
	r.leaseEnd, r.watchAt, r.expired, r.out = Never, Never, false, false
	r.aimless()
	e.free.Commit()
}

// halt books a job's progress up to now and ends its pause.
func (e *Engine) halt(r *run) {
	r.settle(e.now, e.every)
	if r.settled > e.now { // stopped in the middle of a pause
		r.paused -= r.settled - e.now
		r.settled = e.now
	}
}

// vacateAll gives back all that a job holds, and marks the jobs beside it to be asked again.
func (e *Engine) vacateAll(r *run) {
	e.events.put(e.at[r.id], Never, Finish)
	e.charge(r, -1)
	e.vacate(r.id, r.gpus, r.share)
	if e.isReplica(r.id) {
		e.lodge(r.gpus, -1)
	}
	if e.coupled != nil {
		e.coupled.Remove(r.id)
	}
	if e.mates.many == 0 && r.share == 1000 {
		return
	}
	n := len(e.touched)
	e.jostle(r)
	e.leftBeside = append(e.leftBeside, e.touched[n:]...)
}

func (e *Engine) interval(id JobID, end Time, why end.Reason, k *Knobs) {
	if len(e.obs) == 0 {
		return
	}
	r := e.of(id)
	since, run0, work0, comm0 := r.since, r.run0, r.work0, r.comm0
	if r.special != 0 && e.special[r.special-1].split {
		o := &e.special[r.special-1]
		since, run0, work0, comm0 = o.since, o.run0, o.work0, o.comm0
	}
	run := r.run - run0
	i := &e.observedInterval
	*i = Interval{Job: id, GPUs: r.gpus, Level: r.level, Start: since, End: end, Work: work0 - r.left,
		Done: e.done(id, r, r.left), Run: run, Knobs: *k, Reason: why}
	if run > 0 {
		i.CommFrac = (r.comm - comm0) / float64(run)
	}
	if e.isReplica(id) {
		for _, o := range e.servers {
			o.Replica(i)
		}
		return
	}
	for _, o := range e.obs {
		o.Interval(i)
	}
}

// begin and stop keep the list of running jobs.
func (e *Engine) begin(r *run) {
	l := e.listOf(r.id)
	r.at = int32(len(*l))
	*l = append(*l, r.id)
}

func (e *Engine) stop(r *run) {
	l, p := e.listOf(r.id), r.at
	n := len(*l) - 1
	last := (*l)[n]
	(*l)[p] = last
	e.of(last).at = p
	*l = (*l)[:n]
	r.at = -1
}

// listOf is the list of running jobs, or of replicas.
func (e *Engine) listOf(id JobID) *[]JobID {
	if e.isReplica(id) {
		return &e.fleet.up
	}
	return &e.running
}
