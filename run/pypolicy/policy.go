package pypolicy

import (
	"context"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// Asker is who decides: Python.
type Asker interface {
	// Decide has it decide on what Session.Header gives; it calls Session.Do meanwhile. An error ends
	// the run.
	Decide(s *Session) error
	// Clone has it copy the object of a session for another one.
	Clone(of, to *Session) error
	// End states that nothing will be asked of a session any more.
	End(s *Session)
}

// Apart is an Asker in a process of its own.
type Apart interface {
	Asker
	// Until has it give up when ctx ends.
	Until(ctx context.Context)
	// Explain adds to an error, with which a run ended, which line of the caller's made the decision
	// that it names.
	Explain(s *Session, err error) error
}

// Policy is a scheduler that asks a caller. It belongs to one run.
type Policy struct {
	session *Session
	asker   Asker
}

// New gives a policy for one run. number is its place among the policies of one caller.
func New(number int, knows know.Set, rule cluster.Rule, asker Asker) *Policy {
	return &Policy{newSession(number, knows, rule), asker}
}

// Knows is what the policy declared.
func (p *Policy) Knows() know.Set { return p.session.knows }

// Decide asks the caller.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	s := p.session
	from := len(out)
	s.begin(v, out)
	if err := p.asker.Decide(s); err != nil {
		s.end()
		v.Fail(err)
		return out[:from]
	}
	return s.end()
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Policy) Clone() sim.Policy {
	c := &Policy{p.session.clone(), p.asker}
	if err := p.asker.Clone(p.session, c.session); err != nil {
		c.session.failed = err
	}
	return c
}

// Until has a caller in another process give up when ctx ends; a trial calls it before its run.
func (p *Policy) Until(ctx context.Context) {
	if a, ok := p.asker.(Apart); ok {
		a.Until(ctx)
	}
}

// Explain adds to the error of a run which line of the caller's it is about, where that is known.
func (p *Policy) Explain(err error) error {
	if a, ok := p.asker.(Apart); ok {
		return a.Explain(p.session, err)
	}
	return err
}

// Close gives up what the caller keeps for the run.
func (p *Policy) Close() error {
	p.session.forget()
	p.asker.End(p.session)
	return nil
}
