package hours

import (
	"math"
	"slices"

	"tarry/baselines/backfill"
	"tarry/baselines/over"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// ShiftParams describes the settings of shift for the catalogue.
const ShiftParams = `host      the policy that decides who runs where, NAME or "NAME:key=value,..."
by        price: of energy | carbon: its intensity
rule      quantile: wait while the price is above a quantile of the next hours | slot: wait for the cheapest slot | window: wait for
          the start of least mean price over the estimated run time
slack_h   hours that a job waits at most
quantile  the quantile; rule=quantile alone
horizon_h hours of which it is the quantile; rule=quantile alone
slot_s    seconds between the starts that are compared`

// Shift holds the starts of its host back. Build it with NewShift; it belongs to one run.
type Shift struct {
	market
	host        over.Host
	rule        rule
	slot, slack sim.Time
	horizon     sim.Time
	quantile    float64
	alarm       plan.Alarm
	held        []wait // by job
	prices      []float64
}

// rule is what a job waits for.
type rule int

const (
	byQuantile rule = iota
	bySlot
	byWindow
)

// wait is a job whose arrival the host gets later.
type wait struct {
	job   sim.JobID
	until sim.Time
}

// NewShift makes shift over any policy that a parser makes. Parameters: ShiftParams.
//
//  1. At a job's arrival a start is chosen, at most its slack later: now, or where a slot begins.
//  2. rule=window: the start of least mean price over the estimated run time; rule=slot: of least
//     price; rule=quantile: the first slot whose price is at most the quantile of the prices from
//     then on.
//  3. The host gets the arrival at that start, and decides from then on.
func NewShift(parse over.Parser) func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, placement cluster.Rule) (sim.Policy, error) {
		p := &Shift{market: readMarket(s), host: parse.Read(s, placement, "host", "fifo-fit", over.ShiftKey),
			alarm: plan.Alarm{Key: over.ShiftKey}}
		p.rule = rule(slices.Index(rules(), s.Enum("rule", rules()...)))
		p.slack, p.slot = hours(s, "slack_h", 6, 0, 1e3), sim.Seconds(s.Float("slot_s", 3600, 60, 1e6))
		p.quantile, p.horizon = s.Float("quantile", 0.3, 0, 1), hours(s, "horizon_h", 24, 1, 1e3)
		for _, key := range []string{"quantile", "horizon_h"} {
			if p.rule != byQuantile && s.Has(key) {
				s.FaultAt(key, "%s is given with rule=%s, expected rule=quantile", key, rules()[p.rule])
			}
		}
		return p, s.Err()
	}
}

func rules() []string { return []string{"quantile", "slot", "window"} }

// Knows is what the host reads, the prices to come, and with rule=window estimates.
func (p *Shift) Knows() know.Set {
	if p.rule == byWindow {
		return p.host.Reads(know.Series | know.Estimate)
	}
	return p.host.Reads(know.Series)
}

// Decide passes events on to the host, arrivals when their wait has ended.
func (p *Shift) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.alarm.Rung(v.Now())
	events := p.host.Events(v)
	first := len(events)
	for first > 0 && events[first-1].Kind == sim.Arrive {
		first--
	}
	come := events[first:]
	for _, ev := range come {
		p.held = append(p.held, wait{ev.Job, p.start(v, ev.Job)})
	}
	events = events[:first]
	next := sim.Never
	p.held = slices.DeleteFunc(p.held, func(w wait) bool {
		if w.until > v.Now() {
			next = min(next, w.until)
			return false
		}
		events = append(events, sim.Event{Kind: sim.Arrive, Job: w.job})
		return true
	})
	if len(events) > 0 {
		out = p.host.AskOf(v, events, out)
	}
	return p.alarm.Set(v.Now(), next, out)
}

// start is when a job's wait ends.
func (p *Shift) start(v *sim.View, j sim.JobID) sim.Time {
	now := v.Now()
	last := now + p.slack
	if p.rule == byQuantile {
		return p.below(v, last)
	}
	length := sim.Time(1)
	if p.rule == byWindow {
		length = min(backfill.Estimate(v, j), mostHours)
		last = max(now, min(last, v.Job(j).Deadline()-length))
	}
	best, at := math.Inf(1), now
	for t := now; t <= last; t = p.after(t) {
		if c := p.mean(v, t, length); c < best-float64(1e-12*math.Abs(best)) || math.IsInf(best, 1) {
			best, at = c, t
		}
	}
	return at
}

// mostHours bounds the run time whose prices are added up.
const mostHours = 14 * 24 * 3600 * sim.Time(1e6)

// after is where the next slot begins.
func (p *Shift) after(t sim.Time) sim.Time { return t - t%p.slot + p.slot }

// mean is the mean price from an instant on.
func (p *Shift) mean(v *sim.View, from, length sim.Time) float64 {
	sum, end := 0.0, from+length
	for t := from; t < end; {
		next := min(end, p.after(t))
		sum += float64(p.at(v, t) * float64(next-t))
		t = next
	}
	return sum / float64(length)
}

// below is the first start whose price is at most the quantile of the hours after it, else the last.
func (p *Shift) below(v *sim.View, last sim.Time) sim.Time {
	for t := v.Now(); t < last; t = p.after(t) {
		if p.at(v, t) <= p.limit(v, t) {
			return t
		}
	}
	return last
}

// limit is the quantile of the prices of the slots of the next hours.
func (p *Shift) limit(v *sim.View, from sim.Time) float64 {
	p.prices = p.prices[:0]
	for t := from; t < from+p.horizon; t = p.after(t) {
		p.prices = append(p.prices, p.at(v, t))
	}
	slices.Sort(p.prices)
	return p.prices[int(p.quantile*float64(len(p.prices)-1))]
}

// Clone gives an independent copy, to resume from a snapshot. It is taken between decisions.
func (p *Shift) Clone() sim.Policy {
	c := *p
	c.host, c.held, c.prices = p.host.Copy(), slices.Clone(p.held), nil
	return &c
}
