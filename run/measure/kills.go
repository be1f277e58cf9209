package measure

import "tarry/sim"

// kills counts what preemptions undid where they kill (sim.Costs.Kill).
type kills struct {
	jobs      int
	done      int
	undoneS   float64 // running time, of finished jobs
	undoneGPU float64 // GPU-seconds, of all
}

// job counts a job that ended, or that the end of the run cut. Its GPUs are those for which it asks.
func (k *kills) job(j *sim.Job, r *sim.Record) {
	if r.State == sim.Done {
		k.done++
		k.undoneS += r.KilledRun.Seconds()
	}
	if r.KilledRun > 0 {
		k.jobs++
		k.undoneGPU += float64(r.KilledRun.Seconds() * j.Width())
	}
}

// rows reports nothing where no kill undid anything.
func (k *kills) rows(add Add) {
	if k.jobs == 0 {
		return
	}
	add("killed_jobs", "", "jobs", float64(k.jobs))
	add("killed_mean_s", "", "s", share(k.undoneS, float64(k.done)))
	add("killed_gpu_s", "", "GPU-seconds", k.undoneGPU)
}
