package over

import (
	"cmp"
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// Taker is a policy that can take over a run that another one has decided so far.
type Taker interface {
	Cloner
	// TakesOver reports whether it can, with its settings.
	TakesOver() bool
	// TakeOver has a policy that has not begun decide from now on. jobs are all that wait, run or write a
	// checkpoint, by the instant since when they do. Decide follows, without events of jobs or timers.
	TakeOver(v *sim.View, jobs []sim.JobID, out []sim.Decision) []sim.Decision
}

// Turns are policies that decide a run in turn. Who decides next begins anew, with what can be seen of
// the run (Taker); so what it did in earlier turns is forgotten, such as waits that tuned timers.
//
//  1. At each instant the caller names the member that decides (Decide).
//  2. Where that is another one than before, the timers of the member before are taken back, and the
//     new one takes over all jobs.
type Turns struct {
	members []Taker // none has begun
	of      int     // the member that decides, -1 before the first
	active  Host
	wakes   plan.Alarm  // of the policy over them
	idle    int         // turns in a row in which nothing ran
	jobs    []sim.JobID // all in the system, and some that have left
	timers  []int32     // that the active one asked for
	events  []sim.Event
}

// NewTurns makes turns of members, which are not driven by anyone else, for a policy with a timer.
func NewTurns(members []Taker, timer int32) *Turns {
	return &Turns{members: members, of: -1, wakes: plan.Alarm{Key: timer}}
}

// ReadTaker makes a member of NAME or NAME:key=value,...
func (parse Parser) ReadTaker(spec string, rule cluster.Rule) (Taker, error) {
	p, err := parse(spec, rule)
	if err != nil {
		return nil, err
	}
	if t, ok := p.(Taker); ok && t.TakesOver() {
		return t, nil
	}
	return nil, fmt.Errorf("%s cannot take over a run from another policy", spec)
}

// Knows is what any member reads.
func (t *Turns) Knows() (all know.Set) {
	for _, m := range t.members {
		all |= m.Knows()
	}
	return all
}

// Len is how many members there are.
func (t *Turns) Len() int { return len(t.members) }

// Jobs drops the jobs that have left the system, and gives the others in the order in which they came.
// It is valid until the next call.
func (t *Turns) Jobs(v *sim.View) []sim.JobID {
	t.jobs = slices.DeleteFunc(t.jobs, func(j sim.JobID) bool {
		switch v.Run(j).State() {
		case sim.Waiting, sim.Running, sim.Draining:
			return false
		}
		return true
	})
	return t.jobs
}

// Hear takes in who arrives. It is called once at each instant, before Decide.
func (t *Turns) Hear(v *sim.View) {
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			t.jobs = append(t.jobs, ev.Job)
		}
	}
}

// Decide lets a member decide the instant.
func (t *Turns) Decide(v *sim.View, member int, out []sim.Decision) []sim.Decision {
	from := len(out)
	switch {
	case t.of == member:
		out = t.active.Ask(v, out)
	case t.of < 0:
		t.of, t.active = member, New(t.members[member].Clone().(Taker), t.wakes.Key)
		out = t.active.Ask(v, out)
	default:
		out = t.handOver(v, member, out)
	}
	for _, d := range out[from:] {
		if d.Kind == sim.WakeAt && d.At < sim.Never && !slices.Contains(t.timers, d.Key) {
			t.timers = append(t.timers, d.Key)
		}
	}
	return out
}

// mostIdle is how many turns in a row may pass in which nothing runs while jobs wait.
const mostIdle = 100

// Wake asks for an instant at which a next turn begins, after Decide gave all decisions of this one:
// none where the system is empty, or nothing has run for many turns.
func (t *Turns) Wake(v *sim.View, at sim.Time, out []sim.Decision) []sim.Decision {
	busy := len(v.Running())+v.Draining() > 0 ||
		slices.ContainsFunc(out, func(d sim.Decision) bool { return d.Kind == sim.Start })
	if t.wakes.Rung(v.Now()) {
		t.idle++
	}
	if busy {
		t.idle = 0
	}
	if !busy && (v.Waiting() == 0 || t.idle >= mostIdle) {
		at = sim.Never
	}
	return t.wakes.Set(v.Now(), at, out)
}

// handOver begins the turn of a member.
func (t *Turns) handOver(v *sim.View, member int, out []sim.Decision) []sim.Decision {
	for _, key := range t.timers {
		out = append(out, sim.Decision{Kind: sim.WakeAt, Key: key, At: sim.Never})
	}
	t.timers = t.timers[:0]
	jobs := slices.Clone(t.Jobs(v))
	slices.SortFunc(jobs, func(a, b sim.JobID) int {
		return cmp.Or(cmp.Compare(v.Run(a).Since(), v.Run(b).Since()), cmp.Compare(a, b))
	})
	p := t.members[member].Clone().(Taker)
	t.of, t.active = member, New(p, t.wakes.Key)
	out = p.TakeOver(v, jobs, out)
	t.events = t.events[:0]
	for _, ev := range v.Events() {
		if ev.Job == sim.NoJob && ev.Kind != sim.Timer {
			t.events = append(t.events, ev)
		}
	}
	return t.active.AskOf(v, t.events, out)
}

// Copy gives an independent copy between two decisions. Members that have not begun are shared.
func (t *Turns) Copy() *Turns {
	c := *t
	if t.of >= 0 {
		c.active = t.active.Copy()
	}
	c.jobs, c.timers, c.events = slices.Clone(t.jobs), slices.Clone(t.timers), nil
	return &c
}
