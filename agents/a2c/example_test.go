package a2c_test

import (
	"fmt"

	"tarry/agents/a2c"
	"tarry/agents/learn"
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
	cfg := a2c.Default()
	cfg.TotalSteps, cfg.Rollouts, cfg.Hidden = 4_000, 5, []int{16}
	cfg.Optimizer, cfg.LearningRate = "adam", 5e-3
	l, err := a2c.New(cfg, 1, func(int) (env.Env, error) { return match.New(), nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	if err := l.Train(func(r learn.Row) error {
		if r.Update%10 == 0 {
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
	// 2000 steps: return 0.9
	// 4000 steps: return 1.0
	// 0 -> 0
	// 1 -> 1
}
