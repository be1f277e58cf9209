package queueing

import (
	"slices"

	"tarry/baselines/backfill"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Picker is picked with the choice left open: a caller chooses the next waiting job, and the picked
// job stays first. An instant goes Begin, then Next, Pick, Next, Pick ... until Next gives false,
// then Decisions. Build it with NewPicker.
//
// The events of one instant are taken in one at a time, as published: arrivals in their order, then
// ends in order of the jobs' starts, with starts after each.
type Picker struct {
	easy    easy // queue and reservation, which is made once for each pick, or anew at each event
	fill    bool
	anew    bool        // jobs behind the picked one may use what it leaves over, as under easy
	books   bool        // ends are kept, for Earliest
	waiting []sim.JobID // in order of arrival, without the picked job
	held    sim.JobID
	joined  []sim.JobID // that began to wait; kept with list alone
	list    bool
	refused bool        // nothing is picked before the next event, or an instant
	until   sim.Time    // that instant
	running []sim.JobID // in order of start
	ended   []sim.JobID // at this instant, in order of start; late is the GPUs of ended jobs that are not taken in yet

	// Of the present instant: how many of its events and of ended were taken in, whether all were
	// looked at once more; whether the held job was just picked, and whether it was tried since the
	// last event; and the starts so far.
	events, gone int
	last         bool
	fresh, tried bool
	starts       []sim.Decision
}

// NewPicker makes one before the first instant; fill backfills as picked:backfill=fcfs does.
func NewPicker(fill bool, rule cluster.Rule) *Picker {
	return &Picker{easy: easy{place: plan.NewPlacer(rule)}, fill: fill, held: sim.NoJob}
}

// Fills lists the ways to backfill behind the picked job: none, fcfs as picked:backfill=fcfs does, and
// easy, where the reservation is made anew at each event and jobs that end later may use the GPUs
// that it leaves over.
func Fills() []string { return []string{"none", "fcfs", "easy"} }

// NewPickerBy makes one that backfills in one of Fills, by the run times from.
func NewPickerBy(fill string, from backfill.Guess, rule cluster.Rule) *Picker {
	p := NewPicker(fill != "none", rule)
	p.anew, p.books, p.easy.guess = fill == "easy", true, from
	return p
}

// Begin takes in an instant.
func (p *Picker) Begin(v *sim.View) {
	p.easy.place.Begin(v)
	p.events, p.gone, p.last, p.fresh, p.tried = 0, 0, false, false, true
	p.starts = p.starts[:0]
	p.leave(v)
}

// Next carries the instant on until a job is to be picked, out of Waiting; false: it is over.
func (p *Picker) Next(v *sim.View) bool {
	for {
		switch {
		case p.held != sim.NoJob && !p.tried:
			p.try(v)
		case p.held == sim.NoJob && len(p.waiting) > 0 && !p.refused:
			return true
		case !p.advance(v):
			return false
		default:
			p.tried = false
		}
	}
}

// Waiting is the jobs to pick from, in order of arrival. It is valid until Pick.
func (p *Picker) Waiting() []sim.JobID { return p.waiting }

// Pick picks the i-th of Waiting.
func (p *Picker) Pick(i int) {
	p.held, p.fresh, p.tried = p.waiting[i], true, false
	p.waiting = slices.Delete(p.waiting, i, i+1)
}

// Refuse picks none: nothing starts before the next job arrives or ends, or an instant comes.
func (p *Picker) Refuse(until sim.Time) { p.refused, p.until = true, until }

// Refused gives the instant up to which nothing is picked; false = the last answer was a pick, or is
// over.
func (p *Picker) Refused() (until sim.Time, ok bool) { return p.until, p.refused && len(p.waiting) > 0 }

// Room is the thousandths of GPUs that are free at this point of the instant.
func (p *Picker) Room(v *sim.View) int64 { return 1000*int64(v.Free().Total()) - p.easy.late }

// Fits reports whether a waiting job has room, by the number of its GPUs.
func (p *Picker) Fits(v *sim.View, j sim.JobID) bool {
	return p.easy.queue.Demand(j).Milli() <= p.Room(v)
}

// Earliest is when a waiting job could start at the latest by the run times that are expected, and
// the thousandths of GPUs that are over then. It needs NewPickerBy.
func (p *Picker) Earliest(v *sim.View, j sim.JobID) (at sim.Time, over int64) {
	at, over = p.easy.ends.Reserve(v, &p.easy.queue, p.easy.queue.Demand(j), p.easy.late)
	return max(at, v.Now()), over
}

// Decisions appends the starts of the instant.
func (p *Picker) Decisions(out []sim.Decision) []sim.Decision { return append(out, p.starts...) }

// advance takes in the next event of the instant.
func (p *Picker) advance(v *sim.View) bool {
	for all := v.Events(); p.events < len(all); {
		ev := all[p.events]
		p.events++
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.OutOfMemory, sim.Fail:
			if ev.Job != sim.NoJob && v.Run(ev.Job).State() == sim.Waiting && !p.easy.queue.Has(ev.Job) {
				p.easy.queue.Add(v, ev.Job, 0, 0)
				p.waiting, p.refused = append(p.waiting, ev.Job), false
				if p.list {
					p.joined = append(p.joined, ev.Job)
				}
				return true
			}
		}
	}
	if p.gone < len(p.ended) {
		j := p.ended[p.gone]
		p.gone, p.refused = p.gone+1, false
		p.easy.late -= p.easy.queue.Demand(j).Milli()
		p.easy.ends.Drop(j)
		return true
	}
	was := p.last
	p.last, p.refused = true, p.refused && v.Now() < p.until
	return !was
}

