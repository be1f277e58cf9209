package gpuprofile

import (
	"fmt"

	"tarry/sim"
	"tarry/sim/origin"
)

// Apply gives the workload with what its jobs need.
func (r *Rule) Apply(w *sim.Workload) (*sim.Workload, error) {
	source := fmt.Sprintf("gpu_profile %s, by model, where the trace states nothing", r.text)
	return w.Each(r.Changes(), origin.Origin{Field: "gpu_mem_mib", Source: source},
		origin.Origin{Field: "gpu_util_frac", Source: source})
}

// Changes gives what sets the needs of one job after the other.
func (r *Rule) Changes() func(*sim.Job) {
	g := giver{r, map[key]need{}}
	return g.job
}

// giver remembers models, which are few.
type giver struct {
	rule *Rule
	seen map[key]need
}

// job gives what a job does not state.
func (g *giver) job(j *sim.Job) {
	if j.GPUMiB != 0 && j.GPUUtilFrac != 0 {
		return
	}
	k := key{j.Model, j.GPUs}
	n, ok := g.seen[k]
	if !ok {
		n = g.rule.of(j.Model, j.GPUs)
		g.seen[k] = n
	}
	if j.GPUMiB == 0 {
		j.GPUMiB = n.mib
	}
	if j.GPUUtilFrac == 0 {
		j.GPUUtilFrac = n.util
	}
}
