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
	lifted  bool // its GPUs are given back; gpus says which they were
	watch   Counter
	share   int32
	cpu     int32
	mem     int32
	odd     int32 // 1 + index in Engine.odds; 0 = none
	gpus    []cluster.GPU
	// left is the work left at settled; saved the work left at the last checkpoint.
	left, saved float64
	// savedRun is the running time at the last checkpoint, lostRun that which faults undid.
	savedRun, lostRun Time
	rate, frac        float64
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
	allocations int32
	byLevel     [5]int32
	at          int32 // index in Engine.running
}

// settle books progress up to now.
func (r *run) settle(now, every Time) {
	dt := now - r.settled
	if dt <= 0 {
		return
	}
	if every > 0 {
		// The last periodic checkpoint in (settled, now] fixes what a fault returns to.
		if c := r.ckpt0 + (now-r.ckpt0)/every*every; c > r.settled {
			r.saved = math.Max(0, r.left-float64(r.rate*float64(c-r.settled)))
			r.savedRun = r.run + (c - r.settled)
		}
	}
	r.left = math.Max(0, r.left-float64(r.rate*float64(dt)))
	r.run += dt
	r.comm += float64((1 - r.frac) * float64(dt))
	r.service += dt * Time(len(r.gpus))
	r.settled = now
}

// slack absorbs the rounding of a division when a finish is predicted, in microseconds.
const slack = 1e-3

// predict sets finishAt from left and rate.
func (r *run) predict() {
	if r.rate == 0 { // stalled
		r.finishAt = Never
		return
	}
	d := r.left / r.rate
	if !(d < float64(maxTime)) {
		r.finishAt = Never - 1
		return
	}
	r.finishAt = r.settled + max(1, Time(math.Ceil(d-slack)))
}

// nextEvent is the earliest thing that will happen to a running job.
func (r *run) nextEvent() (Time, EventKind) {
	at, kind := r.finishAt, Finish
	if !r.expired && r.leaseEnd < at {
		at, kind = r.leaseEnd, Expire
	}
	if r.watchAt != Never {
		if w := r.crossing(); w < at || w == at && Cross < kind {
			at, kind = w, Cross
		}
	}
	return at, kind
}

// crossing is when the watched counter reaches its bound, if the job runs on.
func (r *run) crossing() Time {
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
