package sim

import (
	"fmt"
)

// Knobs are what a policy may set of an allocation besides its GPUs. In a Decision a zero leaves a
// value as it is: the present allocation's, or at a Start the job's own. They are embedded,
// so that d.ShareMilli is a field of a Decision, q.Batch one of a Query.
type Knobs struct {
	// ShareMilli is the part of each GPU held, in thousandths; the job's own is the whole where the
	// trace states nothing.
	ShareMilli int32
	// FreqFrac is the GPU clock relative to nominal; a job's own is 1.
	FreqFrac float64
	// Batch is the batch size relative to the job's own.
	Batch float64
	// AccumSteps is the number of micro-batches per update (gradient accumulation), >= 1; a job's
	// own is 0: the speed model's own rule.
	AccumSteps int32
	// CPUMilli and MemMiB are given per GPU. The sums on a machine stay within what it has.
	CPUMilli, MemMiB int32
	// GPUMiB is the memory used of each GPU in MiB; 0 = not known, a job's own is what it needs.
	// Where the cluster states what GPUs have, it counts against that; what a job needs beyond it
	// is in host memory, which speed models may read.
	GPUMiB int32
	// LinkWeight is the job's weight where it shares links, for coupled speed models that read it; a
	// job's own is 1.
	LinkWeight float64
	// LinkLevel is the job's strict priority on shared links, for coupled speed models that read it:
	// a higher level is served first; a job's own is 0, the common and lowest one.
	LinkLevel int8
	// Path is the set of paths between racks that the job's traffic is divided over: bit i stands
	// for path i of View.Paths. A job's own is 0: the network's choice.
	Path uint64
	// Pace makes each iteration begin at a multiple of Pace after the Delay; 0, or a microsecond,
	// which ends another pace, = as soon as the one before has ended. Speed models without phases do
	// not read it.
	Pace Time
	// CopyFrac makes an allocation independent copies of the job, one on the GPUs of each of its
	// machines, where a gang would be one: each copy runs as a gang of its own, nothing is
	// exchanged between machines, and the sum of their progress counts, times CopyFrac in (0, 1]
	// where there are several. A job's own is 0: one gang. Copies hold whole GPUs; only a new Start
	// makes them a gang again.
	CopyFrac float64
	// Instance is an instance of the GPU (MIG): 1 + the index of its placement in
	// cluster.Topology.MIG of the machine; a job's own is 0, the GPU as it is, and so is where no
	// instance is in use. Shares stay parts of the GPU: shares in one instance are together at most
	// what it has of the GPU's compute slices, so that a Start in one states its share. Jobs in an
	// instance are on one GPU; only a new Start takes a job out of instances.
	Instance uint8
	// Delay holds back progress from the decision on: a phase shift, which speed models may
	// read; 0 = none. It belongs to one decision, so that a move without one ends it.
	Delay Time
}

// Scaled is the speed by share, clock and batch of a job whose rate and compute fraction, in (0, 1],
// were measured at 1 of each: compute takes batch / clock times as long, exposed communication as
// long as before. A zero stands for 1. With clock and batch 1 the fraction stays to the last bit.
func (k *Knobs) Scaled(rate, frac float64) Speed {
	share, clock, batch := 1.0, 1.0, 1.0
	if k.ShareMilli > 0 {
		share = float64(k.ShareMilli) / 1000
	}
	if k.FreqFrac > 0 {
		clock = k.FreqFrac
	}
	if k.Batch > 0 {
		batch = k.Batch
	}
	if clock == 1 && batch == 1 {
		return Speed{Rate: float64(rate * share), ComputeFrac: frac}
	}
	exposed := 1/frac - 1
	compute := batch / clock
	total := compute + exposed
	return Speed{Rate: rate * share * batch * (1 + exposed) / total, ComputeFrac: compute / total}
}

// With gives the knobs after the fields of set that are not zero have changed.
func (k Knobs) With(set *Knobs) Knobs {
	if set.ShareMilli != 0 {
		k.ShareMilli = set.ShareMilli
	}
	if set.FreqFrac != 0 {
		k.FreqFrac = set.FreqFrac
	}
	if set.Batch != 0 {
		k.Batch = set.Batch
	}
	if set.AccumSteps != 0 {
		k.AccumSteps = set.AccumSteps
	}
	if set.CPUMilli != 0 {
		k.CPUMilli = set.CPUMilli
	}
	if set.MemMiB != 0 {
		k.MemMiB = set.MemMiB
	}
	if set.GPUMiB != 0 {
		k.GPUMiB = set.GPUMiB
	}
	if set.LinkWeight != 0 {
		k.LinkWeight = set.LinkWeight
	}
	if set.LinkLevel != 0 {
		k.LinkLevel = set.LinkLevel
	}
	if set.Path != 0 {
		k.Path = set.Path
	}
	if set.Pace != 0 {
		k.Pace = set.Pace
	}
	if set.CopyFrac != 0 {
		k.CopyFrac = set.CopyFrac
	}
	if set.Instance != 0 {
		k.Instance = set.Instance
	}
	if set.Delay != 0 {
		k.Delay = set.Delay
	}
	return k
}

// valid refuses knobs that no decision may set.
func (k *Knobs) valid() error {
	if k.ShareMilli < 0 || k.ShareMilli > 1000 || !(k.FreqFrac >= 0) || !(k.Batch >= 0) || k.CPUMilli < 0 ||
		k.MemMiB < 0 || k.GPUMiB < 0 || !(k.LinkWeight >= 0) {
		return fmt.Errorf("share %d, frequency %v, batch %v, cpu %d, memory %d, GPU memory %d, link weight %v: "+
			"expected a share of 0..1000 and no negative numbers",
			k.ShareMilli, k.FreqFrac, k.Batch, k.CPUMilli, k.MemMiB, k.GPUMiB, k.LinkWeight)
	}
	if !(k.CopyFrac >= 0 && k.CopyFrac <= 1) {
		return fmt.Errorf("a part of %v of the progress of copies counts, expected 0..1", k.CopyFrac)
	}
	if k.LinkLevel < 0 || k.Pace < 0 {
		return fmt.Errorf("link level %d, pace %v, expected >= 0", k.LinkLevel, k.Pace)
	}
	if k.AccumSteps < 0 {
		return fmt.Errorf("%d micro-batches per update, expected >= 0 (0 = as it is)", k.AccumSteps)
	}
	return nil
}

// knobs returns the knobs of a Start that sets none.
func (j *Job) knobs() Knobs {
	k := Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1, CPUMilli: j.CPUMilli, MemMiB: j.MemMiB, GPUMiB: j.GPUMiB,
		LinkWeight: 1}
	if j.ShareMilli > 0 {
		k.ShareMilli = j.ShareMilli
	}
	return k
}
