package sac_test

import (
	"fmt"
	"math"

	"tarry/agents/sac"
	"tarry/env"
	"tarry/env/probe"
)

// Train on a problem whose answer is known: give half of what is seen.
func Example() {
	var target probe.Entry
	for _, p := range probe.All() {
		if p.ID == "probe/Target-v0" {
			target = p
		}
	}
	cfg := sac.Default()
	cfg.TotalSteps, cfg.Steps, cfg.Batch, cfg.Hidden, cfg.LearningRate, cfg.Alpha, cfg.AutoAlpha = 1_500, 500, 32,
		[]int{16}, 5e-3, 1e-3, false
	l, err := sac.New(cfg, 1, func(int) (env.Env, error) { return target.New(), nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	if err := l.Train(func(sac.Row) error { return nil }); err != nil {
		fmt.Println(err)
		return
	}
	action := make([]float64, 1)
	for _, seen := range []float64{-1, 1} {
		if err := l.Policy().Act(action, []float64{seen}, nil, nil); err != nil {
			fmt.Println(err)
		}
		fmt.Println(seen, "-> about a half:", math.Abs(action[0]-seen/2) < 0.2)
	}
	// Output:
	// -1 -> about a half: true
	// 1 -> about a half: true
}
