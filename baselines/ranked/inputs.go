package ranked

import (
	"math"

	"tarry/baselines/score"
	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/law"
)

// Reader reads the inputs of jobs out of a view. It remembers what the network did to a job when it
// last contested, and at some instants what is the same for all jobs: the pressure of the queue,
// the lull and the doubt. Build it with NewReader.
type Reader struct {
	law       law.Law // of jobs without a prediction
	predicted bool    // jobs have the laws of the run's predictor
	exact     bool    // jobs have their true run times as laws without spread
	lease     sim.Time
	steps     *steps // never written: shared by copies

	byLaw   []ahead // of the law above, per step of progress; never written: shared by copies
	jobs    []known
	common  score.Common // in steps
	sampled sim.Time     // when they were looked at; -1 = never
	came    arrivals
	doubts  bool // the doubt is read
	lefts   bool // the time that is left is read
}

// known is what was read of a job before, and may still hold.
type known struct {
	slowed    float64 // up to when it last contested
	lnGPUs    float64
	ahead     // by the predictor's law at step k
	k         int32
	preempted int32
	came      bool
	lnPre     float64 // of preempted
}

// ahead is what a law states of a job after some progress: the inputs Rank and Left.
type ahead struct{ rank, left float64 }

// NewReader reads with a rule's law of run times, or the law of the run's predictor where there is
// one and the rule asks for it. Common is sampled every quarter of a lease.
func NewReader(r *score.Rule, lease sim.Time) *Reader {
	c := &Reader{law: law.Law{LogMedian: math.Log(r.Law.MedianS), Shape: law.LogNormal(r.Law.Spread)},
		predicted: r.Predictor != "", doubts: r.Gated(), lefts: r.Func.Foresees(),
		lease: lease, steps: newSteps(), sampled: -1, byLaw: make([]ahead, numSteps)}
	for k := range c.byLaw {
		c.byLaw[k] = c.look(&c.law, k)
	}
	return c
}

// Knows is what the inputs read that a function reads; nil = all.
func (r *Reader) Knows(f *score.Func) know.Set {
	k := know.Nothing
	ranks := f == nil || readsAhead(f)
	if ranks || f.Reads(score.Attained) || f.Reads(score.Slowed) {
		k |= know.Done
	}
	switch {
	case !ranks && !f.Reads(score.Spread) && !f.Gated() && !r.doubts:
	case r.exact:
		k |= know.Work
	case r.predicted:
		k |= know.Estimate
	}
	return k
}

// readsAhead reports whether a function reads what a law or a request states of the time to come.
func readsAhead(f *score.Func) bool {
	return f.Reads(score.Rank) || f.Reads(score.Left) || f.Reads(score.Request)
}

// ReadFor has what another function than the rule's may read read as well, and with gates the doubt;
// call it before Start.
func (r *Reader) ReadFor(f *score.Func, gates bool) {
	r.doubts, r.lefts = r.doubts || gates || f.Gated(), r.lefts || f.Foresees()
}

// Start is called at the first instant of a run.
func (r *Reader) Start(v *sim.View) {
	r.jobs, r.came = make([]known, v.NumJobs()), arrivals{}
	for j := range r.jobs {
		r.jobs[j].k = -1
	}
}

// Begin takes in an instant; asked is how many GPUs the jobs without GPUs ask for. It reports
// whether an input moved that is the same for all jobs and that f reads.
func (r *Reader) Begin(v *sim.View, asked int, f *score.Func) bool {
	if r.sampled >= 0 && v.Now()-r.sampled < r.lease/4 {
		return false
	}
	old := r.common
	r.common.Pressure = step(fixmath.Log1p(float64(asked) / float64(v.Topology().GPUs())))
	r.common.Lull = step(r.came.lull(v.Now()))
	r.common.Doubt = step((1 - r.common.Lull) * r.came.doubt())
	r.sampled = v.Now()
	return r.common.Pressure != old.Pressure && f.Reads(score.Pressure) ||
		r.common.Lull != old.Lull && f.Reads(score.Lull) || r.common.Doubt != old.Doubt && f.Reads(score.Doubt)
}

// Enter notes how much the network has slowed a job that begins to contest.
func (r *Reader) Enter(v *sim.View, j sim.JobID) {
	k := &r.jobs[j]
	if !k.came {
		k.came = true
		spread := 0.0
		if r.doubts {
			l := r.Law(v, j)
			spread = l.Sigma()
		}
		r.came.note(v.Job(j).Submit(), spread)
	}
	if k.slowed = 0; k.lnGPUs == 0 {
		k.lnGPUs = math.Log(float64(v.Job(j).GPUs()))
	}
	if run := float64(v.Run(j).Time()); run > 0 {
		if done := v.Run(j).Done(); done >= 0 { // not NaN
			k.slowed = min(1, max(0, 1-math.Round(done/(run*v.Job(j).Width())*resolution)/resolution))
		}
	}
}

