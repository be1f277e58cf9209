package rollout

import (
	"slices"

	"tarry/baselines/over"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// gate is any policy, some of whose starts are not made for a while. The policy takes such a job for
// started; when the job may start, the gate reports to it that the job has failed and waits. So a
// job is delayed, or goes first while all others are delayed, and no key of the policy is
// needed: it has to cope with failures anyway.
type gate struct {
	of    over.Host
	holds []hold
	first sim.JobID // all others are held back until it starts, or until end; NoJob = none
	end   sim.Time
	evict sim.JobID // is preempted at the next decision; NoJob = none
	owed  []owed
	again bool // something can start a microsecond later
	wake  plan.Alarm

	moved  []moved // at one instant
	events []sim.Event
}

// hold holds a job back for a while, or until all jobs that wait are held back.
type hold struct {
	job   sim.JobID
	until sim.Time
}

// owed is a job that waits, though the policy takes it for running.
type owed struct {
	job  sim.JobID
	soon bool // the policy gets that at the next instant, though the job is delayed
}

func newGate(of over.Host) *gate {
	return &gate{of: of, first: sim.NoJob, evict: sim.NoJob, wake: plan.Alarm{Key: over.PlannedKey}}
}

// Knows is what the policy reads.
func (g *gate) Knows() know.Set { return g.of.Knows() }

// Decide implements sim.Policy.
func (g *gate) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	g.wake.Rung(v.Now())
	g.again = false
	g.lapse(v)
	g.tell(v)
	n := len(out)
	out = g.of.AskOf(v, g.events, out)
	out = g.pass(v, out, n)
	if g.evict != sim.NoJob {
		out = g.stop(v, out, n)
	}
	return g.wake.Set(v.Now(), g.next(v), out)
}

// Settled implements what sim.Engine.PlayOut asks of policies: the policy that is played states that
// it is, and no job waits to be started.
func (g *gate) Settled(v *sim.View) bool {
	of, ok := g.of.Cloner.(interface{ Settled(v *sim.View) bool })
	return ok && len(g.holds)+len(g.owed) == 0 && g.first == sim.NoJob && of.Settled(v)
}

// lapse ends what holds no more.
func (g *gate) lapse(v *sim.View) {
	now := v.Now()
	if g.first != sim.NoJob && (v.Run(g.first).State() != sim.Waiting || g.end <= now) {
		g.first = sim.NoJob
	}
	g.holds = slices.DeleteFunc(g.holds, func(h hold) bool {
		s := v.Run(h.job).State()
		return h.until <= now || s != sim.Waiting && s != sim.Draining && h.job != g.evict
	})
	if g.first == sim.NoJob && g.waiting(v) == v.Waiting() {
		g.holds = slices.DeleteFunc(g.holds, func(h hold) bool { return h.job != g.evict })
	}
}

// waiting counts the waiting jobs that are held back by themselves.
func (g *gate) waiting(v *sim.View) (n int) {
	for _, h := range g.holds {
		if v.Run(h.job).State() == sim.Waiting {
			n++
		}
	}
	return n
}

// held reports whether a job may not start.
func (g *gate) held(v *sim.View, j sim.JobID) bool {
	switch {
	case g.first != sim.NoJob:
		return j != g.first
	case v.Run(j).State() == sim.Draining:
		return true
	}
	return g.holds != nil && slices.ContainsFunc(g.holds, func(h hold) bool { return h.job == j })
}

// tell makes the events that the policy gets: its own ones, and failures of the jobs that it takes
// for running and that may start.
func (g *gate) tell(v *sim.View) {
	g.events = g.events[:0]
	told := len(g.owed) == 0
	for _, ev := range g.of.Events(v) {
		if !told && ev.Kind >= sim.Fail {
			g.report(v)
			told = true
		}
		if ev.Kind != sim.Drained || !slices.ContainsFunc(g.owed, func(o owed) bool { return o.job == ev.Job }) {
			g.events = append(g.events, ev)
		}
	}
	if !told {
		g.report(v)
	}
}

func (g *gate) report(v *sim.View) {
	g.owed = slices.DeleteFunc(g.owed, func(o owed) bool {
		switch s := v.Run(o.job).State(); {
		case s == sim.Draining || s == sim.Waiting && g.held(v, o.job) && !o.soon:
			return false
		case s != sim.Waiting:
			return true
		}
		g.events = append(g.events, sim.Event{Kind: sim.Fail, Job: o.job})
		return true
	})
}

