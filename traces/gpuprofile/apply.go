package gpuprofile

import (
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/origin"
)

// Apply gives the workload with what its jobs need.
func (r *Rule) Apply(w *sim.Workload) (*sim.Workload, error) {
	jobs := slices.Clone(w.Jobs)
	g := giver{r, map[key]need{}}
	for i := range jobs {
		g.job(&jobs[i])
	}
	source := fmt.Sprintf("gpu_profile %s, by model, where the trace states nothing", r.text)
	origins := append(slices.Clone(w.Origins), origin.Origin{Field: "gpu_mem_mib", Source: source},
		origin.Origin{Field: "gpu_util_frac", Source: source})
	return sim.NewWorkload(w.Name, jobs, origins...)
}

// Stream gives the jobs of a stream what Apply gives them.
func (r *Rule) Stream(in sim.Stream) sim.Stream { return &stream{in, giver{r, map[key]need{}}} }

type stream struct {
	sim.Stream
	giver
}

func (s *stream) Next(j *sim.Job) bool {
	if !s.Stream.Next(j) {
		return false
	}
	s.job(j)
	return true
}

// giver remembers models, which are few.
type giver struct {
	rule *Rule
	seen map[key]need
}

// job gives what a job does not say.
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
