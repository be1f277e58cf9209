// Package protocol has what environments over the simulator are made of alike.
//
// Reading guide. Protocol makes of an environment's own parts the environment and its policies: an
// agent's, a network's and the base policy. Rules (rules.go) are fixed ways to answer. Inner (inner.go)
// is the part over the simulator of an environment that offers more.
package protocol

import (
	"errors"

	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/schedenv/networked"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// Protocol is the parts of an environment. All are required.
type Protocol struct {
	Config *schedenv.Config
	// Own checks the environment's own settings and readies what follows from them, before the others
	// are called.
	Own func() error
	// Spec describes the environment, which was made from options.
	Spec func(options string) env.Spec
	// Fresh is a scheduler for one run.
	Fresh func() schedenv.Scheduler
}

// Env makes the environment; options is what its Spec states it was made from.
func (p Protocol) Env(options string) (*schedenv.Env, error) {
	if err := errors.Join(p.Config.Validate(), p.Own()); err != nil {
		return nil, err
	}
	return schedenv.New(*p.Config, p.Spec(options), p.Fresh)
}

// Policy makes a policy for sim.Run in which act, a frozen agent, answers from begin on, and before it
// the base policy; sim.Never = the base policy alone, and act may be nil. Source, Horizon and Reward of
// the Config do not matter.
func (p Protocol) Policy(act schedenv.Actor, begin sim.Time) (sim.Policy, error) {
	if err := p.Own(); err != nil {
		return nil, err
	}
	return schedenv.AsPolicy(p.Fresh(), act, begin, p.Spec("")), nil
}

// sized is a network that states how many numbers it reads and how many choices it has, masked or not.
type sized[N any] interface {
	networked.Network[N]
	In() int
	Out() int
	Masked() bool
}

// ByNetwork makes a policy in which a network of the setting weights answers. One that does not fit the
// environment's spaces is a fault.
func ByNetwork[N sized[N]](p Protocol, s *param.Set, net N) (sim.Policy, error) {
	if err := p.Own(); err != nil {
		return nil, err
	}
	spec := p.Spec("")
	if in, out := spec.Observation.Len(), env.MaskLen(spec.Action); net.In() != in || net.Out() != out || !net.Masked() {
		s.FaultAt("weights", "%s: %d numbers to %d choices, expected %d to %d of %s, masked", s.Text("weights", ""),
			net.In(), net.Out(), in, out, spec.ID)
		return nil, s.Err()
	}
	return networked.Policy(p.Fresh(), net, spec), nil
}

// Foreign reads the settings of another protocol, by its name, each of which is a fault.
func Foreign(s *param.Set, rows []setting.Row, name string) {
	for i := range rows {
		if s.Has(rows[i].Key) {
			s.FaultAt(rows[i].Key, "%s belongs to protocol=%s", rows[i].Key, name)
		}
	}
	setting.Read(s, rows)
}
