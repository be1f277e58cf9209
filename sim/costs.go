package sim

import (
	"errors"
	"fmt"
	"math"
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
	// Start is paid before the first progress, Restore before progress resumes after a preemption or fault.
	Start, Restore Cost
	// Checkpoint keeps the GPUs after a preemption until the state is saved.
	Checkpoint Cost
	// Migrate and Rescale pause the job on its new GPUs.
	Migrate, Rescale Cost
	// Renew pauses a job whose lease is renewed; a renewal without loss costs nothing.
	Renew Cost
	// CheckpointEveryS is the running time between free periodic checkpoints, to which a fault
	// returns the job; 0 = only preemptions, migrations and resizes save progress.
	CheckpointEveryS float64
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
	}{{"start", c.Start}, {"restore", c.Restore}, {"checkpoint", c.Checkpoint}, {"migrate", c.Migrate}, {"rescale", c.Rescale}, {"renew", c.Renew}} {
		check(k.name+"_s", k.c.FixedS)
		check(k.name+"_per_gpu_s", k.c.PerGPUS)
		if b := k.c.BytesPerS; b != 0 && !(b >= 1) || math.IsInf(b, 0) {
			errs = append(errs, fmt.Errorf("cost %s_bytes_per_s is %v, expected 0 (not charged) or a finite number >= 1", k.name, b))
		}
	}
	check("checkpoint_every_s", c.CheckpointEveryS)
	return errors.Join(errs...)
}
