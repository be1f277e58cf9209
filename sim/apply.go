package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tarry/sim/cluster"
	"tarry/sim/end"
	"tarry/sim/know"
)

// Apply carries out the decisions in order. A decision that breaks a rule is refused with
// an error that names it; the run cannot continue after an error.
func (e *Engine) Apply(ds []Decision) error {
	if e.err != nil {
		return e.err
	}
	e.free.Carry() // most policies plan with what they decide
	e.leftBeside, e.present, e.failed = e.leftBeside[:0], e.present[:0], e.failed[:0]
	for i := range ds {
		if err := e.apply(&ds[i]); err != nil {
			e.free.Settle()
			e.err = fmt.Errorf("at %v: decision %d, %v of %s: %w", e.now, i, ds[i].Kind, e.name(&ds[i]), err)
			return e.err
		}
		e.free.Commit()
	}
	e.free.Settle()
	if e.lifted > 0 {
		e.err = e.aloft()
		return e.err
	}
	if e.moved() {
		if e.err = e.rerate(); e.err != nil {
			return e.err
		}
	}
	e.recycle()
	e.batch = e.batch[:0]
	if len(e.obs) > 0 {
		e.gauge = e.Gauge()
		for _, o := range e.obs {
			o.Instant(&e.gauge)
		}
	}
	if e.cfg.Check {
		e.err = e.Verify()
	}
	return e.err
}

func (e *Engine) name(d *Decision) string {
	switch d.Kind {
	case WakeAt:
		return fmt.Sprintf("timer %d", d.Key)
	case Cordon, Uncordon, PowerOff, PowerOn:
		return fmt.Sprintf("machine %d", d.Machine)
	}
	if d.Job < 0 || int(d.Job) >= len(e.at) {
		return fmt.Sprintf("job number %d", d.Job)
	}
	return fmt.Sprintf("job %q", e.job(d.Job).ID)
}

func (e *Engine) apply(d *Decision) error {
	switch d.Kind {
	case WakeAt:
		return e.wakeAt(d)
	case Cordon, Uncordon:
		if e.operating {
			return e.withhold(d)
		}
		return e.cordon(d)
	case PowerOff:
		return e.powerOff(d)
	case PowerOn:
		return e.powerOn(d)
	}
	if d.Job < 0 || int(d.Job) >= len(e.at) {
		return fmt.Errorf("no such job, expected 0..%d", len(e.at)-1)
	}
	if e.operated() {
		if err := e.permitted(d); err != nil {
			return err
		}
	}
	r := e.of(d.Job)
	if r.out && slices.Contains(e.failed, d.Job) {
		return nil
	}
	want := Running
	if d.Kind == Start || d.Kind == Reject {
		want = Waiting
	}
	if r.state != want {
		return fmt.Errorf("the job is %v, expected %v", r.state, want)
	}
	if r.lifted && d.Kind != Migrate && d.Kind != Resize {
		return errors.New("the job is lifted, expected a migrate or resize of it first")
	}
	if d.Lease < 0 || d.Delay < 0 {
		return fmt.Errorf("lease %v and delay %v, expected >= 0", d.Lease, d.Delay)
	}
	switch d.Kind {
	case Start:
		return e.start(d, r)
	case Preempt:
		switch {
		case e.isReplica(d.Job):
			e.idleReplica(r, end.Preempt)
			return nil
		case e.operating:
			return e.evict(r)
		}
		return e.preempt(r)
	case Migrate, Resize:
		return e.move(d, r)
	case Renew:
		return e.renew(d, r)
	case Tune:
		return e.tune(d, r)
	case Watch:
		return e.watch(d, r)
	case Lift:
		e.lift(r)
		return nil
	case Reject:
		e.reject(r)
		return nil
	}
	return fmt.Errorf("unknown kind %d", d.Kind)
}

