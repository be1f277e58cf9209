package plan

import "tarry/sim"

// Alarm is one timer of a policy: it asks for the Timer events of its key, and remembers the
// instant that it asked for, so that it asks again only where that changes. A timer that has fired
// counts as none. The zero value has key 0 and no timer. A copy is independent.
type Alarm struct {
	// Key names the timer among a policy's, as in sim.Decision.
	Key int32
	at  sim.Time // the instant that was asked for; 0 = none
}

// Set appends the decision that moves the timer to an instant after now, or with Never takes it
// back. It appends nothing where the timer is so already.
func (a *Alarm) Set(now, at sim.Time, out []sim.Decision) []sim.Decision {
	if at == a.At(now) {
		return out
	}
	a.at = at
	return append(out, sim.Decision{Kind: sim.WakeAt, Key: a.Key, At: at})
}

// At is the instant for which the timer is set; Never where there is none after now.
func (a *Alarm) At(now sim.Time) sim.Time {
	if a.at <= now {
		return sim.Never
	}
	return a.at
}

// Rung reports whether the timer was due at now or before, and forgets it: it is true once.
func (a *Alarm) Rung(now sim.Time) bool {
	rung := a.at > 0 && a.at <= now
	if rung {
		a.at = 0
	}
	return rung
}
