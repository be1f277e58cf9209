package shockwave

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// member is what is kept of a job.
type member struct {
	id   sim.JobID
	gpus int
	// epochs is how many the job has, unit the work of one in microseconds of one reference GPU,
	// progress how many are done.
	epochs, progress int64
	unit             float64
	// first are the epochs at which a batch size began, batch these sizes: the whole schedule where
	// a profile has it, else what was seen.
	first []int64
	batch []int32
	modes []mode
	// scale corrects the lengths of epochs where measurements differ.
	scale float64
	// joined is when the policy first saw it, s.
	joined float64
	target series
	ran    bool    // in the last round
	chosen bool    // has a place in it
	leftS  float64 // predicted remaining time when it came or a window was solved, s
	row    int32
	measured
	// accounted is whether a program keeps its account.
	accounted bool
}

// roomy is a member with room for the batch sizes of most jobs, so that many are made at once.
type roomy struct {
	member
	epochs  [4]int64
	sizes   [4]int32
	lengths [4]mode
}

// mode is a batch size that the job may have, and how long an epoch takes with it, s.
type mode struct {
	batch  int32
	epochS float64
}

// measured is what rounds have shown of a job's speed.
type measured struct {
	epochs float64 // in the range
	rangeS float64
	round  int
}

// join takes a job in.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	m := p.member()
	m.id, m.gpus, m.scale, m.joined, m.row = j, v.Job(j).GPUs(), 1, v.Now().Seconds(), -1
	if !p.opened(v, m) {
		p.observed(v, m)
	}
	m.leftS = m.remainingS()
	p.active = append(p.active, m)
	p.shares.join(m)
	p.changed = true
}

// member gives an empty one, with the memory of one that has left.
func (p *Policy) member() *member {
	if n := len(p.unused); n > 0 {
		m := p.unused[n-1]
		p.unused = p.unused[:n-1]
		*m = member{first: m.first[:0], batch: m.batch[:0], modes: m.modes[:0]}
		return m
	}
	if len(p.block) == 0 {
		p.block = make([]roomy, 256)
	}
	r := &p.block[0]
	p.block = p.block[1:]
	r.first, r.batch, r.modes = r.epochs[:0], r.sizes[:0], r.lengths[:0]
	return &r.member
}

// learn adds a mode, or sets the length of its epochs.
func (m *member) learn(batch int32, epochS float64) {
	at := 0
	for at < len(m.modes) && m.modes[at].batch < batch {
		at++
	}
	if at < len(m.modes) && m.modes[at].batch == batch {
		m.modes[at].epochS = epochS
		return
	}
	m.modes = append(m.modes, mode{})
	copy(m.modes[at+1:], m.modes[at:])
	m.modes[at] = mode{batch, epochS}
}

// epochS is the length of an epoch with a batch size, s.
func (m *member) epochS(batch int32) float64 {
	for i := range m.modes {
		if m.modes[i].batch == batch {
			return float64(m.modes[i].epochS * m.scale)
		}
	}
	return 1
}

// observed asks the view for a job's epochs: parts of equal length and one batch size where the
// speed model has none.
func (p *Policy) observed(v *sim.View, m *member) {
	m.epochs = p.cfg.parts
	m.first, m.batch = append(m.first[:0], 0), append(m.batch[:0], 1)
	gpus := p.sample(v, m)
	t, ok := v.TelemetryAt(m.id, sim.Placement{GPUs: gpus, Alone: true})
	if ok && t.Epochs > 0 {
		m.epochs = int64(t.Epochs)
	}
	m.unit = v.Job(m.id).Work() / float64(m.epochs)
	rate := v.Predict(m.id, sim.Placement{GPUs: gpus, Idle: true}).Rate
	if !(rate > 0) {
		rate = float64(m.gpus)
	}
	one := max(1e-6, m.unit/1e6/rate)
	if !ok || t.Batch <= 0 || !(t.StepS > 0) {
		m.learn(1, one)
		return
	}
	m.batch[0] = t.Batch
	m.learn(t.Batch, one)
	// the sizes that a user states: the first and the largest; others are learnt when they are seen
	if b := v.Job(m.id).Batches(); b.Max > t.Batch {
		if u, ok := v.TelemetryAt(m.id, sim.Placement{GPUs: gpus, Knobs: sim.Knobs{Batch: float64(b.Max) / float64(t.Batch)},
			Alone: true}); ok &&
			u.StepS > 0 {
			m.learn(b.Max, max(1e-6, one*float64(t.Batch)/t.StepS*u.StepS/float64(b.Max)))
		}
	}
}

// watch notes the batch size of a running job, and how long its epochs are.
func (p *Policy) watch(v *sim.View, m *member) {
	t, ok := v.Run(m.id).Telemetry()
	last := m.batch[len(m.batch)-1]
	if !ok || t.Batch <= 0 || t.Batch == last || int64(t.Epoch) <= m.first[len(m.first)-1] {
		return
	}
	m.first, m.batch = append(m.first, int64(t.Epoch)), append(m.batch, t.Batch)
	if rate := v.Run(m.id).Speed().Rate; rate > 0 {
		m.learn(t.Batch, max(1e-6, m.unit/1e6/rate)/m.scale)
	}
}

// sample gives GPUs for a job as an empty cluster would.
func (p *Policy) sample(v *sim.View, m *member) []cluster.GPU {
	if p.empty == nil {
		p.empty = cluster.NewFree(v.Topology())
	}
	f := p.empty.Of(v.Job(m.id).GPUType())
	if f == nil || m.gpus > f.Total() {
		return nil
	}
	for l := cluster.LevelSlot; l <= cluster.LevelCluster; l++ {
		if f.Largest(l) >= m.gpus {
			p.scratch, _ = f.At(p.scratch[:0], m.gpus, l, cluster.BestFit)
			return p.scratch
		}
	}
	return nil
}

// count adds up f over the epochs below to, run by run: f gets the batch size and how many epochs
// have it.
func (m *member) count(to int64, f func(batch int32, epochs float64)) {
	for i, first := range m.first {
		next := to
		if i+1 < len(m.first) {
			next = min(to, m.first[i+1])
		}
		if next > first {
			f(m.batch[i], float64(next-first))
		}
	}
}
