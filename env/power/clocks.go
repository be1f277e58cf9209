package power

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
)

// base of the logarithmic scale of timers: a = 1 is so many leases, a = 0 one.
const base = 60

// steps of the clock between 0 and the nominal one.
const steps = 20

// decode gives the levels of an action.
func (c *Config) decode(action []float64, machines int, lease sim.Time) levels {
	share := func(i int) float64 { return (min(1, max(-1, action[i])) + 1) / 2 }
	n, spare := float64(machines), share(actSpare)
	out := levels{limit: int(math.Round(float64(n * share(actLimit)))),
		spare: int(math.Round(float64(n * float64(spare*spare)))), timer: sim.Never}
	switch a := action[actTimer]; {
	case a <= -1:
		out.timer = 0
	case a < 1:
		out.timer = sim.Time(math.Round(float64(fixmath.Pow(base, a)*lease.Seconds()))) * sim.Second
	}
	for i := range out.clock {
		clock := c.LowestClock + float64((1-c.LowestClock)*share(actClock+i))
		out.clock[i] = max(c.LowestClock, math.Round(float64(clock*steps))/steps)
	}
	return out
}

// Encode gives the action for a share of the machines that may be on, a share of idle ones that are
// kept on, a timer in leases and the clock of each class; +Inf leases = never.
func (c *Config) encode(limit, spare, timer float64, clock [classes]float64, action []float64) {
	action[actLimit], action[actSpare] = 2*limit-1, 2*math.Sqrt(spare)-1
	action[actTimer] = timerAction(timer)
	for i, f := range clock {
		action[actClock+i] = 1
		if c.LowestClock < 1 {
			action[actClock+i] = min(1, max(-1, 2*(f-c.LowestClock)/(1-c.LowestClock)-1))
		}
	}
}

// timerAction is the number for a time in leases; a minute of an hour's lease or less is 0.
func timerAction(leases float64) float64 {
	switch {
	case math.IsInf(leases, 1):
		return 1
	case leases <= 1./base:
		return -1
	}
	return min(math.Nextafter(1, 0), math.Log(leases)/math.Log(base))
}

// class is what runs of a class.
type class struct{ gpus, compute, watts float64 }

// nominal is the part of the time that a job would compute at the nominal clock, of which a part frac
// is seen at a clock.
func nominal(frac, clock float64) float64 {
	x := frac * clock
	if sum := x + 1 - frac; sum > 0 {
		return x / sum
	}
	return 1
}

// classOf is the class of a job, by the GPUs that it asks for.
func (s *scheduler) classOf(v *sim.View, j sim.JobID) int {
	switch g := v.Job(j).GPUs(); {
	case 4*g <= s.largest:
		return 0
	case g <= s.largest:
		return 1
	}
	return 2
}

// computes is the part of a running job.
func computes(v *sim.View, j sim.JobID) float64 {
	r := v.Run(j)
	return nominal(r.Speed().ComputeFrac, r.Knobs().FreqFrac)
}

// tune sets the clocks of running jobs.
func (s *scheduler) tune(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, j := range v.Running() {
		want := s.set.clock[s.classOf(v, j)]
		if v.Run(j).Knobs().FreqFrac != want {
			out = append(out, sim.Decision{Kind: sim.Tune, Job: j, Knobs: sim.Knobs{FreqFrac: want}})
		}
	}
	return out
}

// measure goes through what runs.
func (s *scheduler) measure(v *sim.View) {
	s.classes = [classes]class{}
	for _, j := range v.Running() {
		n, part := float64(len(v.Run(j).Held())), computes(v, j)
		c := &s.classes[s.classOf(v, j)]
		c.gpus += n
		c.compute += float64(n * part)
		c.watts += v.Power().Draw(j)
	}
}
