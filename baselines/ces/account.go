package ces

import (
	"math"

	"tarry/sim"
)

// book is what the measures are made of.
type book struct {
	at       sim.Time
	machines int
	milli    int64 // thousandths of GPUs in use
	sum      span  // up to the last instant before which a job was there
	tail     span  // since then
	ups      int   // instants at which machines were woken
	woken    int   // machines
	late     int   // jobs that waited for a boot
	delay    sim.Time
}

// span is integrals over time.
type span struct {
	time, asleep, used sim.Time // used and asleep: machines x time
	busyS              float64  // GPUs in use x time
}

func (b *book) start(now sim.Time, machines int) { b.at, b.machines = now, machines }

// until takes the time since the last instant in.
func (b *book) until(now sim.Time, p *Policy) {
	d := now - b.at
	b.at = now
	t := &b.tail
	down := p.sleeping
	if p.virtual {
		down = b.machines - p.used
	}
	t.time += d
	t.asleep += d * sim.Time(down)
	t.used += d * sim.Time(p.used)
	t.busyS += float64(d.Seconds() * float64(b.milli) / 1000)
	if p.running+p.waiting > 0 {
		b.sum.add(t)
		*t = span{}
	}
}

func (s *span) add(t *span) {
	s.time += t.time
	s.asleep += t.asleep
	s.used += t.used
	s.busyS += t.busyS
}

// started counts a job that began to wait at since and starts on a machine that was up after that.
func (b *book) started(since sim.Time, late *machine) {
	if late.up > since {
		b.late++
		b.delay += late.up - max(since, late.woken)
	}
}

// Measures gives, up to the last instant at which a job was there: machines' time asleep and its
// part, machines in use over all and over those awake, wake-ups per day and machines per wake-up,
// jobs that waited for a boot and how long in the mean, energy, the part saved against machines
// that never sleep, and SMAPE and root mean square of the errors of forecasts of the note at
// future.
func (p *Policy) Measures(yield func(name, of, unit string, value float64)) {
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
	if !p.virtual {
		yield("ces_wake_ups_per_day", "", "events", float64(b.ups)*86400/s.time.Seconds())
		yield("ces_woken_nodes_mean", "", "nodes", over(float64(b.woken), float64(b.ups)))
		yield("ces_boot_jobs", "", "jobs", float64(b.late))
		yield("ces_boot_delay_mean_s", "", "s", over(b.delay.Seconds(), float64(b.late)))
	}
	saved := float64(s.asleep.Seconds() * (p.cfg.idleWatts - p.cfg.sleepW))
	on := float64(whole*p.cfg.idleWatts) + float64(s.busyS*p.cfg.busyW)
	yield("ces_energy_kwh", "", "kwh", (on-saved)/3.6e6)
	yield("ces_saved_kwh", "", "kwh", saved/3.6e6)
	yield("ces_saved_frac", "", "frac", over(saved, on))
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
