// Package over is a policy that stands over another one, its host: how settings name the host, what
// the host must be able to do, and how it is asked.
//
//  1. Read takes the host from a setting: NAME, or "NAME:key=value,..." with settings of its own.
//  2. At each instant the policy asks the host, which gets the events of the instant but the timer
//     of the policy (Ask), or events as the policy has them (Events, AskOf).
//  3. The host's decisions are the policy's, to which it adds its own or which it changes.
package over

import (
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// Timers of policies over others, each its own, so that they stand over one another. Hosts that
// stand over no policy have smaller ones.
const (
	// NoTimer is for a policy that sets none.
	NoTimer    int32 = -1
	PlannedKey int32 = 9
	CassiniKey int32 = 1000
	SleepKey   int32 = 1001
	ShiftKey   int32 = 1002
	ClockKey   int32 = 1003
	MixKey     int32 = 1004
)

// Parser makes policies of NAME or NAME:key=value,...
type Parser func(spec string, rule cluster.Rule) (sim.Policy, error)

// Cloner is a policy that can be copied between two decisions.
type Cloner interface {
	sim.Policy
	Clone() sim.Policy
}

// Host is a policy under another one, with the methods of that policy beside its own.
type Host struct {
	Cloner
	timer  int32
	events []sim.Event
	view   sim.View
}

// Read takes the host from the setting of a key, by default def, for a policy with a timer. names
// are the policies that it may be; without names all that the parser makes. What is wrong is a fault
// of the settings: the host is then of no use.
func (parse Parser) Read(s *param.Set, rule cluster.Rule, key, def string, timer int32, names ...string) Host {
	spec := s.Text(key, def)
	name, _, _ := strings.Cut(spec, ":")
	if len(names) > 0 && !slices.Contains(names, strings.TrimSpace(name)) {
		s.FaultAt(key, "%s is %q, expected one of %s, with its settings or without", key, name,
			strings.Join(names, ", "))
		return Host{}
	}
	p, err := parse(spec, rule)
	if err != nil {
		s.FaultAt(key, "%s: %w", key, err)
		return Host{}
	}
	of, ok := p.(Cloner)
	if !ok {
		s.FaultAt(key, "%s is %s: it cannot be cloned, expected a policy that can", key, spec)
	}
	return New(of, timer)
}

// New is a policy as the host of one with a timer.
func New(p Cloner, timer int32) Host { return Host{Cloner: p, timer: timer} }

// Reads is what the host reads, and more that the policy over it does.
func (h *Host) Reads(more know.Set) know.Set { return h.Knows() | more }

// Ask lets the host decide on the events of the instant but the timer of the policy over it. With no
// other event it is not asked.
func (h *Host) Ask(v *sim.View, out []sim.Decision) []sim.Decision {
	events := h.Events(v)
	if len(events) == 0 {
		return out
	}
	return h.AskOf(v, events, out)
}

// Events gives the events of the instant but the timer of the policy over the host, which it may
// change before AskOf. They are valid until the next call.
func (h *Host) Events(v *sim.View) []sim.Event {
	h.events = h.events[:0]
	for _, ev := range v.Events() {
		if ev.Kind != sim.Timer || ev.Key != h.timer {
			h.events = append(h.events, ev)
		}
	}
	return h.events
}

// AskOf lets the host decide on events.
func (h *Host) AskOf(v *sim.View, events []sim.Event, out []sim.Decision) []sim.Decision {
	h.view = v.With(events)
	out = h.Decide(&h.view, out)
	h.view = sim.View{}
	return out
}

// Copy gives an independent copy. It is taken between decisions.
func (h *Host) Copy() Host { return New(h.Clone().(Cloner), h.timer) }
