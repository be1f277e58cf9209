package power

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// rule is a rule of machines and clocks, in the words of actions.
type rule struct {
	name  string
	timer float64 // leases
}

// Rules lists the rules that Follow names.
//
//	always-on     machines stay on, at the nominal clock
//	timer         idle machines are switched off after s seconds (600)
//	break-even    the same after the time off that saves the energy of a boot
//	least-energy  break-even, and each class at the clock of least energy per work
//	cap           break-even, and one clock for all: the highest that keeps the draw within the cap
//	cheap         break-even, and new machines boot in the cheaper hours of the next day alone
func Rules() []string {
	return []string{"always-on", "timer", "break-even", "least-energy", "cap", "cheap"}
}

// Follow names the rule that is demonstrated, timer with s=SECONDS.
func (s *scheduler) Follow(text string) error {
	name, settings, _ := strings.Cut(text, ":")
	if !slices.Contains(Rules(), name) {
		return fmt.Errorf("rule is %q, expected one of %s%s", name, strings.Join(Rules(), ", "), param.Hint(name, Rules()))
	}
	p := param.Parse("rule "+name, settings)
	r := rule{name: name, timer: s.watts.breakEvenLeases(s.lease)}
	switch name {
	case "always-on":
		r.timer = math.Inf(1)
	case "timer":
		r.timer = p.Float("s", 600, 0, 1e9) / s.lease.Seconds()
	}
	s.rule = r
	return p.Err()
}

func (a *account) breakEvenLeases(lease sim.Time) float64 {
	if a.breakEvenTimes == sim.Never {
		return math.Inf(1)
	}
	return float64(a.breakEvenTimes) / float64(lease)
}

// Demonstrate writes what the rule does now.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) {
	limit, clock := 1.0, [classes]float64{1, 1, 1}
	switch s.rule.name {
	case "least-energy":
		for i := range clock {
			clock[i] = s.leastEnergy(v, i)
		}
	case "cap":
		c := s.withinCap(v)
		clock = [classes]float64{c, c, c}
	case "cheap":
		if s.dear(v) {
			limit = 0
		}
	}
	s.cfg.encode(limit, 0, s.rule.timer, clock, action)
	if s.rule.timer == math.Inf(1) {
		action[actSpare] = 1
	}
}

// clocks lists the clocks that can be set, ascending.
func (s *scheduler) clocks() (out []float64) {
	for k := range steps + 1 {
		if c := float64(k) / steps; c >= s.cfg.LowestClock {
			out = append(out, c)
		}
	}
	return out
}

// leastEnergy is the clock of least energy per work of the GPUs of a class, with their part of what an
// idle machine draws.
func (s *scheduler) leastEnergy(v *sim.View, i int) float64 {
	spec, c := v.Power().Spec(0), &s.classes[i]
	phi := (float64(i) + 0.5) / classes
	if c.gpus > 0 {
		phi = c.compute / c.gpus
	}
	lo, hi := v.Topology().MachineGPUs(0)
	idle := spec.OnW(int(hi-lo)) / float64(hi-lo)
	best, least := 1.0, math.Inf(1)
	for _, f := range s.clocks() {
		took := phi/f + 1 - phi // time for the work of a second
		if joules := float64(idle*took) + float64(spec.BusyW(f)*phi/f); joules < least {
			best, least = f, joules
		}
	}
	return best
}

// withinCap is the highest clock at which what runs now draws no more than the cap.
func (s *scheduler) withinCap(v *sim.View) float64 {
	p := v.Power()
	limit := p.Cap(v.Now())
	if math.IsNaN(limit) {
		return 1
	}
	idle := p.Watts()
	for i := range s.classes {
		idle -= s.classes[i].watts
	}
	clocks, spec := s.clocks(), p.Spec(0)
	for k := len(clocks) - 1; k > 0; k-- {
		sum, f := idle, clocks[k]
		for i := range s.classes {
			if c := &s.classes[i]; c.gpus > 0 {
				phi := c.compute / c.gpus
				sum += float64(c.gpus * float64(spec.BusyW(f)*phi/f/(phi/f+1-phi)))
			}
		}
		if sum <= limit {
			return f
		}
	}
	return clocks[0]
}

// dear reports whether the price now is above the mean of the next day.
func (s *scheduler) dear(v *sim.View) bool {
	at := v.Power().Price
	if s.watts.price == 0 {
		at = v.Power().Carbon
	}
	return at(v.Now()) > ahead(at, v.Now(), 24)
}