// resolution is the grain of the mean fraction of full speed: what is below it is rounding of the
// clock.
const resolution = 1e9

// Common are the inputs that are the same for all jobs.
func (r *Reader) Common() score.Common { return r.common }

// Read writes the inputs of a job. until is when one of the inputs that f reads may change although
// nothing happens to the job and its speed stays; Common is not among them. f is nil where
// all are read.
func (r *Reader) Read(v *sim.View, j sim.JobID, f *score.Func, x *score.Inputs) (until sim.Time) {
	reads := func(i score.Input) bool { return f == nil || f.Reads(i) }
	left, now, running := sim.Never, v.Now(), v.Run(j).State() == sim.Running
	have := &r.jobs[j]
	if n := int32(v.Run(j).Preemptions()); n != have.preempted {
		have.preempted, have.lnPre = n, fixmath.Log1p(float64(n))
	}
	*x = score.Inputs{score.GPUs: have.lnGPUs, score.Preempted: have.lnPre, score.Slowed: have.slowed,
		score.Pressure: r.common.Pressure, score.Lull: r.common.Lull,
		score.Doubt: r.common.Doubt}
	if f == nil || readsAhead(f) || f.Reads(score.Attained) || f.Reads(score.Spread) {
		left = r.progress(v, j, x)
	}
	if reads(score.Age) {
		k, rest := r.steps.of(now - v.Job(j).Submit())
		x[score.Age], left = float64(k)*grain, min(left, rest)
	}
	switch {
	case running:
		x[score.Running] = 1
		x[score.Exposed] = 1 - v.Run(j).Speed().ComputeFrac
		x[score.Level] = 0.5 * float64(max(v.Run(j).Level(), cluster.LevelMachine)-cluster.LevelMachine)
	case reads(score.Wait):
		k, rest := r.steps.of(now - v.Run(j).Since())
		x[score.Wait], left = float64(k)*grain, min(left, rest)
	}
	if left >= sim.Never-now {
		return sim.Never
	}
	return now + max(1, left)
}

// progress writes what follows from a job's law and its progress, and states how long that holds at
// the present speed.
func (r *Reader) progress(v *sim.View, j sim.JobID, x *score.Inputs) sim.Time {
	width := v.Job(j).Width()
	ran := 0.0
	if done := v.Run(j).Done(); done > 0 { // not NaN
		ran = done / width
	}
	k, rest := r.steps.of(sim.Time(ran))
	x[score.Attained] = float64(k) * grain
	if l, own := r.ownLaw(v, j); own {
		have := &r.jobs[j]
		if have.k != int32(k) {
			have.k, have.ahead = int32(k), r.look(&l, k)
		}
		x[score.Spread], x[score.Rank], x[score.Left] = l.Sigma(), have.rank, have.left
	} else {
		x[score.Spread], x[score.Rank], x[score.Left] = r.law.Sigma(), r.byLaw[k].rank, r.byLaw[k].left
	}
	if x[score.Request] = x[score.Left]; r.lefts && v.Job(j).Request() > 0 { // without one the law's
		x[score.Request] = lnTime((v.Job(j).Request() - r.steps.at[k]).Seconds())
	}
	if v.Run(j).State() != sim.Running || rest == sim.Never {
		return sim.Never
	}
	rate := v.Run(j).Speed().Rate / width
	if at := float64(rest) / rate; at < float64(sim.Never) {
		return sim.Time(at)
	}
	return sim.Never
}

// Law is the law of a job's run time by which it is ranked.
func (r *Reader) Law(v *sim.View, j sim.JobID) law.Law {
	if l, own := r.ownLaw(v, j); own {
		return l
	}
	return r.law
}

// ownLaw is the law of a job that has one of its own.
func (r *Reader) ownLaw(v *sim.View, j sim.JobID) (law.Law, bool) {
	switch {
	case r.exact:
		return law.Law{LogMedian: math.Log(v.Job(j).Work() / v.Job(j).Width() / 1e6)}, true
	case r.predicted:
		return v.Job(j).Law()
	}
	return law.Law{}, false
}

// look is what a law states at a step of progress; the time left where it is read.
func (r *Reader) look(l *law.Law, k int) ahead {
	ran := r.steps.at[k].Seconds()
	a := ahead{rank: lnTime(l.Rank(ran))}
	if r.lefts {
		a.left = lnTime(l.Left(ran))
	}
	return a
}

// lnTime is the logarithm of a time to come, in minutes.
func lnTime(s float64) float64 { return math.Log(max(shortestS, s) / unitS) }

// shortestS bounds times to come from below, s: a job that has outrun an exact prediction has the
// rank 0.
const shortestS = 1

// CopyFrom makes r equal to another, in its own memory.
func (r *Reader) CopyFrom(o *Reader) {
	jobs := r.jobs
	*r = *o
	r.jobs = append(jobs[:0], o.jobs...)
}

// SetExact sets whether jobs have their true run times as laws, which is clairvoyant.
func (r *Reader) SetExact(exact bool) { r.exact = exact }
