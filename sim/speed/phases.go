package speed

import (
	"math"

	"tarry/sim"
	"tarry/sim/network"
	"tarry/sim/network/phased"
)

// phase is where a placed job is in its iterations, and how long they are.
type phase struct {
	network.Period          // alone
	fastS          float64  // an iteration at the speed that the GPUs allow
	best           float64  // the part of that speed that links allow the job alone
	pace           sim.Time // 0 = free
	next           sim.Time // an iteration begins
	lastS          float64  // mean iteration beside the others, +Inf = it stands still
}

// phases is what Contended has beside where iterations have phases.
type phases struct {
	cache phased.Cache
	now   sim.Time  // the latest start of a job's work: offsets count from it
	keep  sim.JobID // whose next Place continues its phase
	// groups counts the groups of two or more jobs that were settled, inTurns the groups above
	// phased.MaxJobs, open the groups that did not recur.
	groups, inTurns, open int

	// scratch of one settling
	jobs              []phased.Job
	out               []phased.Result
	offsets, lengthsS []float64
}

// Keep lets the next Place of a job, after its Remove, continue the job's phase. Otherwise an
// iteration begins when the job works.
func (m *Contended) Keep(id sim.JobID) { m.phases.keep = id }

// start gives a job that is placed its iteration; busy is the part of fastNS for which the job alone
// keeps its links busy.
func (m *Contended) start(f *flow, q *sim.Query, frac, busy, fastNS float64) {
	f.Period, f.fastS, f.best = period(frac, busy, fastNS), fastNS/1e9, 1/max(1, busy)
	m.phases.now = max(m.phases.now, q.Now)
	pace := q.Pace
	if pace <= sim.Microsecond {
		pace = 0
	}
	if f.turn = f.best; m.phases.keep != q.ID || f.lastS == 0 {
		f.next, f.lastS = q.Now, f.SoloS()
	} else if f.pace > 0 && pace == 0 && f.next < q.Now { // its iterations continue from a slot
		f.next, f.lastS = q.Now-(q.Now-f.next)%f.pace, f.SoloS()
	}
	f.pace = pace
	m.phases.keep = sim.NoJob
}

// period is the iteration of a job alone.
func period(frac, busy, fastNS float64) network.Period {
	soloS, transferS := fastNS*max(1, busy)/1e9, fastNS*busy/1e9
	return network.PeriodOf(max(frac*fastNS/1e9, soloS-transferS), transferS, soloS)
}

// interlock gives the gathered jobs the steady state of their iterations; false = they are too many.
func (m *Contended) interlock() bool {
	p := &m.phases
	p.jobs = p.jobs[:cap(p.jobs)]
	for len(p.jobs) < len(m.group) {
		p.jobs = append(p.jobs, phased.Job{})
	}
	p.jobs, p.out, p.offsets, p.lengthsS = p.jobs[:len(m.group)], p.out[:0], p.offsets[:0], p.lengthsS[:0]
	for i, id := range m.group {
		m.member(&p.jobs[i], &m.jobs[id])
		p.out = append(p.out, phased.Result{})
	}
	phased.Closest(p.offsets, p.lengthsS)
	for i := range p.jobs {
		p.jobs[i].OffsetS = p.offsets[i]
	}
	m.capacities()
	end := p.cache.Settle(p.jobs, m.capacity, p.out)
	if len(m.group) > 1 {
		p.groups++
	}
	switch {
	case end.Settled:
	case end.Events == 0:
		p.inTurns++
		return false
	default:
		p.open++
	}
	for i, id := range m.group {
		m.settleIn(id, &p.jobs[i], p.out[i])
	}
	return true
}

