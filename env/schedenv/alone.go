package schedenv

import "tarry/sim"

// Alone is the policy that the base policy of a scheduler is without an agent.
type Alone struct {
	Scheduler
	// Asked, if not nil, is set at the first question, after which none is looked for.
	Asked *bool
}

// Decide answers questions as the base policy does.
func (a Alone) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = a.Begin(v, out)
	for (a.Asked == nil || !*a.Asked) && a.Ask(v) {
		a.Answer(v, nil)
		if a.Asked != nil {
			*a.Asked = true
		}
	}
	return a.Finish(v, out)
}
