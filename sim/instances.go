package sim

import (
	"errors"
	"fmt"

	"tarry/sim/cluster"
	"tarry/sim/mig"
)

// Instances of GPUs (Knobs.Instance). Where no machine's GPUs can be cut and no decision names an
// instance, nothing here is done.

// instance is what an allocation has of its GPU: 0 = no instance, else 1 + a placement of the
// device.
func (e *Engine) instance(r *run) uint8 {
	if r.special == 0 {
		return 0
	}
	return e.special[r.special-1].instance
}

// sharersOf appends the jobs on a GPU, in the order in which they came.
func (e *Engine) sharersOf(dst []JobID, g cluster.GPU) []JobID {
	n := e.mates.of(int(g))
	if n == 0 && e.owner[g] != NoJob {
		return append(dst, e.owner[g])
	}
	for ; n != 0; n = e.mates.nodes[n-1].next {
		dst = append(dst, e.mates.nodes[n-1].job)
	}
	return dst
}

var errGangOfInstances = errors.New("an instance for a job on several GPUs, expected one GPU: gangs over instances " +
	"are not supported")

// checkInstance refuses an allocation whose instance cannot exist beside the instances in use on
// its GPU, or has too little of the GPU for all shares in it; and one of whole GPUs beside
// instances. self is the job where it is on the GPU already, NoJob where it is not.
func (e *Engine) checkInstance(gpus []cluster.GPU, r *run, self JobID) error {
	n := e.instance(r)
	switch {
	case n == 0 && !e.top.Cuts():
		return nil
	case n > 0 && len(gpus) != 1:
		return errGangOfInstances
	}
	for _, g := range gpus {
		d := e.top.MIG(e.top.Machine(g))
		if d == nil && n == 0 {
			continue
		}
		if d == nil || int(n) > len(d.Placements) {
			return noInstance(g, n, d)
		}
		if err := e.fitsBeside(g, r, self, d); err != nil {
			return err
		}
	}
	return nil
}

// noInstance reports why a GPU has no instance of a number.
func noInstance(g cluster.GPU, n uint8, d *mig.Device) error {
	if d == nil {
		return fmt.Errorf("instance %d of GPU %d, which cannot be cut into instances", n, g)
	}
	return fmt.Errorf("instance %d of GPU %d, expected 1..%d as of an %s", n, g, len(d.Placements), d.Name)
}

// fitsBeside is checkInstance on one GPU of a device.
func (e *Engine) fitsBeside(g cluster.GPU, r *run, self JobID, d *mig.Device) error {
	n := e.instance(r)
	var used mig.Set
	share := r.share
	e.sharing = e.sharersOf(e.sharing[:0], g)
	for _, x := range e.sharing {
		if x == self {
			continue
		}
		o := e.of(x)
		m := e.instance(o)
		switch {
		case m == 0 && n == 0:
			return nil // no instance is in use
		case m == 0:
			return fmt.Errorf("instance %s of GPU %d, which job %q holds without an instance", d.String(int(n)-1), g,
				e.job(x).ID)
		case n == 0:
			return fmt.Errorf("GPU %d without an instance, expected one beside %s of job %q", g, d.String(int(m)-1),
				e.job(x).ID)
		case m == n:
			share += o.share
		}
		used = used.With(int(m) - 1)
	}
	if n == 0 {
		return nil
	}
	if p := int(n) - 1; !used.Has(p) && !d.Fits(used, p) {
		return fmt.Errorf("instance %s of GPU %d, which cannot exist beside %s", d.String(p), g, d.List(used))
	}
	if most := d.Of(int(n) - 1).Milli(); share > most {
		return fmt.Errorf("instance %s of GPU %d with %d thousandths of the GPU in use, expected at most %d",
			d.String(int(n)-1), g, share, most)
	}
	return nil
}

// crowded reports whether the jobs in a job's instance use more memory than it has, of which this
// job uses some.
func (e *Engine) crowded(r *run) bool {
	n := e.instance(r)
	if n == 0 || r.gpuMiB == 0 {
		return false
	}
	sum := int64(0)
	e.sharing = e.sharersOf(e.sharing[:0], r.gpus[0])
	for _, x := range e.sharing {
		if o := e.of(x); e.instance(o) == n && !o.out {
			sum += int64(o.gpuMiB)
		}
	}
	return sum > int64(e.top.MIG(e.top.Machine(r.gpus[0])).Of(int(n)-1).MiB)
}

// inUse is what jobs hold of the instances of a GPU.
type inUse struct {
	set    mig.Set
	whole  bool // a job has no instance
	share  [32]int32
	gpuMiB [32]int64
}

// verifyInstances checks that the instances in use may exist beside one another, that no job has
// the GPU without one beside them, and that jobs fit into each.
func (e *Engine) verifyInstances() error {
	held := map[cluster.GPU]*inUse{}
	for s := range e.runs {
		r := &e.runs[s]
		n := e.instance(r)
		if len(r.gpus) == 0 || n == 0 && !e.top.Cuts() {
			continue
		}
		for _, g := range r.gpus {
			d := e.top.MIG(e.top.Machine(g))
			if n > 0 && (d == nil || int(n) > len(d.Placements) || len(r.gpus) != 1) {
				return fmt.Errorf("I16: job %q has instance %d of GPUs %v, which they do not have", e.job(r.id).ID, n,
					r.gpus)
			}
			u := held[g]
			if u == nil {
				u = &inUse{}
				held[g] = u
			}
			if n == 0 {
				u.whole = true
				continue
			}
			u.set = u.set.With(int(n) - 1)
			u.share[n-1] += r.share
			if !r.out {
				u.gpuMiB[n-1] += int64(r.gpuMiB)
			}
		}
	}
	for g := range cluster.GPU(e.top.GPUs()) {
		if u := held[g]; u != nil && u.set != 0 {
			if err := u.verify(e.top.MIG(e.top.Machine(g))); err != nil {
				return fmt.Errorf("I16: GPU %d has %w", g, err)
			}
		}
	}
	return nil
}

func (u *inUse) verify(d *mig.Device) error {
	if u.whole {
		return fmt.Errorf("instances %s in use beside a job without one", d.List(u.set))
	}
	if !d.Legal(u.set) {
		return fmt.Errorf("instances %s in use, which cannot exist together", d.List(u.set))
	}
	for p := u.set.Next(0); p >= 0; p = u.set.Next(p + 1) {
		if o := d.Of(p); u.share[p] > o.Milli() || u.gpuMiB[p] > int64(o.MiB) {
			return fmt.Errorf("instance %s with %d of %d thousandths and %d of %d MiB in use", d.String(p), u.share[p],
				o.Milli(), u.gpuMiB[p], o.MiB)
		}
	}
	return nil
}
