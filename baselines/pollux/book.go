package pollux

import (
	"tarry/baselines/fit"
	"tarry/sim"
	"tarry/sim/goodput"
)

// samples is the batch of a job that measures nothing but its speed: only how it is divided counts.
const samples = 1 << 12

// book is what is known of a job: what its agent has measured, and what it was given.
type book struct {
	id        sim.JobID
	submit    sim.Time
	least, hi int // GPUs
	step      int // GPUs of a worker
	typ       string
	own       int // its own batch, samples; 0 = not known

	// f is the model of its goodput: what it may have is in Limits from the beginning, its speed in
	// Params once it is fitted.
	f      goodput.Function
	fitted bool
	noisy  bool // Noise was measured
	fixed  bool // its batch is not ours to choose
	blind  bool // it measures nothing but its speed
	seen   []fit.Observation
	wide   int // most GPUs seen

	// Of its present allocation.
	nodes, gpus int
	epoch       bool // it is past its delay: what is watched is the end of an epoch
	since, ran  sim.Time
	service     float64 // GPU-microseconds of earlier allocations, delays included
	restarts    int     // allocations after the first
	started     bool

	cache values
}

// book makes one.
func (p *Policy) book(v *sim.View, j sim.JobID, a *sim.Job) *book {
	b := &book{}
	if n := len(p.spare); n > 0 {
		b, p.spare = p.spare[n-1], p.spare[:n-1]
	}
	*b = book{id: j, submit: v.Job(j).Submit(), step: v.Job(j).WorkerGPUs(), typ: a.GPUType, own: int(a.BatchSize),
		seen: b.seen[:0], cache: b.cache}
	b.least, b.hi = v.Job(j).Range()
	if a.MinGPUs == 0 {
		b.least, b.hi = int(a.GPUs), int(a.GPUs)
	}
	b.cache.open(p.cfg.machines, p.cfg.max)
	l := v.Job(j).Batches()
	b.f.Limits = goodput.Limits{Initial: int(l.Initial), Max: int(l.Max), MinLocal: int(l.MinLocal),
		MaxLocal: int(l.MaxLocal), Accumulate: true}
	if b.own == 0 {
		b.own = b.f.Initial
	}
	if l.Initial <= 0 || l.Max < l.Initial || l.MinLocal <= 0 || l.MaxLocal < l.MinLocal {
		b.f.Limits, b.blind = goodput.Limits{Initial: samples, Max: samples, MinLocal: 1, MaxLocal: samples}, true
	}
	b.fixed = b.f.Initial == b.f.Max
	return b
}

// most is the largest number of GPUs that the job may have now: at most twice what it was seen
// with.
func (b *book) most(limit int) int {
	n := min(max(2*b.wide, 1), limit, b.f.Max/b.f.MinLocal)
	n = min(max(n, b.least), b.hi)
	return max(n/b.step*b.step, 1)
}

// service is the time that the job has held GPUs, in GPU-microseconds.
func (b *book) attained(now sim.Time) float64 {
	return b.service + float64(float64(b.gpus)*float64(now-b.since))
}

// factor is what a restart leaves of the job's speed-up: after restarts of r seconds each in the
// time since it came, and one more.
func (b *book) factor(now, restart sim.Time) float64 {
	age, r := float64(now-b.submit), float64(restart)
	if age+r <= 0 {
		return 1
	}
	return max(age-float64(float64(b.restarts)*r), 0) / (age + r)
}

// gets notes an allocation that the job gets now, of which ran is its running time before.
func (b *book) gets(now, ran sim.Time, nodes, gpus int) {
	b.stops(now)
	b.nodes, b.gpus, b.ran, b.epoch = nodes, gpus, ran, false
	if b.started {
		b.restarts++
	}
	b.started = true
}

// stops notes that it has lost its GPUs.
func (b *book) stops(now sim.Time) {
	b.service = b.attained(now)
	b.since, b.nodes, b.gpus, b.epoch = now, 0, 0, false
}

// observe adds the speed of the present allocation and batch to what was seen, and fits the model
// anew if it is new.
func (b *book) observe(v *sim.View) {
	o := fit.Observation{Nodes: b.nodes, Replicas: b.gpus}
	t, ok := v.Run(b.id).Telemetry()
	switch s := v.Run(b.id).Speed(); {
	case ok && !b.blind:
		o.Local, o.StepS, o.SyncS = int(t.LocalBatch), t.StepS, t.SyncS
	case s.Rate > 0:
		o.Local, o.StepS = (samples+b.gpus-1)/b.gpus, 1/s.Rate
		o.SyncS = float64((1 - s.ComputeFrac) * o.StepS)
	default:
		return
	}
	b.wide = max(b.wide, b.gpus)
	for i := range b.seen {
		if s := &b.seen[i]; s.Nodes == o.Nodes && s.Replicas == o.Replicas && s.Local == o.Local {
			return
		}
	}
	b.seen = append(b.seen, o)
	theta, _, err := fit.Throughput(b.seen, goodput.Params{})
	if err != nil { // nothing that can be fitted: it is as if it had not been seen
		b.seen = b.seen[:len(b.seen)-1]
		return
	}
	b.f.Params, b.fitted = theta, true
	b.cache.forget()
}

// listen takes the noise of the gradient from what the job measures.
func (b *book) listen(v *sim.View) {
	if b.blind {
		return
	}
	t, ok := v.Run(b.id).Telemetry()
	if !ok || !(t.GradSqr >= 0 && t.GradVar >= 0) {
		return
	}
	n := goodput.Noise{Sqr: t.GradSqr, Var: t.GradVar}
	if !b.noisy || n != b.f.Noise {
		b.f.Noise, b.noisy = n, true
		b.cache.forget()
	}
}

// knobs are for the best batch on an allocation; before the model is fitted for the initial batch,
// or the least that so many GPUs can have.
func (b *book) knobs(nodes, gpus int) sim.Knobs {
	if b.fixed || b.own <= 0 {
		return sim.Knobs{}
	}
	local, accum := 0, 0
	if b.fitted && b.noisy {
		_, local, accum = b.f.Best(nodes, gpus)
	}
	if local == 0 {
		local, accum = b.f.Split(max(b.f.Initial, b.f.MinLocal*gpus), gpus)
	}
	if local = min(local, b.f.Max/(gpus*(accum+1))); local == 0 {
		return sim.Knobs{}
	}
	return sim.Knobs{Batch: float64(gpus*local*(accum+1)) / float64(b.own), AccumSteps: int32(accum + 1)}
}

// tune appends the change of the batch, if it changes.
func (b *book) tune(v *sim.View, out []sim.Decision) []sim.Decision {
	k := b.knobs(b.nodes, b.gpus)
	if has := v.Run(b.id).Knobs(); k != (sim.Knobs{}) && (k.Batch != has.Batch || k.AccumSteps != has.AccumSteps) {
		out = append(out, sim.Decision{Kind: sim.Tune, Job: b.id, Knobs: k})
	}
	return out
}
