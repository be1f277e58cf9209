package main

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/speed"
)

// amdahl shows a speed model: a fraction of each iteration does not get faster with more GPUs
// (Amdahl, AFIPS 1967), wherever they are. On g GPUs the nominal compute fraction is 1 / (1 +
// serial (g - 1)); shares, clocks and batches count by the common rule that package tarry/sim/speed
// documents.
type amdahl struct {
	serial float64 // fraction of an iteration on one GPU
	topo   *cluster.Topology
	types  speed.Types
}

// amdahlKind is amdahl in the catalogue.
func amdahlKind() speed.Kind {
	return speed.Kind{Name: "amdahl", Form: "amdahl[:serial=F]", Doc: "part of an iteration does not get faster " +
		"with more GPUs", Params: "serial  that part (0.05)", New: newAmdahl}
}

func newAmdahl(s *param.Set, e speed.Env) (sim.SpeedModel, error) {
	m := &amdahl{serial: s.Float("serial", 0.05, 0, 1), topo: e.Topology, types: e.Types}
	return m, e.Types.Validate()
}

// Speed reports how fast a job runs on its GPUs.
func (m *amdahl) Speed(q *sim.Query) (sim.Speed, error) {
	gpus := float64(len(q.GPUs))
	share := float64(q.ShareMilli) / 1000
	compute := q.Batch / (q.FreqFrac * m.clock(q.GPUs))
	total := compute + m.serial*(gpus-1) // 1/fraction - 1 is what an iteration waits
	return sim.Speed{Rate: gpus * share * q.Batch / total, ComputeFrac: compute / total}, nil
}

// clock is the relative speed of the slowest GPU's type; a type that is not listed has 1.
func (m *amdahl) clock(gpus []cluster.GPU) float64 {
	least := math.Inf(1)
	for _, g := range gpus {
		of, listed := m.types[m.topo.Type(m.topo.Machine(g))]
		if !listed {
			of = 1
		}
		least = min(least, of)
	}
	return least
}