func (e *Engine) start(d *Decision, r *run) error {
	j := e.job(d.Job)
	r.share, r.cpu, r.mem, r.gpuMiB = 1000, j.CPUMilli, j.MemMiB, j.GPUMiB
	if j.ShareMilli > 0 {
		r.share = j.ShareMilli
	}
	if err := e.options(d, r); err != nil {
		return err
	}
	if err := e.check(d, r, nil); err != nil {
		return err
	}
	c := e.cfg.Costs.Restore
	if r.start == Never {
		c = e.cfg.Costs.Start
	}
	pause, err := e.cost(c, Start, r, nil, d.GPUs)
	if err != nil {
		return err
	}
	r.queue += e.now - r.since
	if !e.isReplica(r.id) {
		e.waiting--
	}
	r.state = Running
	e.begin(r)
	return e.grant(r, d, pause)
}

// reject takes a waiting job out of the system.
func (e *Engine) reject(r *run) {
	r.queue += e.now - r.since
	r.state = Rejected
	e.waiting--
	e.leave(r)
}

func (e *Engine) renew(d *Decision, r *run) error {
	r.settle(e.now, e.every)
	pause, err := e.cost(e.cfg.Costs.Renew, Renew, r, r.gpus, r.gpus)
	if err != nil {
		return err
	}
	e.pause(r, pause)
	r.predict(e.grid)
	e.lease(r, d.Lease)
	e.schedule(r)
	return nil
}

// check refuses an allocation that the cluster cannot give. GPUs that the job has given up for it
// it may have again, though cordoned.
func (e *Engine) check(d *Decision, r *run, own []cluster.GPU) error {
	j := e.job(d.Job)
	if err := j.runsOn(int32(len(d.GPUs))); err != nil {
		return err
	}
	typ := j.GPUType
	if f := e.free.Of(typ); f == e.free {
		typ = ""
	}
	for i, g := range d.GPUs {
		if g < 0 || int(g) >= len(e.used) {
			return fmt.Errorf("GPU %d does not exist, expected 0..%d", g, len(e.used)-1)
		}
		if i > 0 && d.GPUs[i-1] >= g {
			return fmt.Errorf("GPU %d after %d, expected ascending and each once", g, d.GPUs[i-1])
		}
		m, down := e.top.Machine(g), e.down[g]
		if e.isReplica(d.Job) && e.fleet.withheld[m] {
			down--
		}
		switch {
		case down > 0 && !slices.Contains(own, g):
			return fmt.Errorf("GPU %d is down", g)
		case int32(e.used[g])+r.share > 1000:
			return fmt.Errorf("GPU %d has %d thousandths in use by job %q, %d more were asked", g, e.used[g],
				e.job(e.owner[g]).ID, r.share)
		case typ != "" && !cluster.SameType(e.top.Type(m), typ):
			return fmt.Errorf("GPU %d is of type %q, expected %q", g, e.top.Type(m), typ)
		}
	}
	if err := e.checkInstance(d.GPUs, r, NoJob); err != nil {
		return err
	}
	return e.checkHost(d.GPUs, r)
}

// checkHost refuses an allocation that a machine's CPU or memory cannot carry.
func (e *Engine) checkHost(gpus []cluster.GPU, r *run) error {
	if r.cpu == 0 && r.mem == 0 {
		return nil
	}
	for i := 0; i < len(gpus); {
		m, n := e.top.Machine(gpus[i]), int64(0)
		for ; i < len(gpus) && e.top.Machine(gpus[i]) == m; i++ {
			n++
		}
		if c := e.top.CPUMilli(m); c > 0 && e.cpuUsed[m]+n*int64(r.cpu) > c {
			return fmt.Errorf("machine %d has %d of %d thousandths of CPU in use, %d more were asked", m, e.cpuUsed[m],
				c, n*int64(r.cpu))
		}
		if c := e.top.MemMiB(m); c > 0 && e.memUsed[m]+n*int64(r.mem) > c {
			return fmt.Errorf("machine %d has %d of %d MiB in use, %d more were asked", m, e.memUsed[m], c,
				n*int64(r.mem))
		}
	}
	return nil
}

