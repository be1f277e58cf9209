package murisim

import (
	"slices"

	"tarry/baselines/muri"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	profiles "tarry/sim/speed/muri"
	"tarry/sim/stages"
)

// Params describes the settings for the catalogue.
const Params = muri.Params + `
profile     the folder with stages.csv, as of --speed muri:DIR, for stages and start overheads; none: the stages of the speed model, no
            overheads`

// program is the simulator's account and placement. It implements muri.Program.
type program struct {
	profile *profiles.Profile // nil = the speed model's stages, no overheads
	jobs    map[sim.JobID]*account
	room    room
	last    sim.Time // of the last decision
	special bool     // jobs came that ask for CPU, memory or a type
	gpus    []cluster.GPU
}

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &program{jobs: map[sim.JobID]*account{}}
	if dir := s.Text("profile", "none"); dir != "none" {
		var err error
		if p.profile, err = profiles.Open(dir); err != nil {
			s.FaultAt("profile", "%v", err)
		}
	}
	return muri.NewFor(s, rule, p)
}

// Renew notes that machines failed or returned.
func (p *program) Renew() { p.room.fresh = false }

// Clear empties the cluster in mind.
func (p *program) Clear(v *sim.View) { p.room.clear(v) }

// Fits takes GPUs of the cluster in mind.
func (p *program) Fits(gpus int) bool {
	var ok bool
	p.gpus, ok = p.room.put(gpus, p.gpus[:0])
	return ok
}

// Stages reads the profile.
func (p *program) Stages(model string, gpus int) (t stages.Times, iterS float64, ok bool) {
	if p.profile == nil {
		return t, 0, false
	}
	s, ok := p.profile.Of(model, gpus)
	return s.Times, s.IterS, ok
}

// movable reports whether all jobs can be taken off and started again at once, by a placement that
// counts GPUs alone.
func (p *program) movable(v *sim.View) bool {
	return v.Draining() == 0 && !p.special && !slices.ContainsFunc(v.Running(),
		func(j sim.JobID) bool { return v.Run(j).CheckpointTime() > 0 })
}

// maxDelayS bounds a delay, so that no sum of times overflows.
const maxDelayS = 1e11

// Place takes all jobs off and places the groups. A job's delay makes up for what the account has
// charged it and the kernel has not: it ends when the time that is left by the account has passed at
// the group's pace.
func (p *program) Place(v *sim.View, groups []muri.Group, out []sim.Decision) ([]sim.Decision, bool) {
	if !p.movable(v) {
		return out, false
	}
	for _, a := range p.jobs {
		a.runs = false
	}
	for _, j := range v.Running() {
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
	}
	p.room.clear(v)
	p.gpus = p.gpus[:0]
	for _, g := range groups {
		at, ok := len(p.gpus), false
		if p.gpus, ok = p.room.put(g.GPUs, p.gpus); !ok {
			continue
		}
		gpus, over := p.gpus[at:len(p.gpus):len(p.gpus)], 0.0
		for _, part := range g.Parts {
			over += p.jobs[part.Job].startS
		}
		for _, part := range g.Parts {
			a := p.jobs[part.Job]
			a.ran, a.runs, a.overS, a.stretch = true, true, over, g.TimeS/part.IterS
			k := sim.Knobs{ShareMilli: part.ShareMilli}
			if behind := a.leftS - v.Run(part.Job).Left()/a.gpus/1e6; behind > 0 {
				k.Delay = sim.Seconds(min(behind*a.stretch, maxDelayS))
			}
			out = append(out, sim.Decision{Kind: sim.Start, Job: part.Job, GPUs: gpus, Knobs: k})
		}
	}
	return out, true
}

// Clone gives an independent copy.
func (p *program) Clone() muri.Program {
	c := *p
	c.room, c.gpus = room{}, nil
	c.jobs = make(map[sim.JobID]*account, len(p.jobs))
	for j, a := range p.jobs {
		one := *a
		c.jobs[j] = &one
	}
	return &c
}