// leave notes the jobs that ended at this instant, in order of their starts. Jobs that a fault
// stopped hold nothing at once.
func (p *Picker) leave(v *sim.View) {
	p.ended, p.easy.late = p.ended[:0], 0
	kept := p.running[:0]
	for _, j := range p.running {
		if v.Run(j).State() == sim.Running {
			kept = append(kept, j)
		} else if v.Run(j).State() == sim.Done {
			p.ended = append(p.ended, j)
			p.easy.late += p.easy.queue.Demand(j).Milli()
		} else {
			p.easy.ends.Drop(j)
		}
	}
	p.running = kept
}

// try starts the picked job, or what may start behind it.
func (p *Picker) try(v *sim.View) {
	if p.begin(v, p.held); !p.easy.queue.Has(p.held) {
		p.held = sim.NoJob
		return
	}
	if p.fill {
		if p.anew && p.gone == len(p.ended) {
			p.easy.ends.Extend(v.Now())
		}
		if p.fresh || p.anew {
			p.easy.reserve(v, p.held)
		}
		p.behind(v)
	}
	p.fresh, p.tried = false, true
}

// begin starts a job if it fits.
func (p *Picker) begin(v *sim.View, j sim.JobID) {
	if d := p.easy.queue.Demand(j); d.Milli() > 1000*int64(v.Free().Total())-p.easy.late && p.easy.late > 0 {
		return
	}
	if p.starts = p.easy.spot.Start(v, p.easy.place, &p.easy.queue, j, false, p.starts); !p.easy.queue.Has(j) {
		p.running = append(p.running, j)
		if p.fill || p.books {
			p.easy.ends.Add(j, v.Now(), v.Now()+p.easy.guess.Of(v, j))
		}
	}
}

// behind starts jobs that by their estimates do not delay the picked job.
func (p *Picker) behind(v *sim.View) {
	kept := p.waiting[:0]
	for _, j := range p.waiting {
		end := v.Now() + p.easy.guess.Of(v, j)
		d := p.easy.queue.Demand(j)
		spare := p.anew && end >= p.easy.shadow && (d.Milli() <= p.easy.extra || !backfill.SameGPUs(d, p.easy.head))
		if end < p.easy.shadow || spare {
			if p.begin(v, j); !p.easy.queue.Has(j) {
				if spare && backfill.SameGPUs(d, p.easy.head) {
					p.easy.extra -= d.Milli()
				}
				continue
			}
		}
		kept = append(kept, j)
	}
	p.waiting = kept
}

// Copied is an independent copy between two instants.
func (p *Picker) Copied() *Picker {
	c := NewPicker(p.fill, cluster.BestFit)
	c.CopyFrom(p)
	return c
}

// CopyFrom makes p equal to another Picker between two instants, in its own memory.
func (p *Picker) CopyFrom(o *Picker) {
	old := *p
	*p = *o
	p.easy.spot = old.easy.spot.Reused(&o.easy.spot)
	p.easy.queue, p.easy.place, p.easy.ends = old.easy.queue, old.easy.place, old.easy.ends
	p.easy.queue.CopyFrom(&o.easy.queue)
	p.easy.ends.CopyFrom(&o.easy.ends)
	p.easy.place.CopyFrom(o.easy.place)
	p.waiting, p.running = append(old.waiting[:0], o.waiting...), append(old.running[:0], o.running...)
	p.joined = append(old.joined[:0], o.joined...)
	p.ended, p.starts = old.ended[:0], old.starts[:0]
}

// Asked is the run time that a waiting job asks for: its estimated work at full speed, at least 1
// us.
func Asked(v *sim.View, j sim.JobID) sim.Time { return backfill.Estimate(v, j) }
