package queueing

import (
	"cmp"
	"slices"

	"tarry/baselines/backfill"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/plan/places"
)

// byScore starts waiting jobs in the order of a score until the first does not fit. With
// backfilling that one has the reservation of easy, and others start behind it. Unlike picked it
// keeps no job first: at the next event another job may come first.
type byScore struct {
	easy  easy // queue, placement and the reservation
	know  know.Set
	score Score
	still bool // a score stays the same while a job waits
	fill  fill
	// waiting has the jobs of the queue, in no order that matters; ranked has them by score if
	// still, and behind is who may be backfilled.
	waiting []sim.JobID
	ranked  ranked
	behind  ranked
}

// fill states in which order jobs are backfilled.
type fill int

const (
	fillNone fill = iota
	fillArrival
	fillScore
	fillShortest
)

// readFill reads the order of backfilling.
func readFill(s *param.Set) fill {
	return map[string]fill{"arrival": fillArrival, "score": fillScore,
		"shortest": fillShortest}[s.Enum("fill", "arrival", "score", "shortest")]
}

const fillParam = `fill       order in which jobs are backfilled: arrival | score: as in the queue | shortest: run time asked for
`

// NewScored makes the constructor of a policy whose queue is in the order of a published score:
// wfp3, unicep or f1 to f4 (score.go). The first that does not fit has a reservation, as in
// NewEASY, and others start behind it; with backfill=none it blocks them. With hold=true it is
// picked: the job that comes first stays first until it starts, and backfill=fcfs is as there.
// Parameters: ScoredParams.
//
// We differ from the papers: ties go by arrival; a submit of 0 counts as 0.1 s. Theirs compares
// with all processors alike.
//
//  1. Waiting jobs stand by score, the lowest first; scores that depend on the wait are computed
//     anew at each event.
//  2. wfp3: -(wait / request)^3 x GPUs. unicep: -wait / (request x log2 GPUs).
//  3. f1: log10(request) x GPUs + 870 log10(submit). f2: sqrt(request) x GPUs + 25600
//     log10(submit).
//  4. f3: request x GPUs + 6860000 log10(submit). f4: request x sqrt(GPUs) + 530000
//     log10(submit).
//  5. Each job that fits starts, up to the first that does not; others start behind its
//     reservation as under easy (backfill=none: they are blocked).
func NewScored(order string) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return ScoredBy(order, nil)
}

// ScoredBy gives the maker of NewScored with another wait in wfp3 and unicep.
func ScoredBy(order string, wait Wait) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		hold, behind := s.Bool("hold", false), []string{"easy", "none", "fcfs"}
		if hold {
			behind = []string{"none", "fcfs", "easy"}
		}
		from, how, fill := backfill.ReadGuess(s), s.Enum("backfill", behind...), readFill(s)
		if want := map[bool]string{true: "none or fcfs", false: "none or easy"}[hold]; hold && how == "easy" ||
			!hold && how == "fcfs" {
			s.FaultAt("backfill", "backfill is %s with hold=%v, expected %s", how, hold, want)
		}
		if s.Has("fill") && how != "easy" {
			s.FaultAt("fill", "fill is given with backfill=%s, expected backfill=easy: nothing else has an order of "+
				"backfilling", how)
		}
		where := places.Read(s)
		if hold {
			p := newPicked(order, wait, how == "fcfs", from, rule)
			p.easy.spot = backfill.NewSpot(where)
			return where.Paced(p), s.Err()
		}
		if how == "none" {
			fill = fillNone
		}
		b := newByScore(order, wait, fill, from, rule)
		b.easy.spot = backfill.NewSpot(where)
		return where.Paced(b), s.Err()
	}
}

// ScoredParams describes the settings for the catalogue.
const ScoredParams = `backfill   none | easy: behind a reservation for the first job that does not fit | fcfs: as in picked, with hold=true; none with hold=true
` + fillParam + `hold       true: the first job stays first until it starts, whatever comes in the meantime, as in picked
` + places.Params + "\n" + backfill.Params

func newByScore(order string, wait Wait, fill fill, from backfill.Guess, rule cluster.Rule) *byScore {
	b := &byScore{easy: easy{place: plan.NewPlacer(rule), guess: from}, score: scoreOf(order, wait, from),
		still: stillOf(order, wait), fill: fill}
	if order != "fcfs" || fill != fillNone {
		b.know = from.Knows()
	}
	return b
}

