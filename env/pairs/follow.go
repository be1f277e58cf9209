package pairs

import (
	"fmt"

	"tarry/baselines/typed"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// Follow names the baseline whose order is demonstrated: typed with any weights. Its law of run times
// and its rounds are not followed: the environment's are.
func (s *scheduler) Follow(baseline string) error {
	_, fresh, err := s.cfg.Policies.Parse(baseline, cluster.BestFit)
	if err != nil {
		return err
	}
	p, err := fresh()
	if err != nil {
		return err
	}
	of, ok := p.(*typed.Policy)
	if !ok || of.Knows()&know.Work != 0 && !s.cfg.Typed.Exact {
		return fmt.Errorf("what %s would do cannot be read off at the agent's questions, expected typed by what the "+
			"environment reads", baseline)
	}
	s.demo = of.Weights()
	return nil
}

// Demonstrate writes the scores of the pairs in the list.
func (s *scheduler) Demonstrate(v *sim.View, action []float64) {
	clear(action)
	if s.demo == nil {
		return
	}
	x := typed.Inputs{}
	s.policy.Look()
	for i, j := range s.jobs {
		s.policy.ReadJob(v, j, &x.Job)
		for k := range s.cfg.types {
			if s.policy.ReadPair(v, j, k, &x) {
				action[i*s.cfg.types+k] = scored(typed.Score(s.cfg.own, s.demo, &x))
			}
		}
	}
}
