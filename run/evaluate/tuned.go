package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"tarry/env/registry"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// addTuned opens a scheduler that was tuned and puts it among the policies; on gets an environment
// if it has none.
func (s *Setup) addTuned(m *registry.Maker, dir string, r *Request, on *measured) (func() (sim.Policy, error), error) {
	t, err := r.OpenTuned(s.from, m, dir)
	if err != nil {
		return nil, err
	}
	_, fresh, err := s.from.Policies.Parse(t.Policy, cluster.BestFit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	at, err := r.placed(t.Seen)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	options := r.over(trainedOn(t.Seen))
	if err := on.same(s, dir, "was tuned on", t.Env, options, nil); err != nil {
		return nil, err
	}
	if len(on.envs) == 0 {
		id, _, _ := strings.Cut(t.Env, ":")
		one, err := policyEnvOf(m, id, at)
		if err != nil {
			return nil, fmt.Errorf("%s: its config.json: %w", dir, err)
		}
		on.envs = append(on.envs, one)
	}
	on.known = append(on.known, known{t.Seen, dir, ""})
	name, label := param.Labelled(t.Policy)
	// two runs may choose the same, or the scheduler as it stands
	if slices.Contains(s.Policies, name) || slices.Contains(r.Baselines, name) {
		name += "@" + t.SHA256[:8]
	}
	if label != "" {
		if s.Labels == nil {
			s.Labels = map[string]string{}
		}
		s.Labels[name] = label
	}
	base, _ := param.Labelled(t.Base)
	s.tuned[len(s.Policies)] = origin{fmt.Sprintf("%s, tuned by %s with seed %d, sha256 %s", t.Policy, t.Optimiser,
		t.Seed, t.SHA256), t.Seed, t.SHA256, shortTuned(base)}
	s.Policies = append(s.Policies, name)
	return fresh, nil
}

// shortTuned is the name of a tuned scheduler without the values that were found.
func shortTuned(base string) string {
	if strings.Contains(base, ":") {
		return base + ",tuned"
	}
	return base + ":tuned"
}
