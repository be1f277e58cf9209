package queueing

import (
	"fmt"
	"slices"

	"tarry/baselines/backfill"
	"tarry/baselines/picking"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan/places"
)

// picked starts the waiting job with the lowest score, and no other one until that fits.
type picked struct {
	*Picker
	know  know.Set
	score Score         // nil = weighed
	fn    *picking.Func // of the file of weights
	read  picking.Reader
	// ranked has the waiting jobs where a score stays the same while a job waits; still notes it.
	ranked ranked
	still  bool
}

// NewPicked picks the waiting job with the lowest score and holds to it: nothing else starts until
// it fits, whatever arrives in the meantime. This is the protocol of Zhang et al., "RLScheduler",
// SC 2020, in which learned and hand-made scores are compared. Jobs are not preempted. With
// backfill=fcfs, while the picked job waits, other jobs start in order of arrival if they fit and
// their estimated end lies before the picked job's earliest start, which is computed from the
// estimates when it is picked and not again. Parameters: PickedParams.
//
// Where the score is the submit, the estimate or one of f1 to f4, a pick costs the logarithm of the
// number of jobs that wait. Else a score is computed at each pick for each waiting job, since it
// depends on the time. Picker states how events of one instant are taken in. An agent picks in
// tarry/Pick-v0 (env/pick), which writes the files of weights.
//
//  1. When no job is picked, the waiting job with the lowest score is.
//  2. The picked job starts as soon as its GPUs are free; until then it stays picked, whatever
//     arrives.
//  3. backfill=fcfs: while it waits, other jobs start in order of arrival if they fit and are
//     expected to end before its earliest start, computed when it was picked.
//  4. No job is preempted.
func NewPicked(s *param.Set, rule cluster.Rule) (sim.Policy, error) { return PickedBy(nil)(s, rule) }

// PickedBy gives the maker of NewPicked with another wait in wfp3 and unicep.
func PickedBy(wait Wait) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) { return pickedBy(wait, s, rule) }
}

func pickedBy(wait Wait, s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	order := s.Enum("order", orders()...)
	fill, path := s.Enum("backfill", "none", "fcfs") == "fcfs", s.Text("weights", "none")
	from := backfill.ReadGuess(s)
	p := newPicked(order, wait, fill, from, rule)
	where := places.Read(s)
	p.easy.spot = backfill.NewSpot(where)
	if path != "none" {
		if from {
			s.FaultAt("by", "by is request with weights, expected estimate: the file's score reads estimates")
		}
		if s.Has("order") {
			s.Fault("order is given with weights, expected one of the two: the file has the score")
		}
		var err error
		if p.fn, err = picking.Load(path); err != nil {
			s.Fault("%v", err)
		}
		p.score, p.still, p.list, p.know = nil, false, false, know.Estimate
	}
	return where.Paced(p), s.Err()
}

// newPicked makes one with a published score.
func newPicked(order string, wait Wait, fill bool, from backfill.Guess, rule cluster.Rule) *picked {
	p := &picked{Picker: NewPicker(fill, rule), score: scoreOf(order, wait, from), still: stillOf(order, wait)}
	p.list, p.easy.guess = p.still, from
	if order != "fcfs" || fill {
		p.know = from.Knows()
	}
	return p
}

// PickedParams describes the settings of picked for the catalogue.
const PickedParams = `order      score, lowest first: fcfs | sjf: run time asked for | wfp3 | unicep | f1 | f2 | f3 | f4
backfill   none | fcfs: while the picked job waits, jobs that end before its earliest start, in order of arrival
weights    a file with a learned score in place of order, from tarry export weights; none
` + places.Params + "\n" + backfill.Params

// Knows implements sim.Policy.
func (p *picked) Knows() know.Set { return p.know }

// Decide implements sim.Policy.
func (p *picked) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.Begin(v)
	for p.Next(v) {
		if p.still {
			p.Pick(p.least(v))
		} else {
			p.Pick(p.Choose(v, p.Waiting()))
		}
	}
	return p.Decisions(out)
}

// Choose gives the place of the job with the lowest score out of some that wait; the first to
// arrive of equal ones.
func (p *picked) Choose(v *sim.View, waiting []sim.JobID) int {
	if p.score == nil {
		return Least(v, &p.read, p.fn, p.fn.Weights(), waiting)
	}
	best, least := 0, 0.0
	for i, j := range waiting {
		if s := p.score(v, j); i == 0 || s < least || s == least && j < waiting[best] {
			best, least = i, s
		}
	}
	return best
}

// Least gives the place of the job with the lowest score of a function under some weights; the
// first to arrive of equal ones.
func Least(v *sim.View, read *picking.Reader, fn *picking.Func, weights []float64, waiting []sim.JobID) int {
	var x picking.Inputs
	read.Look(v, waiting)
	best, least := 0, 0.0
	for i, j := range waiting {
		read.Read(v, j, backfill.Estimate(v, j), &x)
		if s := fn.With(weights, &x); i == 0 || s < least || s == least && j < waiting[best] {
			best, least = i, s
		}
	}
	return best
}

// Chooser is a policy that picks out of a queue, as picked does.
type Chooser interface {
	// Choose gives the place of the job that it would pick out of some that wait, of which there is
	// at least one.
	Choose(v *sim.View, waiting []sim.JobID) int
}

// NewChooser gives the choice by one of Orders.
func NewChooser(order string, from backfill.Guess) (Chooser, error) {
	if !slices.Contains(orders(), order) {
		return nil, fmt.Errorf("order %q: unknown, expected one of %v", order, orders())
	}
	return newPicked(order, nil, false, from, cluster.BestFit), nil
}

// Picks reports whether a policy is one that picks and holds to its pick.
func Picks(p sim.Policy) (Chooser, error) {
	c, ok := p.(Chooser)
	if !ok {
		return nil, fmt.Errorf("it does not pick one job after another, expected picked")
	}
	return c, nil
}

// Clone gives an independent copy between two decisions, to continue from a snapshot.
func (p *picked) Clone() sim.Policy {
	c := *p
	c.Picker, c.read, c.ranked = p.Copied(), p.read.Clone(), slices.Clone(p.ranked)
	return &c
}
