package lucid

import (
	"tarry/sim"
	"tarry/sim/plan"
)

// class is what decides whether a job of the main queue can start: jobs of one class behind one
// that cannot are not tried.
type class struct {
	plan.Demand
	need   int64
	scores int32 // its kind, or its score by utilisation; -1 = not known
}

// turns marks the classes that were tried in vain in a pass over the queue.
type turns struct {
	index  map[class]int32
	round  uint32 // of the pass
	joins  uint32 // counts what may give jobs a neighbour: starts, new scores, passes
	placed []uint32
	paired []uint32
}

// open begins a pass.
func (t *turns) open() { t.round, t.joins = t.round+1, t.joins+1 }

// again states that a job may have a neighbour now that it had not before.
func (t *turns) again() { t.joins++ }

func (t *turns) unplaced(c int32) bool { return t.placed[c] == t.round }
func (t *turns) unpaired(c int32) bool { return t.paired[c] == t.joins }
func (t *turns) close(c int32)         { t.placed[c] = t.round }
func (t *turns) pass(c int32)          { t.paired[c] = t.joins }

// classify gives a job that joins the main queue its class.
func (p *Policy) classify(v *sim.View, j sim.JobID) {
	k := class{*p.demand.Demand(j), int64(v.Job(j).GPUMiB()), -1}
	if p.known(v, j) {
		if k.scores = int32(p.busy(v, j)); !p.cfg.usage {
			k.scores = p.kindOf(v, j)
		}
	}
	t := &p.turns
	c, ok := t.index[k]
	if !ok {
		if t.index == nil {
			t.index = map[class]int32{}
		}
		c = int32(len(t.placed))
		t.index[k] = c
		t.placed, t.paired = append(t.placed, 0), append(t.paired, 0)
	}
	p.jobs[j].class = c
}
