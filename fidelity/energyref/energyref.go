// Package energyref compares energies with exact answers: books of machines and jobs by state, timers
// that switch a machine off in given gaps, and clocks of least energy. A folder holds .json files,
// each a list of cases of one kind.
package energyref

import (
	"fmt"

	"tarry/fidelity/reference"
	"tarry/internal/fraction"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/power/books"
	"tarry/sim/series"
)

// number is a number of a case.
type number = fraction.Number

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Cases("energy", []reference.CaseKind{
		{Name: "books", Fields: "machines gpus watts until_s intervals job_joules total_j", Compare: compareBooks},
		{Name: "timers", Fields: "idle_w off_w cycle_j gaps_s break_even_s best_j", Compare: compareTimers},
		{Name: "clocks", Fields: "compute_part work_s p0 p1 p3 rows least_energy_clock", Compare: compareClocks},
	})
}

// within is how far a number may be off, relative to it.
const within = 1e-9

// open makes the book of a run of so many machines alike.
func open(c *reference.Case, machines, gpus int, spec power.Spec, price *series.Series,
	ended func(*sim.Record, books.Energy)) *books.Book {
	top, err := cluster.New(cluster.Uniform(1, machines, gpus, 1))
	if err != nil {
		c.Errorf("%v", err)
		return nil
	}
	b, err := books.New(&power.Model{Specs: []power.Spec{spec}, Of: make([]int32, machines), Price: price}, top, ended)
	if err != nil {
		c.Errorf("%v", err)
		return nil
	}
	return b
}

// gapCase is one machine with gaps between its jobs, and timers.
type gapCase struct {
	IdleW     float64   `json:"idle_w"`
	OffW      float64   `json:"off_w"`
	CycleJ    float64   `json:"cycle_j"`
	BootS     float64   `json:"boot_s"`
	GapsS     []float64 `json:"gaps_s"`
	BreakEven number    `json:"break_even_s"`
	BestJ     number    `json:"best_j"`
	At        timed     `json:"at_break_even"`
	Timers    []timed
}

// timed is what a timer gives; its own is null where it never ends.
type timed struct {
	TimerS *float64 `json:"timer_s"`
	Joules number
	Cycles int
	DelayS *float64 `json:"delay_s"`
}

func (g *gapCase) spec() power.Spec {
	return power.Spec{OffW: g.OffW, IdleW: g.IdleW, BootS: g.BootS, CycleJ: g.CycleJ}
}

// compareTimers compares the break-even time, and what the books have of timers; at break-even that is
// at most twice the least of all decisions.
func compareTimers(c *reference.Case) {
	g, ok := reference.Decode[gapCase](c)
	if !ok {
		return
	}
	spec, best := g.spec(), 0.0
	even := spec.BreakEvenS(0)
	c.Near("break-even", even, float64(g.BreakEven), within)
	for _, gap := range g.GapsS {
		best += min(gap*g.IdleW, gap*g.OffW+g.CycleJ)
	}
	c.Near("the least energy", best, float64(g.BestJ), within)
	g.At.TimerS = &even
	if got := g.play(c, g.At); got > 2*best*(1+within) {
		c.Errorf("at break-even %v J, more than twice the least, %v J", got, best)
	}
	for _, t := range g.Timers {
		g.play(c, t)
	}
}

// finer is how many times longer all is played, as a timer need not be a whole number of microseconds.
const finer = 1000

// play lets a machine sleep in its gaps after a timer.
func (g *gapCase) play(c *reference.Case, want timed) (joules float64) {
	spec := g.spec()
	spec.CycleJ *= finer
	b := open(c, 1, 1, spec, nil, nil)
	if b == nil {
		return 0
	}
	at, delay, what := sim.Time(0), sim.Time(0), "no timer"
	if want.TimerS != nil {
		what = fmt.Sprintf("timer %v s", *want.TimerS)
	}
	for _, gap := range g.GapsS {
		end := at + sim.Seconds(gap*finer)
		if want.TimerS != nil && *want.TimerS < gap {
			b.Machine(0, power.Off, at+sim.Seconds(*want.TimerS*finer))
			b.Machine(0, power.Booting, end)
			end += sim.Seconds(g.BootS * finer)
			b.Machine(0, power.On, end)
			b.Advance(end)
			from, to := b.LastBoot(0)
			delay += to - from
		}
		b.Advance(end)
		at = end
	}
	joules = b.Total().J() / finer
	c.Near(what+": joules", joules, float64(want.Joules), within)
	if b.Boots() != want.Cycles {
		c.Errorf("%s: %d boots, there %d", what, b.Boots(), want.Cycles)
	}
	if want.DelayS != nil {
		c.Near(what+": delay", delay.Seconds()/finer, *want.DelayS, within)
	}
	return joules
}

// clockCase is work at some clocks.
type clockCase struct {
	Phi        number  `json:"compute_part"`
	WorkS      float64 `json:"work_s"`
	P0, P1, P3 float64
	AfterW     float64 `json:"idle_after_w"`
	Rows       []struct {
		Clock, Seconds, Watts, Joules number
		Later                         number `json:"joules_until_slowest_ends_idle"`
	}
	Least      number `json:"least_energy_clock"`
	LeastLater number `json:"least_with_idle_clock"`
}

// compareClocks compares the time, watts and energy of each clock, and the clock of least energy.
func compareClocks(c *reference.Case) {
	x, ok := reference.Decode[clockCase](c)
	if !ok {
		return
	}
	spec := power.Spec{LinearW: x.P1, CubicW: x.P3}
	watts := func(clock float64) float64 { return x.P0 + spec.BusyW(clock) }
	var clocks []float64
	phi, slowest := float64(x.Phi), float64(0)
	for _, r := range x.Rows {
		clocks, slowest = append(clocks, float64(r.Clock)), max(slowest, float64(r.Seconds))
	}
	for _, r := range x.Rows {
		clock, what := float64(r.Clock), fmt.Sprintf("clock %v", r.Clock)
		s := x.WorkS * power.Slowdown(phi, clock)
		c.Near(what+": seconds", s, float64(r.Seconds), within)
		c.Near(what+": watts", watts(clock), float64(r.Watts), within)
		_, joules := power.LeastClock([]float64{clock}, phi, watts, x.AfterW)
		c.Near(what+": joules", joules*x.WorkS, float64(r.Joules), within)
		c.Near(what+": joules until the slowest ends", joules*x.WorkS+(slowest-s)*x.AfterW, float64(r.Later), within)
	}
	for _, k := range []struct {
		what   string
		afterW float64
		want   number
	}{{"the clock of least energy", 0, x.Least}, {"the one with idle power", x.AfterW, x.LeastLater}} {
		clock, joules := power.LeastClock(clocks, phi, watts, k.afterW)
		c.Near(k.what, clock, float64(k.want), within)
		for _, r := range x.Rows {
			all := float64(r.Joules)
			if k.afterW > 0 {
				all = float64(r.Later)
			}
			if r.Clock == k.want {
				c.Near(k.what+": joules", joules*x.WorkS, all, within)
			}
		}
	}
}
