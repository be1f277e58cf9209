package queueing

import (
	"math"

	"tarry/baselines/backfill"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// easy is arrival order with backfilling behind one reservation.
type easy struct {
	queue plan.Queue
	place *plan.Placer
	ends  backfill.Ends
	// The head's reservation: when it can start, and what it will leave free then.
	shadow sim.Time
	extra  int64
	head   *plan.Demand
	now    sim.Time
	guess  backfill.Guess
	late   int64         // thousandths of GPUs that are free and count as held still; see picked
	spot   backfill.Spot // the reservation where there is a rule of places: it is of GPUs then
}

// NewEASY is EASY backfilling (Lifka, "The ANL/IBM SP Scheduling System", JSSPP 1995; Mu'alem and
// Feitelson, IEEE TPDS 12 (2001)): jobs start in order of arrival until the head does not fit; it
// gets a reservation at the shadow time, when by the estimates enough GPUs will be free. A later
// job starts now if it fits and either ends by the shadow time or uses only GPUs that the head will
// leave over. Estimates are the run's (exact unless it states an error), with by=request users'
// requests. order puts another queue in place of the order of arrival, and fill another order of
// backfilling: fill=shortest is EASY-SJBF (Tsafrir, Etsion and Feitelson, IEEE TPDS 18(6), 2007,
// without their predictor). Parameters: EASYParams.
//
// We differ: a job that outlives its estimate is not killed but extended (its estimate doubles), so
// the head's reservation may move later then, and after a fault. Reservations count GPUs, of the
// head's type, and are checked again at placement. With a rule of places (place) the reservation is
// of the GPUs that the head can have by the rule at the earliest end of a running job at which it
// can (all GPUs of its machines, where these have to be wholly free), and a job that may end later
// does not take those.
//
//  1. Waiting jobs stand in order of arrival; each that fits starts, up to the first that does
//     not, the head.
//  2. The shadow time is the earliest instant at which the head will have its GPUs, by the
//     expected ends of running jobs; the spare GPUs are those left over then.
//  3. A later job that fits starts if it is expected to end by the shadow time, or uses only
//     spare GPUs.
//  4. No job is preempted; a job that outlives its estimate is expected to run twice as long.
func NewEASY(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	from, order, fill := backfill.ReadGuess(s), s.Enum("order", orders()...), readFill(s)
	where := places.Read(s)
	if order != "fcfs" || fill != fillArrival {
		b := newByScore(order, nil, fill, from, rule)
		b.easy.spot = backfill.NewSpot(where)
		return where.Paced(b), s.Err()
	}
	return where.Paced(&easy{place: plan.NewPlacer(rule), guess: from, spot: backfill.NewSpot(where)}), s.Err()
}

// EASYParams describes the settings of easy for the catalogue.
const EASYParams = backfill.Params + `
order      order of the queue: fcfs | sjf: run time asked for | wfp3 | unicep | f1 | f2 | f3 | f4, scores of picked
` + fillParam + places.Params

// Knows implements sim.Policy.
func (e *easy) Knows() know.Set { return e.guess.Knows() }

// Decide implements sim.Policy.
func (e *easy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	e.queue.Follow(v, arrival, func(v *sim.View, j sim.JobID) float64 { return float64(e.guess.Of(v, j)) })
	e.ends.Follow(v)
	e.ends.Extend(v.Now())
	if e.queue.Len() == 0 {
		return out
	}
	e.place.Begin(v)
	e.queue.Open()
	for {
		j := e.queue.Best()
		if j == sim.NoJob {
			return out
		}
		if out = e.start(v, j, out); e.queue.Has(j) {
			return e.backfill(v, j, out)
		}
	}
}

// start tries to start a job.
func (e *easy) start(v *sim.View, j sim.JobID, out []sim.Decision) []sim.Decision {
	return e.startBehind(v, j, false, out)
}

// startBehind tries to start a job: on GPUs that are not reserved, where it may end too late.
func (e *easy) startBehind(v *sim.View, j sim.JobID, late bool, out []sim.Decision) []sim.Decision {
	if out = e.spot.Start(v, e.place, &e.queue, j, late, out); !e.queue.Has(j) {
		e.ends.Add(j, v.Now(), v.Now()+e.guess.Of(v, j))
	}
	return out
}

// backfill starts later jobs that do not delay the head.
func (e *easy) backfill(v *sim.View, head sim.JobID, out []sim.Decision) []sim.Decision {
	if v.Free().Total() == 0 && !e.queue.Sharing() {
		return out
	}
	e.reserve(v, head)
	e.queue.Remove(head) // it must not be a candidate
	for {
		j := e.queue.Within(e.bound)
		if j == sim.NoJob {
			break
		}
		late := v.Now()+e.guess.Of(v, j) > e.shadow
		if out = e.startBehind(v, j, late, out); e.queue.Has(j) {
			if e.spot.Put == nil || !late { // else the bound is for shorter ones now
				e.queue.Close(j)
			}
			continue
		}
		if d := e.queue.Demand(j); late && backfill.SameGPUs(d, e.head) {
			e.extra -= d.Milli()
		}
	}
	e.queue.Add(v, head, 0, float64(e.guess.Of(v, head)))
	return out
}

// bound is the longest run time with which a job of a demand may be backfilled now.
func (e *easy) bound(d *plan.Demand) float64 {
	if e.spot.Put != nil && e.spot.Late(d) {
		return float64(e.shadow - e.now)
	}
	if e.spot.Put != nil || !backfill.SameGPUs(d, e.head) || d.Milli() <= e.extra {
		return math.Inf(1)
	}
	return float64(e.shadow - e.now)
}

// reserve finds the head's shadow time and what is over then, in thousandths of GPUs.
func (e *easy) reserve(v *sim.View, head sim.JobID) {
	d := e.queue.Demand(head)
	e.head, e.now = d, v.Now()
	if e.spot.Put != nil {
		e.spot.Open()
		e.shadow, e.extra = min(e.spot.Keep(v, e.place, &e.queue, &e.ends, head, false), sim.Never/2), 0
		return
	}
	e.shadow, e.extra = e.ends.Reserve(v, &e.queue, d, e.late)
}
