package speed

import (
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/stack"
)

// BestShape is a speed model in which every job runs as fast as on its best shape: the fastest of
// its compact placements on an idle cluster (bestplaces.go), wherever its GPUs are and whatever
// runs beside it; where GPUs of one type differ, on the fastest ones. No placement, and no wait for
// one, makes a job faster.
//
// What it bounds. If jobs start in a fixed order, each as soon as there are enough free GPUs, no
// job that starts in that order under the model itself ends earlier, on any GPUs and after any
// waits: starts and ends only move forward, job by job. Where jobs pass others over or are
// preempted, that is no theorem: an earlier end may let another job take GPUs that a third would
// have had (Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17, 1969).
// The result then is what the rule reaches where placement is free.
type BestShape struct {
	inner  sim.SpeedModel
	prog   sim.Progressive // nil = inner has no such side
	top    *cluster.Topology
	shapes map[asked][][]cluster.GPU
	known  []answer // by JobID
}

// asked is what candidates depend on.
type asked struct {
	gpus int
	typ  string
}

// answer is the last one for a job.
type answer struct {
	gpus        int
	share       int32
	freq, batch float64
	done        float64 // of a progressive model alone
	accum       int32
	speed       sim.Speed
}

// NewBestShape wraps a model of the same cluster. It belongs to one run, and so does the model,
// whose layers it takes. A layer in which GPUs of one type differ gives way to one with the best
// factors.
func NewBestShape(m sim.SpeedModel, t *cluster.Topology) *BestShape {
	if of, ok := stack.Of(m); ok {
		layers := slices.Clone(of.Layers)
		for i, l := range layers {
			if differ, does := l.(sim.Variability); does {
				layers[i] = &fastest{differ, t, map[ofClass][]float64{}}
			}
		}
		m = stack.New(of.Base, layers...)
	}
	return &BestShape{inner: m, top: t, shapes: map[asked][][]cluster.GPU{}, prog: sim.AsProgressive(m)}
}

// Progressive is the inner model's, whose marks and telemetry are for the GPUs that a job has; nil
// where it has none.
func (b *BestShape) Progressive() sim.Progressive { return b.prog }

// Speed implements sim.SpeedModel. Jobs that share GPUs or links do not slow one another down.
func (b *BestShape) Speed(q *sim.Query) (sim.Speed, error) {
	for int(q.ID) >= len(b.known) {
		b.known = append(b.known, answer{})
	}
	k := &b.known[q.ID]
	done := 0.0
	if b.prog != nil {
		done = q.Done
	}
	if k.gpus == len(q.GPUs) && k.share == q.ShareMilli && k.freq == q.FreqFrac && k.batch == q.Batch &&
		k.done == done && k.accum == q.AccumSteps {
		return k.speed, nil
	}
	best, err := b.best(q)
	if err != nil {
		return sim.Speed{}, err
	}
	*k = answer{len(q.GPUs), q.ShareMilli, q.FreqFrac, q.Batch, done, q.AccumSteps, best}
	return best, nil
}

// best asks for each candidate. A table may lack some of them; it is an error if it lacks all.
func (b *BestShape) best(q *sim.Query) (sim.Speed, error) {
	alone, best := *q, sim.Speed{}
	alone.Peers = nil
	var last error
	for _, gpus := range b.candidates(asked{len(q.GPUs), q.Job.GPUType}) {
		alone.GPUs = gpus
		s, err := b.inner.Speed(&alone)
		if err != nil {
			last = err
		} else if s.Rate > best.Rate {
			best = s
		}
	}
	if best.Rate == 0 {
		if last == nil {
			last = fmt.Errorf("job %q asks for %d GPUs of type %q, expected at most what the cluster has", q.Job.ID,
				len(q.GPUs), q.Job.GPUType)
		}
		return sim.Speed{}, last
	}
	return best, nil
}
