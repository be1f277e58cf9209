package scenario

import (
	"fmt"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
)

// referenceMiB is the memory of the GPU that the times of models after GPT-2 are stated for: what a
// GPU has of which the cluster states nothing.
const referenceMiB = 80 << 10

// TooLarge remarks jobs that train a model which needs more memory than their GPUs have, where
// neither the trace nor a profile of GPUs states what they need; "" = there are none. Only models are
// looked at whose states a job divides between its GPUs.
func (s *Setup) TooLarge(of ...*sim.Workload) string {
	if s.Topology == nil || s.models == nil {
		return ""
	}
	profiles, most := map[string]*models.Profile{}, map[string]int64{}
	text, jobs, large := "", 0, 0
	for _, w := range of {
		for i := range w.Jobs {
			j := &w.Jobs[i]
			jobs++
			p, ok := profiles[j.Model]
			if !ok {
				p, _ = s.models.Lookup(j.Model)
				profiles[j.Model] = p
			}
			if p == nil || p.StatesMiB == 0 || j.GPUMiB > 0 {
				continue
			}
			if _, ok := most[j.GPUType]; !ok {
				most[j.GPUType] = largestMiB(s.Topology, j.GPUType)
			}
			gpus := max(j.GPUs, j.MaxGPUs)
			need := p.NeedMiB(int(gpus))
			if need <= most[j.GPUType] {
				continue
			}
			if large++; text == "" {
				text = fmt.Sprintf("job %q trains %s on %d GPUs, of which each would need %d MiB and has %d", j.ID, p.Name,
					gpus, need, most[j.GPUType])
			}
		}
	}
	if large == 0 {
		return ""
	}
	return fmt.Sprintf("gpu memory: %d of %d jobs train a model that does not fit, and run all the same: %s; the column "+
		"gpu_mem_mib states what jobs need, and --gpu-profile catalogue with a cluster that states its memory refuses "+
		"such jobs", large, jobs, text)
}

// largestMiB is the most memory of a GPU that a job of a type may use.
func largestMiB(t *cluster.Topology, typ string) int64 {
	most := int64(0)
	for m := range t.Machines() {
		if t.Room(m, cluster.PerGPU{Type: typ}) == 0 {
			continue
		}
		have := t.GPUMiB(m)
		if have == 0 {
			have = referenceMiB
		}
		most = max(most, have)
	}
	return most
}
