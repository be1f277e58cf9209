package picking

import (
	"math"

	"tarry/sim"
)

// Input is one number that is known of a waiting job, or of the queue.
type Input int

// The inputs. None is the time that a job will really run.
const (
	// Request is ln(run time asked for / 1 min).
	Request Input = iota
	// Procs is ln(processors asked for).
	Procs
	// Share is processors asked for / the cluster's, 0 to 1.
	Share
	// Wait is ln(1 + time since it was submitted / 1 min).
	Wait
	// Late is ln(now / submit), both counted from the start of the log and at least 0.1 s: the part
	// of a log's time that it waits.
	Late
	// Stretch is ln(bounded slowdown that it would have if it started now): (wait + request) /
	// max(request, 10 s), at least 1.
	Stretch
	// Fits is 1 if as many processors are free as it asks for.
	Fits
	// Free is free processors / the cluster's, the same for all jobs.
	Free
	// Queue is ln(1 + processors that all waiting jobs ask for / the cluster's), the same
	// for all jobs.
	Queue
	// NumInputs is how many there are; the inputs of one job are in front of Free.
	NumInputs
)

// Inputs are the inputs of one job.
type Inputs [NumInputs]float64

// InputNames are how users write them: InputNames()[i] is Input i.
func InputNames() []string {
	return []string{"request", "procs", "share", "wait", "late", "stretch", "fits", "free", "queue"}
}

// Reader reads inputs. It keeps logarithms of what seldom changes; the zero value is ready.
type Reader struct {
	known       []known // by job
	at          sim.Time
	now, all    float64 // now is the logarithm of the instant
	free, queue float64
	units       int
}

// known is what was worked out for a job: from what it asks for and when it came, and at the
// present instant.
type known struct {
	asked, submit        sim.Time
	width                float64
	request, procs, came float64
	at                   sim.Time // the instant of wait and stretch
	wait, stretch        float64
}

// shortest bounds the run time of the slowdown from below, 10 s in microseconds; minute is one.
const (
	shortest = 10e6
	minute   = 60e6
)

// Look takes in the present instant and the jobs that wait.
func (r *Reader) Look(v *sim.View, waiting []sim.JobID) {
	if n := v.NumJobs(); len(r.known) != n {
		r.known = make([]known, n)
	}
	r.at, r.all, r.units = v.Now(), float64(v.Topology().GPUs()), v.Free().Total()
	r.now = math.Log(max(tenth, float64(r.at)))
	asked := 0.0
	for _, j := range waiting {
		asked += v.Job(j).Width()
	}
	r.free, r.queue = float64(r.units)/r.all, math.Log(1+asked/r.all)
}

// Read writes the inputs of a job that waits and asks for a run time, at the instant of the last
// Look.
func (r *Reader) Read(v *sim.View, j sim.JobID, asked sim.Time, x *Inputs) {
	k, width, submit := &r.known[j], v.Job(j).Width(), v.Job(j).Submit()
	if k.asked != asked || k.width != width || k.submit != submit {
		*k = known{asked: asked, submit: submit, width: width, at: -1,
			request: math.Log(float64(asked) / minute), procs: math.Log(width),
			came: math.Log(max(tenth, float64(submit)))}
	}
	if k.at != r.at {
		wait, run := float64(r.at-submit), float64(asked)
		k.at, k.wait, k.stretch = r.at, math.Log(1+wait/minute), 0
		if ratio := (wait + run) / max(run, shortest); ratio > 1 {
			k.stretch = math.Log(ratio)
		}
	}
	*x = Inputs{Request: k.request, Procs: k.procs, Share: width / r.all, Wait: k.wait, Late: r.now - k.came,
		Stretch: k.stretch, Free: r.free, Queue: r.queue}
	if width <= float64(r.units) {
		x[Fits] = 1
	}
}

// tenth is 0.1 s in microseconds: what the scores of RLScheduler's tables take for time zero.
const tenth = 1e5

// Clone gives an independent copy.
func (r *Reader) Clone() Reader {
	c := *r
	c.known = append([]known(nil), r.known...)
	return c
}
