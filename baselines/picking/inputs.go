package picking

import (
	"math"

	"tarry/sim"
	"tarry/sim/param"
)

// Input is one number that is known of a waiting job, or of the queue.
type Input int

// The inputs; InputText states what each is. None is the time that a job will really run. The
// inputs of one job are in front of Free.
const (
	Request Input = iota
	Procs
	Share
	Wait
	Late
	Stretch
	Fits
	Free
	Queue
	// NumInputs is how many there are.
	NumInputs
)

// InputText has a line for each Input: name, range, unit and meaning, parted by two spaces. Numbers
// are cut to 32 on either side where they are observed.
const InputText = `
request  -32..32  ln(min)  logarithm of the run time that is asked for
procs  -32..32  ln(processors)  logarithm of the processors that it asks for
share  0..1  share  processors that it asks for / processors of the cluster
wait  0..32  ln(1 + min)  time since it was submitted
late  0..32  ln(ratio)  ln(now / submit), both from the start of the log and at least 0.1 s, as the score F1 needs it
stretch  0..32  ln(slowdown)  logarithm of the bounded slowdown (10 s) that it would have if it started now
fits  0, 1  flag  1 if as many processors are free as it asks for
free  0..1  share  free processors / processors of the cluster, the same for all jobs
queue  0..32  ln(1 + ratio)  processors that all waiting jobs ask for / processors of the cluster, the same for all jobs
`

// Inputs are the inputs of one job.
type Inputs [NumInputs]float64

// InputNames are how users write them: InputNames()[i] is Input i.
func InputNames() []string { return param.Keys(InputText) }

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
