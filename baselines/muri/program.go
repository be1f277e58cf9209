package muri

import (
	"tarry/sim"
	"tarry/sim/stages"
)

// Program is another program's account of jobs and its way to give groups their GPUs, in place of
// the kernel's account and of Policy's placement; fidelity/murisim has one.
type Program interface {
	// Pass is called at the start of each decision: time has passed since the last one.
	Pass(v *sim.View)
	// Join takes in a job that has arrived, Leave forgets one that has ended.
	Join(v *sim.View, j sim.JobID)
	Leave(j sim.JobID)
	// Correct makes the account of a job what the kernel has counted, after faults and checkpoints.
	Correct(v *sim.View, j sim.JobID)
	// Key is a job's place in the list, in GPU-seconds, the least first: what is left, with las what
	// it has attained.
	Key(v *sim.View, j sim.JobID, las bool) float64
	// Held is for how many seconds a job has held its GPUs, and whether it holds them.
	Held(j sim.JobID) (s float64, holds bool)
	// Renew is called when machines fail or return. Clear empties the cluster in mind; Fits reports
	// whether so many GPUs are left there, and takes them.
	Renew()
	Clear(v *sim.View)
	Fits(gpus int) bool
	// Stages are those measured of a job, and its iteration time alone in seconds; ok is false where
	// there are none.
	Stages(model string, gpus int) (t stages.Times, iterS float64, ok bool)
	// Place gives the groups, the widest first, their GPUs; false = it cannot now, and Policy does.
	Place(v *sim.View, groups []Group, out []sim.Decision) ([]sim.Decision, bool)
	// Clone gives an independent copy.
	Clone() Program
}

// Group is a set of jobs that are to share GPUs.
type Group struct {
	Parts []Part
	// GPUs is how many they share, TimeS the time of an iteration together, in seconds.
	GPUs  int
	TimeS float64
}

// Part is a job of a group.
type Part struct {
	Job sim.JobID
	// IterS is the time of an iteration alone, in seconds.
	IterS float64
	// ShareMilli is its share of each GPU, in thousandths; 0 = the share that it asks for.
	ShareMilli int32
}

// wide lists the groups for a Program, the widest first.
func (p *Policy) wide() []Group {
	p.byWidth()
	p.shown, p.parts = p.shown[:0], p.parts[:0]
	for _, i := range p.order {
		for _, m := range p.groups[i].members() {
			p.parts = append(p.parts, Part{m.job, p.kinds.all[m.class].iterS, p.share(m, p.groups[i].n)})
		}
	}
	at := 0
	for _, i := range p.order {
		g := &p.groups[i]
		p.shown = append(p.shown, Group{p.parts[at : at+g.n : at+g.n], int(g.gpus), g.timeS})
		at += g.n
	}
	return p.shown
}

// clear empties the cluster in mind, take takes GPUs of it.
func (p *Policy) clear(v *sim.View) {
	if p.room.clear(v); p.program != nil {
		p.program.Clear(v)
	}
}

func (p *Policy) take(gpus int32, typ string) bool {
	if p.program != nil {
		return p.program.Fits(int(gpus))
	}
	return p.room.take(gpus, typ)
}

// renew is called when machines fail or return.
func (p *Policy) renew() {
	if p.room.renew(); p.program != nil {
		p.program.Renew()
	}
}
