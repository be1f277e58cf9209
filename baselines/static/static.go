// Package static holds the two placements that frame every other: consolidate always and scatter.
// Both start jobs in order of submission and let later jobs overtake jobs that do not fit; neither
// preempts, and neither reads anything about durations.
//
// Consolidate is the fixed point of delay scheduling with infinite waits (M. Zaharia et al.,
// EuroSys
// 2010) and the "fully consolidated" end of Dally's timers (arXiv 2401.16492): a job waits until it
// fits in the finest unit that can ever hold it, a machine if it is not larger than one, else a
// rack, else the cluster. Scatter is the other end: at once, on as many machines as possible.
package static

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// consolidate waits for the finest unit.
type consolidate struct {
	from    cluster.Level // the finest level that is looked for
	queue   plan.Queue
	place   *plan.Placer
	finest  map[plan.Demand]cluster.Level
	v       *sim.View // during Decide
	boundOf func(*plan.Demand) float64
}

// NewConsolidate is "consolidate always".
//
//  1. The finest unit of a job is one machine if it fits in one, else one rack, else the cluster.
//  2. At each event, in order of submission, each job starts whose finest unit has its GPUs free.
//  3. The others wait, without limit, and later jobs overtake them; no job is preempted.
func NewConsolidate(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := &consolidate{from: cluster.LevelMachine, place: plan.NewPlacer(rule), finest: map[plan.Demand]cluster.Level{}}
	if s.Enum("finest", "machine", "slot") == "slot" {
		c.from = cluster.LevelSlot
	}
	c.boundOf = c.bound
	return c, s.Err()
}

// Knows declares nothing.
func (c *consolidate) Knows() know.Set { return know.Nothing }

// level is the finest level that can ever hold a demand.
func (c *consolidate) level(d *plan.Demand) cluster.Level {
	l, ok := c.finest[*d]
	if !ok {
		l, _ = c.v.Topology().Finest(c.from, int(d.GPUs), d.PerGPU())
		c.finest[*d] = l
	}
	return l
}

// bound accepts the demands whose finest unit has room.
func (c *consolidate) bound(d *plan.Demand) float64 {
	if d.ShareMilli == 1000 {
		want := c.level(d)
		if l, ok := c.place.Available(c.v, d, want); !ok || l > want {
			return math.Inf(-1)
		}
	}
	return math.Inf(1)
}

// Decide starts every job whose finest unit has room, in order of submission.
func (c *consolidate) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	c.v = v
	c.queue.Follow(v, bySubmit, nil)
	c.place.Begin(v)
	c.queue.Open()
	for {
		j := c.queue.Within(c.boundOf)
		if j == sim.NoJob {
			return out
		}
		d := c.queue.Demand(j)
		gpus, ok := c.place.PlaceWithin(v, d, c.level(d))
		if !ok {
			c.queue.Close(j)
			continue
		}
		c.queue.Remove(j)
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
	}
}

// bySubmit ranks all jobs alike, so that ties by (submit, id) decide.
func bySubmit(*sim.View, sim.JobID) float64 { return 0 }

// scatter spreads every job as widely as it can.
type scatter struct {
	queue plan.Queue
	place *plan.Placer
}

// NewScatter spreads each job over as many machines as possible, at once.
//
//  1. At each event, in order of submission, each job starts whose GPUs are free.
//  2. Its GPUs are spread over as many machines as possible.
//  3. A job that does not fit is passed over; no job is preempted.
func NewScatter(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return &scatter{place: plan.NewPlacer(rule)}, s.Err()
}

// Knows declares nothing.
func (c *scatter) Knows() know.Set { return know.Nothing }

// Decide starts every job that fits, in order of submission.
func (c *scatter) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	c.queue.Follow(v, bySubmit, nil)
	c.place.Begin(v)
	c.queue.Open()
	for {
		j := c.queue.Best()
		if j == sim.NoJob {
			return out
		}
		gpus, ok := c.place.Scatter(v, c.queue.Demand(j))
		if !ok {
			c.queue.Close(j)
			continue
		}
		c.queue.Remove(j)
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
	}
}

// ConsolidateParams describes the settings of consolidate for the catalogue.
const ConsolidateParams = `finest  machine | slot: the smallest unit that a job waits for`
