package sim

import (
	"errors"
	"fmt"

	"tarry/sim/end"
)

// special is what few allocations have: knobs that are not the usual ones, and a piece that began with
// a Tune or at a mark. The engine makes a table of them on first use, so that other runs hold no
// memory for it.
type special struct {
	freq, batch, link float64
	path              uint64
	pace              Time
	level             int8
	copies            float64
	accum             int32
	instance          uint8
	phase             Time
	// split is set after a Tune and after a mark; then the marks of the piece since are here, and
	// the marks of the allocation in run.
	split        bool
	since, run0  Time
	work0, comm0 float64
}

// knobs returns the knobs of an allocation.
func (e *Engine) knobs(r *run) Knobs {
	k := Knobs{ShareMilli: r.share, FreqFrac: 1, Batch: 1, CPUMilli: r.cpu, MemMiB: r.mem, GPUMiB: r.gpuMiB,
		LinkWeight: 1}
	if r.special != 0 {
		o := &e.special[r.special-1]
		k.FreqFrac, k.Batch, k.LinkWeight, k.CopyFrac, k.Delay, k.AccumSteps, k.Instance = o.freq, o.batch, o.link,
			o.copies, o.phase, o.accum, o.instance
		k.LinkLevel, k.Path, k.Pace = o.level, o.path, o.pace
	}
	return k
}

// specialOf gives an allocation an entry in the table.
func (e *Engine) specialOf(r *run) *special {
	if r.special == 0 {
		if n := len(e.specialIdle); n > 0 {
			r.special = e.specialIdle[n-1]
			e.specialIdle = e.specialIdle[:n-1]
		} else {
			e.special = append(e.special, special{})
			r.special = int32(len(e.special))
		}
		e.special[r.special-1] = special{freq: 1, batch: 1, link: 1}
	}
	return &e.special[r.special-1]
}

// usual takes the entry back from a job that holds no GPUs any more.
func (e *Engine) usual(r *run) {
	if r.special != 0 {
		e.specialIdle = append(e.specialIdle, r.special)
		r.special = 0
	}
}

// options takes the fields of a decision that are set.
func (e *Engine) options(d *Decision, r *run) error {
	if err := d.valid(); err != nil {
		return err
	}
	if d.ShareMilli > 0 {
		r.share = d.ShareMilli
	}
	if d.CPUMilli > 0 {
		r.cpu = d.CPUMilli
	}
	if d.MemMiB > 0 {
		r.mem = d.MemMiB
	}
	if d.GPUMiB > 0 {
		r.gpuMiB = d.GPUMiB
	}
	if d.FreqFrac == 0 && d.Batch == 0 && d.LinkWeight == 0 && d.CopyFrac == 0 && d.AccumSteps == 0 &&
		d.Instance == 0 && d.Delay == 0 && d.LinkLevel == 0 && d.Path == 0 && d.Pace == 0 && r.special == 0 {
		return nil
	}
	o := e.specialOf(r)
	if d.FreqFrac > 0 {
		o.freq = d.FreqFrac
	}
	if d.Batch > 0 {
		o.batch = d.Batch
	}
	if d.AccumSteps > 0 {
		o.accum = d.AccumSteps
	}
	o.network(&d.Knobs)
	if d.CopyFrac > 0 {
		o.copies = d.CopyFrac
	}
	if d.Instance > 0 {
		o.instance = d.Instance
	}
	if d.Delay > 0 || d.Kind != Tune {
		o.phase = d.Delay
	}
	if o.copies > 0 && r.share < 1000 {
		return errSharedCopies
	}
	return nil
}

// network takes the knobs of shared links that are set.
func (o *special) network(d *Knobs) {
	if d.LinkWeight > 0 {
		o.link = d.LinkWeight
	}
	if d.LinkLevel > 0 {
		o.level = d.LinkLevel
	}
	if d.Path != 0 {
		o.path = d.Path
	}
	if d.Pace > 0 {
		o.pace = d.Pace
	}
}

// tune changes knobs in place. What came before is an interval of its own.
func (e *Engine) tune(d *Decision, r *run) error {
	r.settle(e.now, e.every)
	old := e.knobs(r)
	e.charge(r, -1)
	if err := e.options(d, r); err != nil {
		return err
	}
	for _, g := range r.gpus {
		if int32(e.used[g])-old.ShareMilli+r.share > 1000 {
			return fmt.Errorf("GPU %d has %d thousandths in use, a share of %d does not fit", g, e.used[g], r.share)
		}
	}
	if err := errors.Join(e.checkHost(r.gpus, r), e.checkInstance(r.gpus, r, d.Job)); err != nil {
		return err
	}
	e.charge(r, 1)
	for _, g := range r.gpus {
		e.used[g] += int16(r.share - old.ShareMilli)
	}
	pause, err := e.cost(Cost{}, Tune, r, r.gpus, r.gpus)
	if err != nil {
		return err
	}
	if old != e.knobs(r) {
		e.split(d.Job, r, e.now, end.Tune, &old)
	}
	e.pause(r, pause+d.Delay)
	if (r.gpuMiB > old.GPUMiB || e.instance(r) != old.Instance) && e.overfull(r) {
		if e.isReplica(d.Job) {
			return fmt.Errorf("the replica needs %d MiB of each GPU, which one of %v does not have left", r.gpuMiB, r.gpus)
		}
		if e.coupled != nil {
			e.coupled.Remove(d.Job)
		}
		e.runOut(r)
		return nil
	}
	if e.coupled != nil && !e.isReplica(d.Job) {
		if err := e.replug(e.query(d.Job, r, r.gpus), pause+d.Delay); err != nil {
			return err
		}
	}
	e.touched = append(e.touched, d.Job)
	e.jostle(r)
	return nil
}

// split ends an interval in the middle of an allocation, unless none has passed.
func (e *Engine) split(id JobID, r *run, at Time, why end.Reason, was *Knobs) {
	if o := e.specialOf(r); r.since >= at || o.split && o.since >= at {
		return
	}
	e.interval(id, at, why, was)
	o := e.specialOf(r)
	o.split, o.since, o.run0, o.work0, o.comm0 = true, at, r.run, r.left, r.comm
}