// member is a placed job as one of a group; its offset and the time after which that is the same
// are noted beside.
func (m *Contended) member(j *phased.Job, f *flow) {
	p, wide := &m.phases, float64(f.solo)/whole
	*j = phased.Job{ComputeS: f.ComputeS, VolumeS: f.TransferS * wide, Release: f.ReleaseFrac, Weight: f.weight,
		Level: f.level, PaceS: f.pace.Seconds(), MaxRate: wide, Links: j.Links[:0]}
	for i, l := range f.links {
		x := phased.Crossing{Link: m.local[l]}
		if len(f.loads) > 0 {
			x.Load = f.loads[i]
		}
		j.Links = append(j.Links, x)
	}
	lengthS := f.lastS
	if math.IsInf(lengthS, 1) {
		lengthS = f.SoloS()
	}
	for _, of := range p.lengthsS { // jobs in step stay in step, however long ago they were settled
		if math.Abs(lengthS-of) < 1e-5*of {
			lengthS = of
		}
	}
	offset := (f.next - p.now).Seconds()
	if f.pace > 0 {
		lengthS, offset = f.pace.Seconds(), ((f.next - p.now) % f.pace).Seconds()
	}
	if offset = math.Mod(offset, lengthS); offset < 0 {
		offset += lengthS
	}
	p.offsets, p.lengthsS = append(p.offsets, offset), append(p.lengthsS, lengthS)
}

// settleIn gives a job its steady state.
func (m *Contended) settleIn(id sim.JobID, j *phased.Job, got phased.Result) {
	f, turn := &m.jobs[id], 0.0
	if !math.IsInf(got.IterationS, 1) {
		soloS := max(j.ComputeS, float64(j.Release*j.ComputeS)+j.VolumeS/j.MaxRate)
		turn = f.best * (soloS / got.IterationS)
	}
	m.take(id, turn)
	f.lastS = got.IterationS
	if f.pace == 0 {
		f.next = m.phases.now + sim.Seconds(got.NextS)
	}
}

// take gives a job a part of its speed alone.
func (m *Contended) take(id sim.JobID, turn float64) {
	f := &m.jobs[id]
	if turn != f.turn {
		m.touch(id)
	}
	f.turn, f.lastS = turn, math.Inf(1)
	if turn > 0 {
		f.lastS = f.fastS / turn
	}
}

// Phases appends what starts and stops do not determine: the phases of the placed jobs, by ID, and
// the counts.
func (m *Contended) Phases(dst []float64) []float64 {
	if !m.cfg.Phase {
		return dst
	}
	p := &m.phases
	dst = append(dst, float64(p.now), float64(p.groups), float64(p.inTurns), float64(p.open))
	for i := range m.jobs {
		if f := &m.jobs[i]; f.placed {
			dst = append(dst, float64(f.next), f.lastS, f.turn)
		}
	}
	return dst
}

// SetPhases takes back what Phases gave, after the same jobs were placed.
func (m *Contended) SetPhases(from []float64) {
	if !m.cfg.Phase || len(from) < 4 {
		return
	}
	p := &m.phases
	p.now, p.groups, p.inTurns, p.open = sim.Time(from[0]), int(from[1]), int(from[2]), int(from[3])
	from = from[4:]
	for i := range m.jobs {
		if f := &m.jobs[i]; f.placed && len(from) >= 3 {
			f.next, f.lastS, f.turn = sim.Time(from[0]), from[1], from[2]
			from = from[3:]
		}
	}
}

// Phased reports whether jobs have phases.
func (m *Contended) Phased() bool { return m.cfg.Phase }

// Began is when the iteration of a placed job began that runs at an instant, as the mean iteration
// since the last change has it; the begin of the first where that is later.
func (m *Contended) Began(id sim.JobID, now sim.Time) sim.Time {
	m.settle()
	f := &m.jobs[id]
	since := now - f.next
	switch {
	case since < 0 || math.IsInf(f.lastS, 1):
		return f.next
	case f.pace > 0:
		return now - since%f.pace
	}
	return now - sim.Seconds(math.Mod(since.Seconds(), f.lastS))
}

// Measures lists how many groups were settled, and how.
func (m *Contended) Measures(yield func(name, of, unit string, value float64)) {
	if !m.cfg.Phase {
		return
	}
	yield("link_groups", "", "count", float64(m.phases.groups))
	yield("link_groups_in_turns", "", "count", float64(m.phases.inTurns))
	yield("link_groups_open", "", "count", float64(m.phases.open))
}
