package efficiency

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/rng"
)

// kind is what a job's model states: samples of a GPU, 0 = unknown; the seconds that they take on
// the reference GPU, 0 = unknown; and how it learns.
type kind struct {
	batch int
	stepS float64
	law
}

// defaultBatch is the batch of a GPU where nothing states another.
const defaultBatch = 32

// own is a job as it was submitted.
type own struct {
	batch, local float64 // M0, and the part of a GPU on the GPUs that the job asks for, in samples
	stepS        float64 // seconds that a GPU of the reference type takes to compute local samples
	first, last  float64 // noise scale over M0, in the first and the last epoch
	epochs       int32
	most         float64 // samples
	least, fill  float64 // samples of a GPU and micro-step, whole numbers
}

// numbers are those drawn for a job, in [0, 1).
type numbers struct {
	id    string
	work  sim.Time
	known bool
	u     [3]float64
}

// kept is how many jobs' numbers are kept.
const kept = 1 << 12

// numbers draws for a job. What it gets depends on its name and its work alone, so that it is the
// same under every scheduler, load and number of jobs.
func (l *Layer) numbers(j *sim.Job, id sim.JobID) [3]float64 {
	if l.drawn == nil {
		l.drawn = make([]numbers, kept)
	}
	n := &l.drawn[uint32(id)%kept]
	if !n.known || n.id != j.ID || n.work != j.Work {
		s := rng.Source{Seed: l.rule.seed, Cell: j.ID, Replicate: uint64(j.Work)}.Stream("efficiency")
		*n = numbers{j.ID, j.Work, true, [3]float64{s.Float64(), s.Float64(), s.Float64()}}
	}
	return n.u
}

// kind finds what a model states.
func (l *Layer) kind(name string) *kind {
	if k, ok := l.kinds[name]; ok {
		return k
	}
	k := &kind{}
	law, known := lawOf(name)
	if l.set != nil {
		p, err := l.set.Lookup(name)
		if err != nil && l.other != "" {
			p, err = l.set.Lookup(l.other)
		}
		if err == nil {
			k.batch, k.stepS = p.Batch, p.ComputeNS()/1e9
			if !known {
				law, known = lawOf(p.Name)
			}
		}
	}
	if known {
		k.law = law
	}
	l.kinds[name] = k
	return k
}

// own gives a job's own batch, its noise and limits.
func (l *Layer) own(j *sim.Job, id sim.JobID) own {
	r, k := l.rule, l.kind(j.Model)
	o := own{stepS: k.stepS}
	o.local = float64(r.batch)
	if r.batch == 0 {
		if o.local = float64(k.batch); k.batch == 0 {
			o.local = defaultBatch
		}
	}
	o.batch = o.local * float64(j.GPUs)
	if j.BatchSize > 0 {
		o.batch = float64(j.BatchSize)
		o.local = o.batch / float64(j.GPUs)
	}
	switch {
	case j.IterS > 0:
		o.stepS = j.IterS
	case o.stepS == 0 && j.Iterations > 0:
		o.stepS = j.Work.Seconds() / float64(j.Iterations)
	case o.stepS == 0:
		o.stepS = 1
	}
	l.learn(&o, k, j, id)
	l.limit(&o, k)
	return o
}

// learn fills noise and epochs in.
func (l *Layer) learn(o *own, k *kind, j *sim.Job, id sim.JobID) {
	r := l.rule
	var u [3]float64
	if r.noise.drawn() || r.growth.drawn() || r.epochs.drawn() {
		u = l.numbers(j, id)
	}
	o.first = plainNoise
	growth, epochs := float64(plainGrowth), float64(plainEpochs)
	if k.name != "" {
		o.first, growth, epochs = k.first/o.batch, k.last/k.first, float64(k.epochs)
	}
	if r.noise.given {
		if o.first = r.noise.at(u[0]); !r.noise.times {
			o.first /= o.batch
		}
	}
	if r.growth.given {
		growth = r.growth.at(u[1])
	}
	if r.epochs.given {
		epochs = math.Round(r.epochs.at(u[2]))
	}
	o.last, o.epochs = float64(o.first*growth), int32(epochs)
}

// limit fills the bounds of batches in. The own batch is within them.
func (l *Layer) limit(o *own, k *kind) {
	r := l.rule
	most, least, fill := size{plainMost, true, true}, size{plainLeast, true, true}, size{plainFill, true, true}
	if k.name != "" {
		most, least, fill = size{k.most, false, true}, size{k.law.least, true, true}, size{k.law.fill, true, true}
	}
	for _, g := range [...]struct{ from, to *size }{{&r.most, &most}, {&r.least, &least}, {&r.fill, &fill}} {
		if g.from.given {
			*g.to = *g.from
		}
	}
	o.most = min(max(most.of(o.batch), o.batch), math.MaxInt32)
	o.least = max(1, math.Floor(min(least.of(o.local), o.local)))
	o.fill = min(max(math.Ceil(fill.of(o.local)-slack), math.Ceil(o.local-slack)), math.MaxInt32)
}

// epoch is the one in which work done lies; one that lacks a millionth of an epoch is over.
func (o *own) epoch(done float64, work sim.Time) int32 {
	e := int32(done/(float64(work)/float64(o.epochs)) + 1e-6)
	return max(0, min(e, o.epochs-1))
}

// noise is the noise scale over M0 in an epoch: the variance of the gradient over its squared norm.
func (o *own) noise(epoch int32) float64 {
	if o.epochs < 2 || o.first == o.last {
		return o.first
	}
	return o.first * fixmath.Pow(o.last/o.first, float64(epoch)/float64(o.epochs-1))
}
