package scenario

import (
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// maxGPUMiB bounds Scenario.GPUMiB.
const maxGPUMiB = 1 << 40

// withGPUMiB gives the GPUs of a cluster memory, where it does not state theirs.
func withGPUMiB(spec cluster.Spec, mib int64) cluster.Spec {
	if mib <= 0 {
		return spec
	}
	spec.Racks = slices.Clone(spec.Racks)
	for r := range spec.Racks {
		spec.Racks[r] = slices.Clone(spec.Racks[r]) // equal racks of a file are one slice
		for i := range spec.Racks[r] {
			if m := &spec.Racks[r][i]; m.GPUMiB == 0 {
				m.GPUMiB = mib
			}
		}
	}
	return spec
}

// oomS is what running out of memory takes where nothing is stated, in seconds: a free failure
// would let a policy try again and again within a second.
const oomS = 60

// costOfMemory states what running out of memory costs, where a cluster states memory and nothing
// else reports it.
func (s *Setup) costOfMemory() {
	if c := &s.Scenario.Costs; s.Topology.StatesGPUMiB() && c.OutOfMemory == (sim.Cost{}) {
		c.OutOfMemory.FixedS = oomS
		s.Notes = append(s.Notes, fmt.Sprintf("gpu memory: a job that runs out of it holds its GPUs for %d s and "+
			"goes back to its last checkpoint (cost oom_s)", oomS))
	}
}