// Knows implements sim.Policy.
func (b *byScore) Knows() know.Set { return b.know }

// Decide implements sim.Policy.
func (b *byScore) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		b.enter(v, ev)
	}
	b.easy.ends.Follow(v)
	b.easy.ends.Extend(v.Now())
	b.easy.place.Begin(v)
	return b.serve(v, out)
}

// serve starts jobs in order until one does not fit, and others behind that.
func (b *byScore) serve(v *sim.View, out []sim.Decision) []sim.Decision {
	if b.easy.queue.Len() == 0 || v.Free().Total() == 0 && !b.easy.queue.Sharing() {
		return out
	}
	n := len(out)
	for b.easy.queue.Len() > 0 {
		j := b.first(v)
		if out = b.easy.start(v, j, out); b.easy.queue.Has(j) {
			if b.fill != fillNone {
				out = b.backfill(v, j, out)
			}
			break
		}
	}
	if len(out) > n {
		b.waiting = slices.DeleteFunc(b.waiting, func(j sim.JobID) bool { return !b.easy.queue.Has(j) })
	}
	return out
}

// enter takes in a job that began to wait.
func (b *byScore) enter(v *sim.View, ev sim.Event) {
	switch ev.Kind {
	case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
		if ev.Job == sim.NoJob || v.Run(ev.Job).State() != sim.Waiting || b.easy.queue.Has(ev.Job) {
			return
		}
		b.easy.queue.Add(v, ev.Job, 0, 0)
		b.waiting = append(b.waiting, ev.Job)
		if b.still {
			b.ranked.push(scored{b.score(v, ev.Job), ev.Job})
		}
	}
}

// first is the waiting job with the lowest score; ties go by arrival.
func (b *byScore) first(v *sim.View) sim.JobID {
	if b.still {
		for !b.easy.queue.Has(b.ranked[0].job) { // it was started
			b.ranked.pop()
		}
		return b.ranked[0].job
	}
	best := scored{job: sim.NoJob}
	for _, j := range b.waiting {
		if !b.easy.queue.Has(j) {
			continue
		}
		if x := (scored{b.score(v, j), j}); best.job == sim.NoJob || x.before(best) {
			best = x
		}
	}
	return best.job
}

// backfill starts other jobs that do not delay the first.
func (b *byScore) backfill(v *sim.View, first sim.JobID, out []sim.Decision) []sim.Decision {
	e := &b.easy
	if v.Free().Total() == 0 && !e.queue.Sharing() {
		return out
	}
	e.reserve(v, first)
	b.behind = b.behind[:0]
	for _, j := range b.waiting {
		if j != first && e.queue.Has(j) && b.may(v, j) {
			b.behind = append(b.behind, scored{b.rank(v, j), j})
		}
	}
	slices.SortFunc(b.behind, func(x, y scored) int {
		return cmp.Or(cmp.Compare(x.score, y.score), cmp.Compare(x.job, y.job))
	})
	for _, x := range b.behind {
		if !b.may(v, x.job) { // what was started since leaves less
			continue
		}
		late := v.Now()+e.guess.Of(v, x.job) > e.shadow
		if out = e.startBehind(v, x.job, late, out); e.queue.Has(x.job) {
			continue
		}
		if d := e.queue.Demand(x.job); late && backfill.SameGPUs(d, e.head) {
			e.extra -= d.Milli()
		}
	}
	return out
}

// may reports whether a job has the GPUs that it needs, by their number, and would not delay the
// first.
func (b *byScore) may(v *sim.View, j sim.JobID) bool {
	d := b.easy.queue.Demand(j)
	return (b.easy.queue.Sharing() || d.Milli() <= 1000*int64(v.Free().Total())) &&
		float64(b.easy.guess.Of(v, j)) <= b.easy.bound(d)
}

// rank orders jobs for backfilling.
func (b *byScore) rank(v *sim.View, j sim.JobID) float64 {
	switch b.fill {
	case fillScore:
		return b.score(v, j)
	case fillShortest:
		return float64(b.easy.guess.Of(v, j))
	}
	return 0
}

// Clone gives an independent copy between two decisions, to resume from a snapshot.
func (b *byScore) Clone() sim.Policy {
	c := *b
	c.easy = *b.easy.Clone().(*easy)
	c.waiting, c.ranked, c.behind = slices.Clone(b.waiting), slices.Clone(b.ranked), nil
	return &c
}
