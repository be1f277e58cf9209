package sim

import (
	"math"
	"math/bits"

	"tarry/sim/cluster"
)

// run is the kernel's record of one job.
type run struct {
	id      JobID
	state   JobState
	level   cluster.Level
	expired bool
	lifted  bool // its GPUs are given back; gpus states which they were
	out     bool // it has run out of memory of a GPU
	early   bool // finishAt was rounded down
	watch   Counter
	share   int32
	cpu     int32
	mem     int32
	special int32 // 1 + index in Engine.special; 0 = none
	gpuMiB  int32 // memory of each GPU; 0 = not known
	gpus    []cluster.GPU
	// left is the work left at settled; saved the work left at the last checkpoint.
	left, saved float64
	// fell is saved when a fault last found more work saved than the one before.
	fell float64
	// savedRun is the running time at the last checkpoint, lostRun the time that faults and kills
	// undid, killedRun the part of it that kills did.
	savedRun, lostRun, killedRun Time
	rate, frac                   float64
	// Of progressive models: the work done at the next mark and at the last, the latter also as of
	// the last checkpoint; what is left at the next mark (0 = the job ends first), and the least
	// that settling leaves, which is goal where marks are rounded.
	mark, passed, savedMark float64
	goal, least             float64
	// due is when the job reaches its mark at its present speed, before rounding to a grid.
	due Time
	// settled is the instant up to which progress is booked; later than now while paused.
	settled Time
	// since is when the job got its GPUs, or began to wait.
	since    Time
	leaseEnd Time
	finishAt Time
	// watchAt is the bound of the watched counter; Never = no watch.
	watchAt Time
	// service is GPUs x run in GPU-microseconds.
	service            Time
	queue, run, paused Time
	comm, lost         float64
	// Marks of the present allocation: work, comm and run time when it began.
	work0, comm0 float64
	run0         Time
	// ckpt0 is the origin of the periodic checkpoints of the present allocation.
	ckpt0       Time
	start, end  Time
	preemptions int32
	migrations  int32
	faults      int32
	outs        int32 // how often it ran out of memory
	allocations int32
	byLevel     [5]int32
	at          int32 // index in Engine.running
}

// settle books progress up to now.
func (r *run) settle(now, every Time) {
	if now > r.settled {
		r.book(now, every)
	}
}

// book books progress up to now, which is later than what is booked.
func (r *run) book(now, every Time) {
	dt := now - r.settled
	if every > 0 {
		// The last periodic checkpoint in (settled, now] fixes what a fault or kill returns to.
		if c := r.ckpt0 + (now-r.ckpt0)/every*every; c > r.settled {
			r.saved = max(r.least, r.left-float64(r.rate*float64(c-r.settled)))
			r.savedRun, r.savedMark = r.run+(c-r.settled), r.passed
		}
	}
	r.left = max(r.least, r.left-float64(r.rate*float64(dt)))
	r.run += dt
	r.comm += float64((1 - r.frac) * float64(dt))
	r.service += dt * Time(len(r.gpus))
	r.settled = now
}

// fallBack returns a job to its last checkpoint.
func (r *run) fallBack() {
	r.lost += r.saved - r.left
	r.left, r.passed = r.saved, r.savedMark
	r.lostRun += r.run - r.savedRun
	r.savedRun = r.run
}

// slack absorbs the rounding of a division when a finish is predicted, in microseconds.
const slack = 1e-3

// predict sets finishAt, the end or the next mark, from left and rate. With a grid it is a multiple
// of it.
func (r *run) predict(grid Time) {
	r.early = false
	if r.rate == 0 { // stalled
		r.finishAt = Never
		return
	}
	d := (r.left - r.goal) / r.rate
	switch {
	case !(d < float64(maxTime)):
		r.finishAt = Never - 1
		return
	case grid > 0:
		r.round(d, grid)
		return
	}
	r.finishAt = r.settled + max(1, Time(math.Ceil(d-slack)))
}

// nextEvent is the earliest thing that will happen to a running job, whose work is needed for a
// watch of Progress alone.
func (r *run) nextEvent(work float64) (Time, EventKind) {
	at, kind := r.finishAt, Finish
	if r.goal > 0 || r.early {
		kind = r.kindAtFinish()
	}
	if !r.expired && (r.leaseEnd < at || r.leaseEnd == at && Expire < kind) {
		at, kind = r.leaseEnd, Expire
	}
	if r.watchAt != Never {
		if w := r.crossing(work); w < at || w == at && Cross < kind {
			at, kind = w, Cross
		}
	}
	return at, kind
}

// kindAtFinish is the kind of what happens at finishAt, where it is a mark or was rounded.
func (r *run) kindAtFinish() EventKind {
	switch {
	case r.goal > 0 && r.early:
		return earlyMark
	case r.goal > 0:
		return atMark
	}
	return earlyFinish
}

// crossing is when the watched counter reaches its bound, if the job runs on. The job's work is
// needed for Progress alone.
func (r *run) crossing(work float64) Time {
	if r.watch == Progress {
		return r.crossingWork(work)
	}
	left, per := r.watchAt-r.run, Time(1)
	if r.watch == Service {
		left, per = r.watchAt-r.service, Time(len(r.gpus))
	}
	return r.settled.add((left + per - 1) / per)
}

// area is a sum of products of two int64, kept exactly in 128 bits.
type area struct{ hi, lo uint64 }

func (a *area) add(x, y uint64) {
	hi, lo := bits.Mul64(x, y)
	var c uint64
	a.lo, c = bits.Add64(a.lo, lo, 0)
	a.hi, _ = bits.Add64(a.hi, hi, c)
}