// owe notes a job that the policy takes for running; it reports whether it is new.
func (g *gate) owe(j sim.JobID, soon bool) bool {
	if slices.ContainsFunc(g.owed, func(o owed) bool { return o.job == j }) {
		return false
	}
	g.owed = append(g.owed, owed{j, soon})
	return true
}

// pass leaves out the starts of jobs that are held back, and what is decided of jobs that the policy
// takes for running.
func (g *gate) pass(v *sim.View, out []sim.Decision, n int) []sim.Decision {
	g.moved = g.moved[:0]
	kept := out[:n]
	for _, d := range out[n:] {
		switch d.Kind {
		case sim.WakeAt, sim.Cordon, sim.Uncordon, sim.PowerOff, sim.PowerOn:
		case sim.Start, sim.Reject:
			if d.Kind == sim.Start && g.held(v, d.Job) {
				g.again = g.owe(d.Job, false) || g.again
				continue
			}
			if g.state(v, d.Job) != sim.Waiting {
				continue
			}
			g.moved = append(g.moved, moved{d.Job, sim.Running})
		default:
			if g.state(v, d.Job) != sim.Running {
				continue
			}
			if d.Kind == sim.Preempt {
				g.moved = append(g.moved, moved{d.Job, after(v, d.Job)})
			}
		}
		kept = append(kept, d)
	}
	return kept
}

// moved is the state of a job after decisions of this instant.
type moved struct {
	job sim.JobID
	to  sim.JobState
}

// state is the state of a job after the decisions so far.
func (g *gate) state(v *sim.View, j sim.JobID) sim.JobState {
	for i := len(g.moved) - 1; i >= 0; i-- {
		if g.moved[i].job == j {
			return g.moved[i].to
		}
	}
	return v.Run(j).State()
}

// after is the state of a running job once it is preempted.
func after(v *sim.View, j sim.JobID) sim.JobState {
	if v.Run(j).State() == sim.Running && v.Run(j).CheckpointTime() > 0 {
		return sim.Draining
	}
	return sim.Waiting
}

// stop preempts the job that is to be evicted, unless the policy has decided something of it.
func (g *gate) stop(v *sim.View, out []sim.Decision, n int) []sim.Decision {
	j := g.evict
	g.evict = sim.NoJob
	touched := func(d sim.Decision) bool {
		return d.Job == j && (d.Kind == sim.Preempt || d.Kind == sim.Migrate || d.Kind == sim.Resize)
	}
	if v.Run(j).State() != sim.Running || slices.ContainsFunc(out[n:], touched) {
		return out
	}
	g.again = after(v, j) == sim.Waiting || g.again // no event follows
	g.owe(j, true)
	return append(out, sim.Decision{Kind: sim.Preempt, Job: j})
}

// next is when the gate looks again.
func (g *gate) next(v *sim.View) sim.Time {
	at := sim.Never
	for _, h := range g.holds {
		at = min(at, h.until)
	}
	switch {
	case g.first == sim.NoJob:
		left := v.Waiting() // of jobs that may start
		for _, m := range g.moved {
			if m.to == sim.Running && v.Run(m.job).State() == sim.Waiting {
				left--
			}
		}
		n := g.waiting(v)
		g.again = g.again || n > 0 && n == left
	case g.state(v, g.first) == sim.Running:
		g.again = true
	default:
		at = min(at, g.end)
	}
	if g.again {
		at = v.Now() + 1
	}
	return at
}

// change makes one of the changes that a planner compares, from this instant on.
func (g *gate) change(c change, until sim.Time) {
	g.holds = slices.DeleteFunc(g.holds, func(h hold) bool { return h.job == c.job })
	switch c.how {
	case promote:
		g.first, g.end = c.job, until
	case evict:
		g.evict = c.job
		fallthrough
	case delay:
		g.holds = append(g.holds, hold{c.job, until})
	case cut:
		g.holds = g.holds[:0]
		for _, j := range c.more {
			g.holds = append(g.holds, hold{j, until})
		}
	}
}

// Clone gives an independent copy. It is taken between decisions.
func (g *gate) Clone() sim.Policy {
	c := &gate{of: g.of.Copy(), first: g.first, end: g.end, evict: g.evict, wake: g.wake}
	c.holds, c.owed = slices.Clone(g.holds), slices.Clone(g.owed)
	return c
}