// preempt stops a job. Its GPUs are free at once, or after the checkpoint if that takes time and
// preemptions do not kill.
func (e *Engine) preempt(r *run) error {
	r.settle(e.now, e.every)
	r.preemptions++
	if e.cfg.Costs.Kill {
		return e.kill(r)
	}
	c, err := Time(0), error(nil)
	if r.run > r.run0 { // nothing to save when it made no progress
		if c, err = e.cost(e.cfg.Costs.Checkpoint, Preempt, r, r.gpus, nil); err != nil {
			return err
		}
	}
	r.saved, r.savedRun, r.savedMark = r.left, r.run, r.passed
	if c == 0 {
		e.release(r, end.Preempt)
		e.wait(r)
		return nil
	}
	e.drain(r, c, Drained)
	return nil
}

// kill stops a job and returns it to its last checkpoint. The error is of kills in vain.
func (e *Engine) kill(r *run) error {
	e.release(r, end.Preempt)
	e.restarted(r)
	r.killedRun += r.run - r.savedRun
	r.fallBack()
	e.wait(r)
	return e.err
}

// drain lets a job hold its GPUs for d, without progress, until it gives them back.
func (e *Engine) drain(r *run, d Time, then EventKind) {
	if r.settled > e.now {
		r.paused -= r.settled - e.now
	}
	e.stop(r)
	r.state = Draining
	e.draining++
	r.settled = e.now
	e.pause(r, d)
	e.events.put(e.at[r.id], r.settled, then)
	e.tellDraw(r)
}

// move changes the GPUs of a running job without a trip through the queue.
func (e *Engine) move(d *Decision, r *run) error {
	c, why := e.cfg.Costs.Migrate, end.Migrate
	if d.Kind == Resize {
		c, why = e.cfg.Costs.Rescale, end.Resize
	} else if len(d.GPUs) != len(r.gpus) {
		return fmt.Errorf("%d GPUs, expected %d as before", len(d.GPUs), len(r.gpus))
	}
	if slices.Equal(d.GPUs, r.gpus) {
		return fmt.Errorf("the job already holds these GPUs, expected others")
	}
	from := r.gpus
	watch, at, leaseEnd, expired := r.watch, r.watchAt, r.leaseEnd, r.expired
	e.release(r, why)
	e.discard(r) // later decisions may name the old GPUs by the slice that View gave
	r.saved, r.savedRun, r.savedMark = r.left, r.run, r.passed
	e.begin(r)
	if err := e.options(d, r); err != nil {
		return err
	}
	if err := e.check(d, r, from); err != nil {
		return err
	}
	if why == end.Migrate {
		r.migrations++
	}
	pause, err := e.cost(c, d.Kind, r, from, d.GPUs)
	if err != nil {
		return err
	}
	if err := e.grant(r, d, pause); err != nil {
		return err
	}
	if r.out {
		return nil
	}
	r.watch, r.watchAt = watch, at
	if d.Lease == 0 { // a move without a new lease keeps the old one
		r.leaseEnd, r.expired = leaseEnd, expired
	}
	e.schedule(r)
	return nil
}

func (e *Engine) watch(d *Decision, r *run) error {
	r.settle(e.now, e.every)
	now := r.run
	switch d.Counter {
	case Service:
		now = r.service
	case Progress:
		if e.view.knows&(know.Done|know.Work|know.Progress) == 0 {
			return errors.New("a watch of progress, expected a policy that declares know.Progress")
		}
		now = Time(math.Floor(e.done(d.Job, r, r.left)))
	}
	if d.Bound <= now {
		return fmt.Errorf("bound %d is not above the counter's %d", d.Bound, now)
	}
	r.watch, r.watchAt = d.Counter, d.Bound
	e.schedule(r)
	return nil
}

func (e *Engine) wakeAt(d *Decision) error {
	if e.operating {
		d.Key = 0
	}
	if d.Key < 0 || d.Key > 1<<10 {
		return fmt.Errorf("key %d, expected 0..1024", d.Key)
	}
	if d.At <= e.now {
		return fmt.Errorf("due at %v, expected after now", d.At)
	}
	if e.operating {
		e.fleet.wake = d.At
		return nil
	}
	for int(d.Key) >= len(e.timers) {
		e.timers = append(e.timers, Never)
	}
	e.timers[d.Key] = d.At
	return nil
}
