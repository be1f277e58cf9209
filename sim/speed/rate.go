package speed

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/network"
)

// rate applies the common rule to a nominal compute fraction; clock is the speed of
// the slowest GPU's type.
func rate(q *sim.Query, frac, clock float64) sim.Speed {
	share := 1.0
	if q.ShareMilli > 0 {
		share = float64(q.ShareMilli) / 1000
	}
	if q.FreqFrac > 0 {
		clock *= q.FreqFrac
	}
	batch := 1.0
	if q.Batch > 0 {
		batch = q.Batch
	}
	if batch == 1 && clock == 1 { // the nominal fraction to the last bit: runs are compared bit by bit
		return sim.Speed{Rate: float64(len(q.GPUs)) * frac * share, ComputeFrac: frac}
	}
	compute := batch / clock
	total := compute + (1/frac - 1)
	return sim.Speed{
		Rate:        float64(len(q.GPUs)) * share * batch / total,
		ComputeFrac: compute / total,
	}
}

// clocks has the speed of each machine's type; nil = all 1.
type clocks struct {
	topo  *cluster.Topology
	speed []float64
}

func newClocks(t *cluster.Topology, ts Types) clocks {
	c := clocks{topo: t}
	for m := 0; len(ts) > 0 && m < t.Machines(); m++ {
		v, ok := ts[t.Type(m)]
		if !ok {
			v = 1
		}
		c.speed = append(c.speed, v)
	}
	return c
}

func (c clocks) slowest(gpus []cluster.GPU) float64 {
	if c.speed == nil || len(gpus) == 0 {
		return 1
	}
	v := math.Inf(1)
	for _, g := range gpus {
		v = min(v, c.speed[c.topo.Machine(g)])
	}
	return v
}

// layoutOf counts the units that gpus (ascending, at least one) use.
func layoutOf(t *cluster.Topology, gpus []cluster.GPU) network.Layout {
	l := network.Layout{GPUs: len(gpus), SlotMin: len(gpus), MachineMin: len(gpus), RackMin: len(gpus)}
	slot, machine, rack := -1, -1, -1
	inSlot, inMachine, inRack := 0, 0, 0
	note := func(n int, lo, hi *int) {
		if n > 0 {
			*lo, *hi = min(*lo, n), max(*hi, n)
		}
	}
	for _, g := range gpus {
		s, m := t.Slot(g), t.Machine(g)
		if s != slot {
			note(inSlot, &l.SlotMin, &l.SlotMax)
			slot, inSlot = s, 0
			l.Slots++
			if m != machine {
				note(inMachine, &l.MachineMin, &l.MachineMax)
				machine, inMachine = m, 0
				l.Machines++
				if r := t.Rack(m); r != rack {
					note(inRack, &l.RackMin, &l.RackMax)
					rack, inRack = r, 0
					l.Racks++
				}
				inRack++
			}
			inMachine++
		}
		inSlot++
	}
	note(inSlot, &l.SlotMin, &l.SlotMax)
	note(inMachine, &l.MachineMin, &l.MachineMax)
	note(inRack, &l.RackMin, &l.RackMax)
	return l
}
