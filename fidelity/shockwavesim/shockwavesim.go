package shockwavesim

import (
	"math"

	"tarry/baselines/shockwave"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	profiles "tarry/sim/speed/shockwave"
)

// Params describes the settings for the catalogue.
const Params = shockwave.Params + `
profile         the folder with the profiles of jobs, as of --speed shockwave:DIR; none: all jobs are as the speed model has them
trace           the trace whose jobs they are (the only one of the folder)
restart_s       what a job that was not in the last round loses of a full round, s
reset_s         time between two computations of fair shares at least, s
spare           part of the time that max-min leaves undecided which jobs get`

// program is the simulator's account. It implements shockwave.Program.
type program struct {
	profile  *profiles.Profile // nil = no job has an account
	restartS float64
	jobs     map[sim.JobID]*account
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &program{jobs: map[sim.JobID]*account{}}
	dir, trace := s.Text("profile", "none"), s.Text("trace", "")
	if dir != "none" {
		var err error
		if p.profile, err = profiles.Open(dir, trace); err != nil {
			s.FaultAt("profile", "%v", err)
		}
	}
	p.restartS = s.Float("restart_s", 20, 0, 1e9)
	fair := shockwave.Fair{ResetS: s.Float("reset_s", 1000, 0, 1e12), Spare: s.Float("spare", 1, 0, 1)}
	by, err := shockwave.NewFor(s, rule, p)
	if err != nil {
		return nil, err
	}
	by.SetFair(fair)
	return by, nil
}

// Open reads a job's epochs from the profile, lengths in whole seconds as the simulator has them.
func (p *program) Open(v *sim.View, j sim.JobID) (e shockwave.Epochs, ok bool) {
	if p.profile == nil {
		return e, false
	}
	model, batch := profiles.Split(v.Job(j).Model())
	s := p.profile.Job(v.Job(j).Public().ID)
	if s == nil || s.Batch[0] != batch {
		return e, false
	}
	a := &account{gpus: v.Job(j).GPUs(), total: float64(v.Job(j).Iterations()), clock: 1,
		adapt: adapt{model: model, mode: v.Job(j).VC(), schedule: s, initial: batch, batch: batch}}
	p.jobs[j] = a
	e = shockwave.Epochs{N: s.Epochs, First: s.First, Batch: s.Batch,
		UnitUS: float64(s.Steps(batch)*v.Job(j).IterS()) * 1e6}
	for _, b := range s.Batch {
		e.LengthS = append(e.LengthS, max(1, math.RoundToEven(p.profile.EpochS(model, s, b, a.gpus))))
	}
	return e, true
}

// Close forgets a job.
func (p *program) Close(j sim.JobID) { delete(p.jobs, j) }

// Clone gives an independent copy.
func (p *program) Clone() shockwave.Program {
	c := *p
	c.jobs = make(map[sim.JobID]*account, len(p.jobs))
	for j, a := range p.jobs {
		one := *a
		c.jobs[j] = &one
	}
	return &c
}
