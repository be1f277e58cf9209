package dqn_test

import (
	"fmt"

	"tarry/agents/dqn"
	"tarry/env"
	"tarry/env/probe"
)

// Train on a problem whose answer is known: repeat the bit that is seen.
func Example() {
	var match probe.Entry
	for _, p := range probe.All() {
		if p.ID == "probe/Match-v0" {
			match = p
		}
	}
	cfg := dqn.Default()
	cfg.TotalSteps, cfg.Steps, cfg.LearningStarts, cfg.Hidden, cfg.LearningRate = 4_000, 500, 100, []int{16}, 5e-3
	l, err := dqn.New(cfg, 1, func(int) (env.Env, error) { return match.New(), nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	if err := l.Train(func(dqn.Row) error { return nil }); err != nil {
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
	// 0 -> 0
	// 1 -> 1
}
