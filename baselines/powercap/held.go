package powercap

import (
	"slices"

	"tarry/sim"
)

// tell gives the events that the host gets: jobs that it takes for running and that wait have failed,
// and of jobs that still save their state it gets none.
func (p *Policy) tell(v *sim.View, events []sim.Event) []sim.Event {
	if len(p.owed) == 0 {
		return events
	}
	p.events = p.events[:0]
	told := false
	for _, ev := range events {
		if !told && ev.Kind >= sim.Fail {
			p.report(v)
			told = true
		}
		if ev.Kind != sim.Drained || !slices.Contains(p.owed, ev.Job) {
			p.events = append(p.events, ev)
		}
	}
	if !told {
		p.report(v)
	}
	p.owed = slices.DeleteFunc(p.owed, func(j sim.JobID) bool { return v.Run(j).State() != sim.Draining })
	return p.events
}

func (p *Policy) report(v *sim.View) {
	for _, j := range p.owed {
		if v.Run(j).State() == sim.Waiting {
			p.events = append(p.events, sim.Event{Kind: sim.Fail, Job: j})
		}
	}
}

// unheld leaves out what a host decides of jobs that still save their state, though it takes them for
// running, and starts and moves to their GPUs.
func (p *Policy) unheld(v *sim.View, out []sim.Decision, first int) []sim.Decision {
	if len(p.owed) == 0 {
		return out
	}
	saving := len(p.owed)
	p.order = p.order[:0] // jobs of which nothing is done
	for i := range out[first:] {
		d := &out[first+i]
		for _, g := range d.GPUs {
			if slices.ContainsFunc(v.On(g), func(j sim.JobID) bool { return slices.Contains(p.owed[:saving], j) }) {
				p.order = append(p.order, int32(d.Job))
				if d.Kind == sim.Start {
					p.owed = append(p.owed, d.Job)
				}
				break
			}
		}
	}
	for _, j := range p.owed[:saving] {
		p.order = append(p.order, int32(j))
	}
	return p.without(out, first, func(d *sim.Decision) bool { return slices.Contains(p.order, int32(d.Job)) })
}

// without leaves out some of what is decided, from first on, of jobs.
func (p *Policy) without(out []sim.Decision, first int, of func(*sim.Decision) bool) []sim.Decision {
	kept := out[:first]
	for _, d := range out[first:] {
		switch d.Kind {
		case sim.WakeAt, sim.Cordon, sim.Uncordon, sim.PowerOff, sim.PowerOn:
		default:
			if of(&d) {
				continue
			}
		}
		kept = append(kept, d)
	}
	return kept
}
