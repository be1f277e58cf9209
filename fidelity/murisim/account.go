package murisim

import (
	"tarry/sim"
)

// account is what the simulator keeps of a job.
type account struct {
	gpus float64
	// leftS are the seconds of running alone that are left, heldS the seconds of holding GPUs.
	leftS, heldS float64
	// ran is whether it ever ran, runs whether it runs in the present interval: there it is stretch
	// times slower than alone, and loses overS seconds.
	ran, runs      bool
	stretch, overS float64
	startS         float64 // what a start of the job costs, s
}

// Pass books the interval since the last decision: each job that ran loses its group's start
// overheads of it.
func (p *program) Pass(v *sim.View) {
	elapsed := (v.Now() - p.last).Seconds()
	p.last = v.Now()
	for _, a := range p.jobs {
		if a.runs {
			a.leftS = max(0, a.leftS-max(0, elapsed-a.overS)/a.stretch)
			a.heldS += elapsed
		}
	}
}

// Join takes in a job that has arrived.
func (p *program) Join(v *sim.View, j sim.JobID) {
	k := v.Job(j).Public()
	p.special = p.special || k.GPUType != "" || k.CPUMilli > 0 || k.MemMiB > 0 || v.Topology().StatesGPUMiB()
	a := &account{gpus: float64(v.Job(j).GPUs())}
	if p.profile != nil {
		if s, ok := p.profile.Of(v.Job(j).Model(), v.Job(j).GPUs()); ok {
			a.startS = s.OverheadS
		}
	}
	p.jobs[j] = a
	p.Correct(v, j)
}

// Leave forgets a job that has ended.
func (p *program) Leave(j sim.JobID) { delete(p.jobs, j) }

// Correct makes the account of a job what the kernel has counted.
func (p *program) Correct(v *sim.View, j sim.JobID) {
	a := p.jobs[j]
	a.leftS, a.runs = v.Run(j).Left()/a.gpus/1e6, false
}

// Key is a job's place in the list, in GPU-seconds.
func (p *program) Key(v *sim.View, j sim.JobID, las bool) float64 {
	a := p.jobs[j]
	switch {
	case las:
		return a.heldS * a.gpus
	case !a.ran && v.Job(j).Request() > 0:
		return v.Job(j).Request().Seconds() * a.gpus
	}
	return a.leftS * a.gpus
}

// Held is for how many seconds a job has held its GPUs, overheads among them.
func (p *program) Held(j sim.JobID) (s float64, holds bool) {
	a := p.jobs[j]
	return a.heldS, a.runs
}
