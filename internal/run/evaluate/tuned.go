package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"tarry/env/registry"
	"tarry/internal/run/train"
	"tarry/sim"
	"tarry/sim/cluster"
)

// addTuned opens a scheduler that was tuned and puts it among the policies. on is what all are measured on, "" when this is
// the first; all gets one if there is none.
func (s *Setup) addTuned(m *registry.Maker, dir string, r *Request, on *string, all *[]*policyEnv) (*train.Trained, func() (sim.Policy, error), error) {
	t, err := r.OpenTuned(s.from, m, dir)
	if err != nil {
		return nil, nil, err
	}
	_, fresh, err := s.from.Policies.Parse(t.Policy, cluster.BestFit)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	at, err := r.placed(t.Seen)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	options := r.over(trainedOn(t.Seen))
	jobs := jobsOf(s.defaults(t.Env), options)
	if *on != "" && s.jobs != jobs {
		return nil, nil, fmt.Errorf("%s was tuned on other jobs or another cluster than %s: name cluster, workload, ... to measure both on the same", dir, r.folder(0))
	}
	if *on == "" {
		id, _, _ := strings.Cut(t.Env, ":")
		one, err := policyEnvOf(m, id, at)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", dir, err)
		}
		*on, *all, s.jobs = options, append(*all, one), jobs
	}
	name := t.Policy
	if slices.Contains(s.Policies, name) || slices.Contains(r.Baselines, name) { // two runs may choose the same, or the scheduler as it stands
		name += "@" + t.SHA256[:8]
	}
	s.tuned[len(s.Policies)] = origin{fmt.Sprintf("%s, tuned by %s with seed %d, sha256 %s", t.Policy, t.Optimiser, t.Seed, t.SHA256), t.Seed, t.SHA256}
	s.Policies = append(s.Policies, name)
	return t.Seen, fresh, nil
}

// folder names the k-th of the folders that are measured.
func (r *Request) folder(k int) string {
	if k < len(r.Checkpoints) {
		return r.Checkpoints[k]
	}
	return r.Tuned[k-len(r.Checkpoints)]
}
