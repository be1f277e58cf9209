package backfill

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Ending is a running job and when it is expected to end.
type Ending struct {
	At    sim.Time
	Job   sim.JobID
	Start sim.Time
}

// Ends keeps the running jobs by expected end. A job that outlives its estimate is extended: its
// estimate doubles until the end lies ahead.
type Ends []Ending

// Estimate is the run time that a job is expected to need: its estimated work at full speed. A
// job that a fault sent back counts in full again.
func Estimate(v *sim.View, j sim.JobID) sim.Time {
	d := v.Job(j).Estimate() / v.Job(j).Width()
	if !(d < float64(sim.Never/8)) {
		return sim.Never / 8
	}
	return max(1, sim.Time(math.Ceil(d-1e-3)))
}

// Guess is where the run times that reservations go by are from: false = the run's estimates, true
// = what users asked for. A job whose user asked for nothing is expected to run for ever.
type Guess bool

// Params describes the setting that ReadGuess reads for the catalogue.
const Params = `by         estimate: the estimated run time, of --predict or --estimate-error | request: what users asked for, whatever the
           run's predictor; a job without a request runs for ever`

// ReadGuess reads the setting of Params.
func ReadGuess(s *param.Set) Guess { return s.Enum("by", "estimate", "request") == "request" }

// Knows is what a policy has to declare for it.
func (g Guess) Knows() know.Set {
	if g {
		return know.Nothing
	}
	return know.Estimate
}

// Of is the run time that a job is expected to need, > 0.
func (g Guess) Of(v *sim.View, j sim.JobID) sim.Time {
	if !g {
		return Estimate(v, j)
	}
	if r := v.Job(j).Request(); r > 0 && r < sim.Never/8 {
		return r
	}
	return sim.Never / 8
}

// Add notes a job that starts and when it is expected to end.
func (e *Ends) Add(j sim.JobID, start, at sim.Time) {
	x := Ending{At: at, Job: j, Start: start}
	i, _ := slices.BinarySearchFunc(*e, x, compareEnds)
	*e = slices.Insert(*e, i, x)
}

func compareEnds(a, b Ending) int {
	switch {
	case a.At != b.At && a.At < b.At, a.At == b.At && a.Job < b.Job:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// Drop removes a job that ended.
func (e *Ends) Drop(j sim.JobID) (Ending, bool) {
	for i, x := range *e {
		if x.Job == j {
			*e = slices.Delete(*e, i, i+1)
			return x, true
		}
	}
	return Ending{}, false
}

// Extend moves the ends that have passed ahead of now and reports whether there were any.
func (e *Ends) Extend(now sim.Time) (moved bool) {
	for {
		if _, ok := e.ExtendFirst(now); !ok {
			return moved
		}
		moved = true
	}
}

// ExtendFirst moves the earliest end ahead of now if it has passed, and gives the job with its new
// end; false where no end has passed.
func (e *Ends) ExtendFirst(now sim.Time) (Ending, bool) {
	if len(*e) == 0 || (*e)[0].At > now {
		return Ending{}, false
	}
	x := (*e)[0]
	*e = slices.Delete(*e, 0, 1)
	d := x.At - x.Start
	for x.Start+d <= now && d < sim.Never/8 {
		d *= 2
	}
	x.At = max(x.Start+d, now+1)
	e.Add(x.Job, x.Start, x.At)
	return x, true
}

// Follow drops the jobs that ended or were stopped at this instant.
func (e *Ends) Follow(v *sim.View) {
	for _, ev := range v.Events() {
		if ev.Job != sim.NoJob && (ev.Kind == sim.Finish || Stopped(ev)) {
			e.Drop(ev.Job)
		}
	}
}

// Stopped reports whether a job, or a unit, was stopped by what befell it.
func Stopped(ev sim.Event) bool { return ev.Kind == sim.Fail || ev.Kind == sim.OutOfMemory }

// Reserve finds when a demand has enough GPUs by the expected ends, and what is over then in
// thousandths of GPUs; held thousandths of the free ones are not given out now. It is never, and
// nothing, where what runs does not suffice: units are down.
func (e Ends) Reserve(v *sim.View, q *plan.Queue, d *plan.Demand, held int64) (at sim.Time, extra int64) {
	free := int64(0)
	if f := v.Free().Of(d.Type); f != nil {
		free = int64(f.Total())*1000 - held
	}
	at = v.Now()
	for _, x := range e {
		if free >= d.Milli() && x.At > at { // what ends together is free together
			break
		}
		at = x.At
		free += Released(v, v.Topology(), x.Job, q.Demand(x.Job), d.Type)
	}
	if free < d.Milli() {
		return sim.Never / 2, 0
	}
	return at, free - d.Milli()
}

// SameGPUs reports whether two demands may want the same GPUs.
func SameGPUs(a, b *plan.Demand) bool { return a.Type == "" || b.Type == "" || a.Type == b.Type }

// Released is what the end of a running (or just started) job gives to a type.
func Released(v *sim.View, t *cluster.Topology, j sim.JobID, d *plan.Demand, typ string) int64 {
	if typ == "" || len(t.Types()) == 1 || d.Type == typ {
		return d.Milli()
	}
	if d.Type != "" {
		return 0
	}
	n := int64(0)
	for _, g := range v.Run(j).Held() {
		if t.Type(t.Machine(g)) == typ {
			n += int64(d.ShareMilli)
		}
	}
	return n
}
