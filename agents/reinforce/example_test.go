package reinforce_test

import (
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/reinforce"
	"tarry/env"
	"tarry/env/probe"
)

// Train on a problem whose answer is known: repeat the bit that is seen. An episode's seed decides
// the bit, so every rollout of a sequence sees the same one.
func Example() {
	var match probe.Entry
	for _, p := range probe.All() {
		if p.ID == "probe/Match-v0" {
			match = p
		}
	}
	cfg := reinforce.Default()
	cfg.TotalSteps, cfg.Sequences, cfg.Rollouts, cfg.Hidden, cfg.LearningRate = 4_096, 8, 8, []int{16}, 2e-2
	l, err := reinforce.New(cfg, 1, func(int) (env.Env, error) { return match.New(), nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	if err := l.Train(func(r learn.Row) error {
		if r.Update%32 == 0 {
			fmt.Printf("%4d steps: return %.1f\n", r.Steps, r.Return)
		}
		return nil
	}); err != nil {
		fmt.Println(err)
		return
	}
	action := make([]float64, 1)
	for _, bit := range []float64{0, 1} {
		if err := l.Policy().Act(action, []float64{bit}, nil, nil); err != nil {
			fmt.Println(err)
		}
		fmt.Println(bit, "->", action[0])
	}
	// Output:
	// 2048 steps: return 1.0
	// 4096 steps: return 1.0
	// 0 -> 0
	// 1 -> 1
}
