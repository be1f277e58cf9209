package sim

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// play is a case worked out by hand: what a policy decides at given instants, and what comes of it.
type play struct {
	cfg  Config
	plan map[Time][]Decision
	// look is called at each instant before the decisions; may be nil.
	look func(v *View)
	know know.Set
}

// own is the key of the timer by which a play wakes itself up at the instants of its plan.
const own = 1024

func (p play) Knows() know.Set { return p.know }

func (p play) Decide(v *View, out []Decision) []Decision {
	if p.look != nil {
		p.look(v)
	}
	out = append(out, p.plan[v.Now()]...)
	next := Never
	for at := range p.plan {
		if at > v.Now() {
			next = min(next, at)
		}
	}
	return append(out, Decision{Kind: WakeAt, Key: own, At: next})
}

// outcome is what a play led to.
type outcome struct {
	events []string // time kind job
	tape   []string // what observers received
	e      *Engine
}

// run plays a case with every invariant checked; counting speeds where no model is given. An error
// is the caller's to judge.
func (p play) run(t testing.TB, gpus int, js ...Job) (outcome, error) {
	t.Helper()
	if p.cfg.Workload == nil {
		p.cfg.Workload = jobs(t, js...)
	}
	if p.cfg.Topology == nil {
		p.cfg.Topology = topology(t, 1, 1, gpus, 1)
	}
	if p.cfg.Speed == nil {
		p.cfg.Speed = counting{}
	}
	p.cfg.Check = true
	var o outcome
	look := p.look
	p.look = func(v *View) {
		for _, ev := range v.Events() {
			switch {
			case ev.Kind == Timer && ev.Key == own:
			case ev.Kind == Timer:
				o.events = append(o.events, fmt.Sprintf("%v timer key %d", v.Now(), ev.Key))
			case ev.Job == NoJob:
				o.events = append(o.events, fmt.Sprintf("%v %v", v.Now(), ev.Kind))
			default:
				o.events = append(o.events, fmt.Sprintf("%v %v %d", v.Now(), ev.Kind, ev.Job))
			}
		}
		if look != nil {
			look(v)
		}
	}
	var tp tape
	e, err := Run(context.Background(), p.cfg, p, &tp)
	o.tape, o.e = tp.lines, e
	return o, err
}

// mustRun plays a case that breaks no rule.
func (p play) mustRun(t testing.TB, gpus int, js ...Job) outcome {
	t.Helper()
	o, err := p.run(t, gpus, js...)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// same compares lines, or states which are there.
func same(t testing.TB, what string, got []string, want ...string) {
	t.Helper()
	if !reflect.DeepEqual(got, want) && len(got)+len(want) > 0 {
		t.Errorf("%s: got\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// on is an allocation.
func on(gpus ...cluster.GPU) []cluster.GPU { return gpus }

// begin starts a job on GPUs.
func begin(j JobID, gpus ...cluster.GPU) Decision { return Decision{Kind: Start, Job: j, GPUs: gpus} }

// life gives the parts of a job's time, which add up to its time in the system.
func (o outcome) life(j JobID) string {
	r := o.e.Record(j)
	return fmt.Sprintf("%v: start %v end %v queue %v run %v overhead %v lost %v in %v", r.State, r.Start, r.End,
		r.Queue, r.Run, r.Overhead, r.Lost, r.LostRun)
}
