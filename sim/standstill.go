package sim

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// patience is the number of instants over which nothing is done before a run counts as one that
// never ends, and the number of outages over which it waits for one that helps.
const patience = 1 << 14

// span is what the engine remembers of the time since it last looked for progress.
type span struct {
	still        int    // instants since, at which jobs held GPUs
	armed        bool   // the marks below are of this span
	since        Time   // its first instant
	next         int    // jobs that had come
	here         int    // jobs in the system
	work         uint64 // what was left of all of them, hashed
	strikes      int    // outages since
	longest      Time   // the longest pause of the run
	idleRestarts int    // restarts and failures without progress: see livelock.go
	instants     int    // instants without progress, of any kind
}

// look is called at every patience-th instant at t, before its events. It returns an error where
// the run can never end: since it was last called, and over more than twice the longest pause, no
// job did any work, ended or arrived, none will arrive, and as many outages, if more are due, did
// not help. Timers, leases and watches alone may then fire for ever, whatever the policy decides at
// them.
func (e *Engine) look(t Time) error {
	s := &e.idle
	s.still = 0
	if e.nextSubmit != Never || e.cfg.Until > 0 || e.works(t) {
		s.armed = false
		return nil
	}
	if work := e.workLeft(); !s.armed || s.next != e.next || s.here != e.inSystem || s.work != work {
		*s = span{armed: true, since: e.now, next: e.next, here: e.inSystem, work: work, longest: s.longest,
			idleRestarts: s.idleRestarts, instants: s.instants}
		return nil
	}
	if (t-s.since)/2 <= s.longest || e.hasOutage && s.strikes < patience {
		return nil // look again later, with the same beginning
	}
	return e.stalled(fmt.Sprintf("no job has done any work since %v, over %d instants or more", s.since, patience))
}

// works reports whether a job works that was not settled since.
func (e *Engine) works(t Time) bool {
	return slices.ContainsFunc(e.running, func(id JobID) bool { r := e.of(id); return r.rate > 0 && r.settled < t })
}

// workLeft is a hash of what is left of each job. While no job comes or ends they keep their rows,
// so it changes where one works.
func (e *Engine) workLeft() uint64 {
	h := uint64(14695981039346656037)
	for i := range e.runs {
		h = bits.RotateLeft64((h^math.Float64bits(e.runs[i].left))*1099511628211, 29)
	}
	return h
}

// standstill is the error of a run that stands still for ever.
type standstill struct{ error }

// stalled states that the run stands still for ever, and names jobs.
func (e *Engine) stalled(why string) error { return standstill{e.namesStalled(why)} }

func (e *Engine) namesStalled(why string) error {
	var at []JobID
	for _, id := range e.running {
		if e.of(id).rate == 0 {
			at = append(at, id)
		}
	}
	if len(e.running) == 0 {
		return fmt.Errorf("at %v: %s: jobs run out of memory of GPUs again and again, expected a policy that gives "+
			"them GPUs with enough", e.now, why)
	}
	if len(at) == 0 {
		return fmt.Errorf("at %v: %s: every pause of the %d jobs that hold GPUs, among them job %q, is cut short or "+
			"prolonged, expected costs that are shorter than leases and rounds",
			e.now, why, len(e.running), e.job(slices.Min(e.running)).ID)
	}
	slices.Sort(at)
	var names []string
	for _, id := range at[:min(3, len(at))] {
		names = append(names, e.holds(id))
	}
	return fmt.Errorf("at %v: %d jobs run at rate 0, among them job %q, and %s (%s), "+
		"expected a policy that tunes, moves or preempts them, a trace without them, "+
		"or speeds above 0, such as gavel:DIR,unfit=0.01",
		e.now, len(at), e.job(at[0]).ID, why, strings.Join(names, ", "))
}

// holds describes a running job by its model and its GPUs.
func (e *Engine) holds(id JobID) string {
	j, gpus := e.job(id), e.of(id).gpus
	var types []string
	for _, g := range gpus {
		if typ := e.top.Type(e.top.Machine(g)); typ != "" && !slices.Contains(types, typ) {
			types = append(types, typ)
		}
	}
	text := fmt.Sprintf("%q", j.ID)
	if j.Model != "" {
		text += fmt.Sprintf(" of model %q", j.Model)
	}
	if text += fmt.Sprintf(" on %d", len(gpus)); types != nil {
		return text + " x " + strings.Join(types, "+")
	}
	return text + " GPUs"
}
