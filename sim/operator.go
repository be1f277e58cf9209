package sim

import (
	"errors"
	"fmt"

	"tarry/sim/end"
	"tarry/sim/service"
)

// Operator runs the services of a cluster, and lends machines to training. It belongs to the run: at
// each instant it decides after the events and before the policy, which finds what it did. It may
// Start, Preempt, Migrate and Tune replicas, Preempt and Resize jobs, Cordon a machine (it is not
// lent any more; with At it is announced) and Uncordon it, and WakeAt. It is asked first at 0.
type Operator interface {
	Policy
	// Clone gives an independent copy, which is an Operator, for a run of its own or a snapshot.
	Clone() Policy
}

// server is an Observer that also receives what happens to services. Interval and Job are never of
// replicas.
type server interface {
	Observer
	// Serve is called after a span in which nothing of a service changed, Replica when an allocation of
	// a replica ended, Lend when a machine of the services is lent to training, or is not any more; all
	// are lent at the beginning. What they are given must not be kept.
	Serve(s *service.Span)
	Replica(i *Interval)
	Lend(machine int32, lent bool, at Time)
}

// operate lets the operator decide and carries that out.
func (e *Engine) operate() error {
	f := &e.fleet
	if f.wake == e.now {
		f.wake = Never
		f.events = append(f.events, Event{Kind: Timer, Job: NoJob, Key: -1})
		e.inVain()
	}
	if f.operator == nil || len(e.batch)+len(f.events) == 0 || e.err != nil {
		f.events = f.events[:0]
		return e.err
	}
	f.events = append(f.events, e.batch...)
	v := &e.operatorView
	*v = View{e: e, knows: f.operator.Knows(), others: true, events: f.events}
	e.operating = true
	out := f.operator.Decide(v, e.operations[:0])
	err := e.carryOut(out)
	e.operating, e.operations = false, out[:0]
	f.events = f.events[:0]
	if err != nil {
		return err
	}
	if f.took {
		e.batch = append(e.batch, Event{Kind: Fail, Job: NoJob})
	}
	if f.gave {
		e.batch = append(e.batch, Event{Kind: Repair, Job: NoJob})
	}
	f.took, f.gave = false, false
	if e.moved() {
		return e.rerate()
	}
	return nil
}

func (e *Engine) carryOut(ds []Decision) error {
	e.free.Carry()
	defer e.free.Settle()
	for i := range ds {
		if err := e.apply(&ds[i]); err != nil {
			return fmt.Errorf("at %v: operator's decision %d, %v of %s: %w", e.now, i, ds[i].Kind, e.name(&ds[i]), err)
		}
		e.free.Commit()
	}
	return e.trespass()
}

// trespass is the error of a machine that the operator took back without stopping who ran there.
func (e *Engine) trespass() error {
	for _, id := range e.running {
		for _, g := range e.of(id).gpus {
			if m := e.top.Machine(g); e.fleet.withheld[m] {
				return fmt.Errorf("at %v: the operator took machine %d back while job %q holds GPU %d of it, expected a "+
					"preempt, migrate or resize of the job", e.now, m, e.job(id).ID, g)
			}
		}
	}
	return nil
}

// permitted refuses what the operator may not decide of jobs, and a policy of replicas.
func (e *Engine) permitted(d *Decision) error {
	switch replica := e.isReplica(d.Job); {
	case replica && (d.Lease != 0 || d.CopyFrac != 0):
		return errors.New("a lease or copies of a replica, expected none")
	case replica && d.Kind == Tune, replica && e.operating && (d.Kind == Start || d.Kind == Preempt || d.Kind == Migrate),
		!replica && e.operating && (d.Kind == Preempt || d.Kind == Resize), !replica && !e.operating:
		return nil
	case replica && !e.operating:
		return errors.New("the job is a replica of a service, of which a policy can only tune knobs")
	case replica:
		return errors.New("expected a start, preempt, migrate or tune of a replica")
	}
	return errors.New("expected a preempt or resize of a job by the operator")
}

// withhold takes a machine back, or lends it.
func (e *Engine) withhold(d *Decision) error {
	lo, hi, err := e.unit(d.Machine, -1)
	if err != nil {
		return err
	}
	f, on := &e.fleet, d.Kind == Cordon
	if f.withheld[d.Machine] == on {
		return fmt.Errorf("the machine is lent: %v, expected otherwise", !on)
	}
	if on && d.At > e.now {
		f.returnAt[d.Machine] = d.At
		return nil
	}
	f.withheld[d.Machine], f.returnAt[d.Machine] = on, Never
	for g := lo; g < hi; g++ {
		if on {
			e.lower(g)
		} else {
			e.raise(g)
		}
	}
	f.took, f.gave = f.took || on, f.gave || !on
	for _, o := range e.servers {
		o.Lend(d.Machine, !on, e.now)
	}
	return nil
}

// evict stops a job for the operator: at once, with its work saved unless preemptions kill.
func (e *Engine) evict(r *run) error {
	e.batch = append(e.batch, Event{Kind: Fail, Job: r.id})
	r.settle(e.now, e.every)
	r.preemptions++
	if e.cfg.Costs.Kill {
		return e.kill(r)
	}
	r.saved, r.savedRun, r.savedMark = r.left, r.run, r.passed
	e.release(r, end.Preempt)
	e.wait(r)
	return nil
}
