package evaluate

import (
	"fmt"
	"slices"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/registry"
)

// Untrained begins the names of agents as they were before training.
const Untrained = "untrained:"

// addUntrained puts, behind the agents, the checkpoints of the request as they were before
// training: the same networks with the weights that their seeds draw, or what a search begins with,
// once where that is the same for all seeds. The errors are all faults.
func (s *Setup) addUntrained(m *registry.Maker, r *Request, on *measured) (errs []error) {
	if !r.Untrained {
		return nil
	}
	trained := len(s.Agents)
	for i := range r.Checkpoints {
		t, of := on.known[i].Trained, s.Agents[i]
		at := of.env.in.Spec().ID + ":" + of.at
		p, err := t.Untrained(func() (env.Env, error) { return m.Make(at) }, of.env.spec)
		if err == nil {
			err = agents.Bind(p, of.env.in)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w; without the row of the untrained agent (--untrained=false) it "+
				"is not needed", of.Name, err))
			continue
		}
		f := &Frozen{family: Untrained + of.family, kind: Untrained + of.kind, Name: Untrained + of.family,
			Agent: fmt.Sprintf("%s before training", of.Agent), untrained: true,
			env: of.env, at: of.at, options: of.options, policy: p, clock: r.Clock, stop: r.Stop, seed: of.seed}
		if len(r.Checkpoints) > 1 {
			f.Name = fmt.Sprintf("%s-%d", f.Name, of.seed)
		}
		if slices.ContainsFunc(s.Agents[trained:], func(o *Frozen) bool { return same(o, f) }) {
			continue
		}
		for slices.Contains(s.Policies, f.Name) {
			f.Name += "'"
		}
		s.Policies, s.Agents = append(s.Policies, f.Name), append(s.Agents, f)
	}
	return errs
}

// same reports whether two agents of one kind are one vector: a search begins alike with every
// seed.
func same(a, b *Frozen) bool {
	x, ok := agents.Vector(a.policy)
	y, too := agents.Vector(b.policy)
	return ok && too && a.kind == b.kind && slices.Equal(x, y)
}
