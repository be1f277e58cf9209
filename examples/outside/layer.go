package main

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/param"
)

// night shows a layer over any speed model: one machine is slower from one hour of the day to
// another, as where its room is cooled less. A gang that has GPUs of it is as slow. Time 0 is
// midnight.
type night struct {
	topo     *cluster.Topology
	machine  int
	from, to sim.Time // of a day
	keep     float64  // part of the speed, in (0, 1]
}

const day = 24 * 3600 * sim.Second

// nightLayer is night in the catalogue.
func nightLayer() entry.Layer {
	return entry.Layer{Name: "night", Form: "night[:machine=M,from_h=H,to_h=H,keep=F]",
		Doc: "a machine is slower at night", New: newNight,
		Params: "machine  its number\nfrom_h   hour at which the night begins\n" +
			"to_h     hour at which it ends\nkeep     part of the speed that is left"}
}

func newNight(s *param.Set, e entry.SpeedEnv) (entry.SpeedLayer, error) {
	hour := func(key string, plain float64) sim.Time { return sim.Seconds(3600 * s.Float(key, plain, 0, 24)) }
	return &night{topo: e.Topology, machine: s.Int("machine", 0, 0, e.Topology.Machines()-1),
		from: hour("from_h", 20), to: hour("to_h", 6), keep: s.Float("keep", 0.5, 0.01, 1)}, nil
}

// Answer slows a job on the machine down at night.
func (n *night) Answer(q *sim.Query, s *sim.Speed) float64 {
	if !n.on(q.GPUs) || !n.dark(q.Now%day) {
		return 1
	}
	s.Rate *= n.keep
	return n.keep
}

// Until is the next dusk or dawn, for jobs on the machine: it makes the layer a stack.Clock.
func (n *night) Until(q *sim.Query) sim.Time {
	if !n.on(q.GPUs) || n.from == n.to {
		return sim.Never
	}
	midnight := q.Now - q.Now%day
	next := sim.Never
	for _, at := range [...]sim.Time{n.from, n.to} {
		if at += midnight; at <= q.Now {
			at += day
		}
		next = min(next, at)
	}
	return next
}

// on reports whether one of the GPUs is of the machine.
func (n *night) on(gpus []cluster.GPU) bool {
	for _, g := range gpus {
		if n.topo.Machine(g) == n.machine {
			return true
		}
	}
	return false
}

// dark reports whether a time of the day is at night, which may pass midnight.
func (n *night) dark(at sim.Time) bool {
	if n.from <= n.to {
		return n.from <= at && at < n.to
	}
	return at >= n.from || at < n.to
}
