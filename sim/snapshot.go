package sim

import (
	"errors"
	"slices"

	"tarry/sim/cluster"
	"tarry/sim/law"
)

// Snapshot is the complete state of a run between two instants. It can be restored any number
// of times into engines of the same Config; the runs that follow are identical.
// A run of streamed jobs cannot be restored.
type Snapshot struct {
	now, areaAt        Time
	next               int
	timers             []Time
	outage             Outage
	hasOutage          bool
	outageSource       Outages
	runs               []run
	at                 []int32
	past               []Record
	vacant             []int32
	leaving            []JobID
	nextSubmit         Time
	streamed           bool
	events             queue
	free               *cluster.Free
	used               []int16
	owner              []JobID
	mates              sharers
	leftBeside         []JobID
	gpuUsed            []int64
	down, outages      []int32
	cordoned           []bool
	cpuUsed, memUsed   []int64
	running            []JobID
	counts             [5]int
	special            []special
	specialIdle        []int32
	nEvents            int64
	idle               span
	areaJobs, areaWait area
	busyArea           Time
	ended              bool
	batch              []Event
	pred               Predictor
	laws               []law.Law
}

// Snapshot copies the state; it is taken after Apply, before the first Next, or between Next and
// Apply, if nothing was planned on the view's free list. In the last case the run continues from a
// Restore with the decisions of that instant, on the view that Next gave.
func (e *Engine) Snapshot() *Snapshot {
	s := &Snapshot{now: e.now, areaAt: e.areaAt, next: e.next, timers: slices.Clone(e.timers), outage: e.outage,
		hasOutage: e.hasOutage,
		runs:      slices.Clone(e.runs), at: slices.Clone(e.at), past: slices.Clone(e.past), vacant: slices.Clone(e.vacant),
		leaving:    slices.Clone(e.leaving),
		nextSubmit: e.nextSubmit, streamed: e.own != nil, free: cluster.NewFree(e.top), used: slices.Clone(e.used),
		owner: slices.Clone(e.owner),
		down:  slices.Clone(e.down), outages: slices.Clone(e.outages), cordoned: slices.Clone(e.cordoned),
		cpuUsed: slices.Clone(e.cpuUsed), memUsed: slices.Clone(e.memUsed),
		running: slices.Clone(e.running), counts: [5]int{e.waiting, e.draining, e.busy, e.downGPUs, e.inSystem},
		nEvents: e.nEvents, idle: e.idle,
		areaJobs: e.areaJobs, areaWait: e.areaWait, busyArea: e.busyArea, ended: e.ended,
		batch: slices.Clone(e.batch), special: slices.Clone(e.special), specialIdle: slices.Clone(e.specialIdle),
		leftBeside: slices.Clone(e.leftBeside), gpuUsed: slices.Clone(e.gpuUsed)}
	if e.outageSource != nil {
		s.outageSource = e.outageSource.Clone()
	}
	if e.predictor != nil {
		s.pred, s.laws = e.predictor.Clone(), slices.Clone(e.laws)
	}
	for i := range s.runs {
		s.runs[i].gpus = slices.Clone(s.runs[i].gpus)
	}
	s.mates.copyFrom(&e.mates)
	s.events.copyFrom(&e.events)
	s.free.CopyFrom(e.free)
	return s
}

// Restore sets the engine to a snapshot of a run of the same Config.
func (e *Engine) Restore(s *Snapshot) error {
	if s.streamed || e.own != nil {
		return errors.New("sim: a run of streamed jobs cannot be restored, expected jobs that are held")
	}
	e.now, e.areaAt, e.next, e.outage, e.hasOutage = s.now, s.areaAt, s.next, s.outage, s.hasOutage
	e.timers = append(e.timers[:0], s.timers...)
	if s.outageSource != nil {
		e.outageSource = s.outageSource.Clone()
	}
	if s.pred != nil {
		e.predictor = s.pred.Clone()
		copy(e.laws, s.laws)
	}
	for i := range e.runs {
		e.discard(&e.runs[i])
	}
	e.recycle() // so that a run restored again and again needs no more memory
	e.runs = append(e.runs[:0], s.runs...)
	for i := range e.runs {
		r, gpus := &e.runs[i], s.runs[i].gpus
		if r.gpus = nil; len(gpus) > 0 {
			e.hold(r, gpus)
		}
	}
	copy(e.at, s.at)
	copy(e.past, s.past)
	e.vacant, e.leaving, e.nextSubmit = append(e.vacant[:0], s.vacant...), append(e.leaving[:0], s.leaving...),
		s.nextSubmit
	e.events.copyFrom(&s.events)
	e.free.CopyFrom(s.free)
	copy(e.used, s.used)
	copy(e.owner, s.owner)
	e.mates.copyFrom(&s.mates)
	e.leftBeside = append(e.leftBeside[:0], s.leftBeside...)
	copy(e.gpuUsed, s.gpuUsed)
	copy(e.down, s.down)
	copy(e.outages, s.outages)
	copy(e.cordoned, s.cordoned)
	copy(e.cpuUsed, s.cpuUsed)
	copy(e.memUsed, s.memUsed)
	e.running = append(e.running[:0], s.running...)
	e.special, e.specialIdle = append(e.special[:0], s.special...), append(e.specialIdle[:0], s.specialIdle...)
	e.waiting, e.draining, e.busy, e.downGPUs, e.inSystem = s.counts[0], s.counts[1], s.counts[2], s.counts[3],
		s.counts[4]
	e.nEvents, e.idle, e.areaJobs, e.areaWait, e.busyArea, e.ended = s.nEvents, s.idle, s.areaJobs, s.areaWait,
		s.busyArea, s.ended
	e.batch, e.touched, e.err, e.earliest = append(e.batch[:0], s.batch...), e.touched[:0], nil, e.now+1
	return e.replace()
}

// replace gives a coupled speed model the running jobs.
func (e *Engine) replace() error {
	if e.coupled == nil {
		return nil
	}
	e.coupled.Reset()
	for id := range JobID(e.next) {
		if r := e.of(id); len(r.gpus) > 0 && !r.out {
			q := e.query(id, e.of(id).gpus)
			if err := e.connect(q); err != nil {
				return err
			}
		}
	}
	e.touched = e.coupled.Touched(e.touched)[:0] // the saved rates hold
	return nil
}
