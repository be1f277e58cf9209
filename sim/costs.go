package sim

import (
	"errors"
	"fmt"
	"math"

	"tarry/sim/cluster"
)

// Cost is the time that one kind of change takes: Fixed + PerGPU x GPUs + model bytes / Bandwidth.
// The zero value costs nothing.
type Cost struct {
	// FixedS is in seconds, PerGPUS in seconds per GPU held.
	FixedS, PerGPUS float64
	// BytesPerS is the storage bandwidth for the model's state; 0 = that term is not charged.
	BytesPerS float64
}

// Costs are the times that changes take. Each may be zero.
type Costs struct {
	// Start is paid before the first progress, Restore before progress resumes after a preemption
	// or fault.
	Start, Restore Cost
	// Checkpoint keeps the GPUs after a preemption until the state is saved.
	Checkpoint Cost
	// Migrate and Rescale pause the job on its new GPUs.
	Migrate, Rescale Cost
	// Renew pauses a job whose lease is renewed; a renewal without loss costs nothing.
	Renew Cost
	// Of gives the time of each change in place of the formulas of changes, such as a table by
	// model and number of GPUs; nil = the formulas. It must be a function of its argument, which it
	// must not keep, and give 0 to 1e9 s.
	Of func(c *Change) Time
	// OutOfMemory is how long a job that runs out of memory of a GPU holds its GPUs before it
	// fails; at least a microsecond passes. Of does not price it.
	OutOfMemory Cost
	// CheckpointEveryS is the running time between free periodic checkpoints, to which a fault
	// returns the job; 0 = only preemptions, migrations and resizes save progress.
	CheckpointEveryS float64
	// Kill lets a preemption kill: the GPUs are free at once, neither Checkpoint nor Of is charged,
	// and the work since the last checkpoint is lost, as by a fault. false = it saves the progress.
	Kill bool
}

// Change is what Costs.Of prices.
type Change struct {
	// Kind is Start, Preempt (the GPUs stay held so long), Migrate, Resize, Renew or Tune (free
	// without Of).
	Kind DecisionKind
	// Again is set for a Start of a job that has run before: it restores its state.
	Again bool
	Job   *Job
	ID    JobID
	// From and To are the GPUs before and after: none before a Start and after a Preempt, the same
	// for Renew and Tune.
	From, To []cluster.GPU
	// Knobs are those after the change; of a Preempt those before.
	Knobs
}

// cost is the time that a change takes, with the formula's part where there is no Of.
func (e *Engine) cost(c Cost, kind DecisionKind, r *run, from, to []cluster.GPU) (Time, error) {
	if e.isReplica(r.id) {
		return e.startOf(r.id, kind), nil
	}
	if e.cfg.Costs.Of != nil {
		return e.priced(kind, r, from, to)
	}
	if c == (Cost{}) {
		return 0, nil
	}
	gpus := len(to)
	if kind == Preempt {
		gpus = len(from)
	}
	return e.formula(c, r, gpus), nil
}

// formula is a cost of a job on so many GPUs.
func (e *Engine) formula(c Cost, r *run, gpus int) Time {
	var bytes int64
	if e.cfg.ModelBytes != nil {
		bytes = e.cfg.ModelBytes(e.job(r.id).Model)
	}
	return c.time(gpus, bytes)
}

// Formula is the time of a change by the six formulas, which Of may fall back to; bytes is the size
// of the job's model.
func (c *Costs) Formula(ch *Change, bytes int64) Time {
	of, gpus := Cost{}, len(ch.To)
	switch ch.Kind {
	case Start:
		if of = c.Start; ch.Again {
			of = c.Restore
		}
	case Preempt:
		of, gpus = c.Checkpoint, len(ch.From)
	case Migrate:
		of = c.Migrate
	case Resize:
		of = c.Rescale
	case Renew:
		of = c.Renew
	}
	return of.time(gpus, bytes)
}

// priced asks Costs.Of.
func (e *Engine) priced(kind DecisionKind, r *run, from, to []cluster.GPU) (Time, error) {
	e.change = Change{Kind: kind, Again: kind == Start && r.start != Never, Job: e.job(r.id), ID: r.id, From: from,
		To: to, Knobs: e.knobs(r)}
	t := e.cfg.Costs.Of(&e.change)
	if t < 0 || t > Seconds(maxCost) {
		return 0, fmt.Errorf("the cost is %v, expected 0..1e9 s", t)
	}
	return t, nil
}

func (c Cost) time(gpus int, bytes int64) Time {
	s := c.FixedS + float64(c.PerGPUS*float64(gpus))
	if c.BytesPerS > 0 {
		s += float64(bytes) / c.BytesPerS
	}
	return Seconds(s)
}

// maxCost bounds a cost, about 30 years: sums of such times stay far from overflow.
const maxCost = 1e9

// Validate reports every cost that is not in 0..1e9 seconds, and every bandwidth that is neither
// 0 nor at least a byte per second.
func (c Costs) Validate() error {
	var errs []error
	check := func(field string, v float64) {
		if !(v >= 0 && v <= maxCost) {
			errs = append(errs, fmt.Errorf("cost %s is %v, expected 0..1e9 seconds", field, v))
		}
	}
	for _, k := range [...]struct {
		name string
		c    Cost
	}{{"start", c.Start}, {"restore", c.Restore}, {"checkpoint", c.Checkpoint}, {"migrate", c.Migrate},
		{"rescale", c.Rescale}, {"renew", c.Renew}, {"oom", c.OutOfMemory}} {
		check(k.name+"_s", k.c.FixedS)
		check(k.name+"_per_gpu_s", k.c.PerGPUS)
		if b := k.c.BytesPerS; b != 0 && !(b >= 1) || math.IsInf(b, 0) {
			errs = append(errs, fmt.Errorf("cost %s_bytes_per_s is %v, expected 0 (not charged) or a finite "+
				"number >= 1", k.name, b))
		}
	}
	check("checkpoint_every_s", c.CheckpointEveryS)
	return errors.Join(errs...)
}
