package sleep

import (
	"math"

	"tarry/sim"
)

// book is what the measures are made of.
type book struct {
	at       sim.Time
	machines int
	sum      span // up to the last instant before which a job was there
	tail     span // since then
	ups      int  // instants at which machines were woken
	woken    int  // machines
}

// span is integrals over time.
type span struct {
	time, asleep, used sim.Time // used and asleep: machines x time
}

func (b *book) start(now sim.Time, machines int) { b.at, b.machines = now, machines }

// until takes the time since the last instant in.
func (b *book) until(now sim.Time, p *Policy) {
	d := now - b.at
	b.at = now
	t := &b.tail
	t.time += d
	t.asleep += d * sim.Time(p.supply.asleep)
	t.used += d * sim.Time(p.supply.used)
	if p.supply.running+len(p.demand.queue) > 0 {
		b.sum.time += t.time
		b.sum.asleep += t.asleep
		b.sum.used += t.used
		*t = span{}
	}
}

// Measures gives what the host does and, up to the last instant at which a job was there: the part of
// machines' time asleep, machines in use over all and over those awake, wake-ups per day and
// machines per wake-up, and SMAPE and root mean square of the errors of forecasts of the note at
// future.
func (p *Policy) Measures(yield func(name, of, unit string, value float64)) {
	if host, ok := p.host.Cloner.(interface {
		Measures(yield func(name, of, unit string, value float64))
	}); ok {
		host.Measures(yield)
	}
	b, s := &p.book, &p.book.sum
	if s.time == 0 {
		return
	}
	whole := float64(b.machines) * s.time.Seconds()
	yield("ces_asleep_node_s", "", "node_s", s.asleep.Seconds())
	yield("ces_asleep_frac", "", "frac", s.asleep.Seconds()/whole)
	yield("ces_nodes_used_frac", "", "frac", s.used.Seconds()/whole)
	if up := whole - s.asleep.Seconds(); up > 0 {
		yield("ces_nodes_used_of_awake_frac", "", "frac", s.used.Seconds()/up)
	}
	yield("ces_wake_ups_per_day", "", "events", float64(b.ups)*86400/s.time.Seconds())
	yield("ces_woken_nodes_mean", "", "nodes", per(float64(b.woken), float64(b.ups)))
	p.errors(yield)
}

// errors gives the errors of forecasts.
func (p *Policy) errors(yield func(name, of, unit string, value float64)) {
	e := &p.model.errors
	if e.n == 0 {
		return
	}
	if p.model.fits {
		yield("ces_smape_fitted_pct", "", "pct", e.sum.fitted/e.n)
		yield("ces_rmse_fitted_nodes", "", "nodes", math.Sqrt(e.square.fitted/e.n))
	}
	yield("ces_smape_last_pct", "", "pct", e.sum.last/e.n)
	yield("ces_rmse_last_nodes", "", "nodes", math.Sqrt(e.square.last/e.n))
	yield("ces_smape_day_pct", "", "pct", e.sum.day/e.n)
	yield("ces_rmse_day_nodes", "", "nodes", math.Sqrt(e.square.day/e.n))
}
