package sim

import (
	"fmt"

	"tarry/sim/cluster"
)

// Knobs are what a policy may set of an allocation besides its GPUs. In a Decision a zero leaves a
// value as it is: that of the present allocation, or at a Start the job's own. They are embedded,
// so that d.ShareMilli is a field of a Decision, q.Batch one of a Query.
type Knobs struct {
	// ShareMilli is the part of each GPU held, in thousandths; the job's own is the whole where the
	// trace says nothing.
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
	// Where the cluster says what GPUs have, it counts against that; what a job needs beyond it is
	// in host memory, of which speed models may know.
	GPUMiB int32
	// LinkWeight is the job's weight where it shares links, for coupled speed models; a job's own
	// is 1. No shipped model reads it.
	LinkWeight float64
	// CopyFrac makes an allocation independent copies of the job, one on the GPUs of each of its
	// machines, where a gang would be one: each copy runs as a gang of its own, nothing is
	// exchanged between machines, and the sum of their progress counts, times CopyFrac in (0, 1]
	// where there are several. A job's own is 0: one gang. Copies hold whole GPUs; only a new Start
	// makes them a gang again.
	CopyFrac float64
	// Instance is an instance of the GPU (MIG): 1 + the index of its placement in
	// cluster.Topology.MIG of the machine; a job's own is 0, the GPU as it is, and so is where no
	// instance is in use. Shares stay parts of the GPU: those in one instance are together at most
	// what it has of the GPU's compute slices, so that a Start in one states its share. Jobs in an
	// instance are on one GPU; only a new Start takes a job out of instances.
	Instance uint8
	// Delay holds back progress from the decision on: a phase shift, of which speed models may
	// know; 0 = none. It belongs to one decision, so that a move without one ends it.
	Delay Time
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
	if k.AccumSteps < 0 {
		return fmt.Errorf("%d micro-batches per update, expected >= 0 (0 = as it is)", k.AccumSteps)
	}
	return nil
}

// knobs are those of a Start that sets none.
func (j *Job) knobs() Knobs {
	k := Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1, CPUMilli: j.CPUMilli, MemMiB: j.MemMiB, GPUMiB: j.GPUMiB,
		LinkWeight: 1}
	if j.ShareMilli > 0 {
		k.ShareMilli = j.ShareMilli
	}
	return k
}

// Knobs are those of the job's present allocation; those of a Start that sets none where it holds
// no GPUs.
func (v *View) Knobs(j JobID) Knobs {
	r := v.e.of(j)
	if len(r.gpus) == 0 {
		k := v.e.job(j).knobs()
		k.GPUMiB = v.GPUMiB(j)
		return k
	}
	return v.e.knobs(r)
}

// PredictWith is Predict for an allocation with other knobs: what the job would run at with this
// batch, clock, CPU, share. Zero fields are as in a Decision: as the job has them now, or would
// start with. It needs KnowSpeed, else it gives the zero Speed.
func (v *View) PredictWith(j JobID, gpus []cluster.GPU, k Knobs) Speed {
	return v.predict(j, gpus, &k, false)
}

// predict asks the speed model; k is nil for the knobs as they are, and peers are left out of what
// a job has alone.
func (v *View) predict(j JobID, gpus []cluster.GPU, k *Knobs, alone bool) Speed {
	if v.knows&KnowSpeed == 0 {
		return Speed{}
	}
	q := v.e.query(j, gpus)
	if v.e.of(j).state != Running {
		q.Knobs = v.e.job(j).knobs()
	}
	if k != nil {
		if q.Knobs = q.With(k); q.ShareMilli < 1000 && q.Peers == nil {
			q.Peers = v.e.beside(j, gpus)
		}
	}
	if alone {
		q.Peers = nil
	}
	s, err := v.e.answer(q)
	if err != nil {
		return Speed{}
	}
	return s
}

// PredictIdle is the speed that a job would have on an allocation (ascending) if nothing else ran
// in the cluster, with the knobs of a Start that sets none. It stays the same during a run, unless
// the model is progressive. It needs KnowSpeed, else it gives the zero Speed; so it does when the
// model has no answer.
func (v *View) PredictIdle(j JobID, gpus []cluster.GPU) Speed {
	if v.knows&KnowSpeed == 0 {
		return Speed{}
	}
	e := v.e
	r := e.of(j)
	e.asked = Query{Job: e.job(j), ID: j, GPUs: gpus, Knobs: e.job(j).knobs(), Done: e.done(j, r, e.leftNow(r)),
		Now: e.now}
	if e.coup != nil {
		e.asked.ID = NoJob // one that is not placed has its links to itself
	}
	s, err := e.cfg.Speed.Speed(&e.asked)
	if err != nil {
		return Speed{}
	}
	return s
}

// PredictBeside is the speed that a job would have on GPUs (ascending) of which it holds a share in
// thousandths, 1..999, and one other job the rest of each, whatever runs there now; both at their
// own clock, batch, CPU and memory. It needs KnowSpeed, else it gives the zero Speed; so it does
// when the model has no answer.
func (v *View) PredictBeside(j, mate JobID, gpus []cluster.GPU, shareMilli int32) Speed {
	if v.knows&KnowSpeed == 0 {
		return Speed{}
	}
	e := v.e
	a, b := e.job(j), e.job(mate)
	k := b.knobs()
	k.ShareMilli = 1000 - shareMilli
	e.peers = append(e.peers[:0], Peer{Job: b, ID: mate, GPUs: gpus, Knobs: k})
	r := e.of(j)
	e.asked = Query{Job: a, ID: j, GPUs: gpus, Knobs: a.knobs(), Done: e.done(j, r, e.leftNow(r)), Now: e.now,
		Peers: e.peers}
	e.asked.ShareMilli = shareMilli
	s, err := e.cfg.Speed.Speed(&e.asked)
	if err != nil {
		return Speed{}
	}
	return s
}
