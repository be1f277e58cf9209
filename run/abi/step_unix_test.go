//go:build unix

package abi

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
	"tarry/env"
)

// processor is the time that this process has had on processors.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// plain writes the action of the comparison with Python: 0, or the nearest number of a Box, and the
// first legal choice of each Discrete or MultiDiscrete.
func plain(of env.Space, mask []bool, action []float64) {
	switch s := of.(type) {
	case env.Box:
		for i := range action {
			action[i] = min(s.High[i], max(s.Low[i], 0))
		}
	case env.Discrete:
		action[0] = float64(s.Start + first(mask))
	case env.MultiDiscrete:
		for i, n := range s.N {
			action[i] = float64(first(mask[:min(n, len(mask))]))
			mask = mask[min(n, len(mask)):]
		}
	}
}

// first is the first entry of a mask that is set; 0 without a mask.
func first(mask []bool) int {
	for i, yes := range mask {
		if yes {
			return i
		}
	}
	return 0
}

// begin starts the episode that the comparison repeats.
func begin(b *testing.B, e env.Env) env.Step {
	b.Helper()
	seed, options := uint64(0), ""
	if strings.HasPrefix(e.Spec().ID, "tarry/") {
		options = "window=0"
	}
	obs, info, err := e.Reset(&seed, options)
	if err != nil {
		b.Fatal(err)
	}
	return env.Step{Obs: obs, Info: info}
}

// recorded plays an episode of at most so many steps and gives its actions and the sum of rewards.
func recorded(b *testing.B, e env.Env, most int) (actions [][]float64, sum float64) {
	b.Helper()
	s := begin(b, e)
	for len(actions) < most && !s.Done() {
		action := make([]float64, e.Spec().Action.Len())
		plain(e.Spec().Action, s.Info.Mask, action)
		var err error
		if s, err = e.Step(action); err != nil {
			b.Fatal(err)
		}
		actions, sum = append(actions, action), sum+s.Reward
	}
	return actions, sum
}

// BenchmarkStep repeats one episode of each environment in Go and reports the processor time of a
// step, without resets: what python/bench/step.py does from Python, one environment and several in
// turn. The sum of the rewards shows that both play the same.
func BenchmarkStep(b *testing.B) {
	for _, entry := range envs.All() {
		for _, n := range []int{1, 8} {
			b.Run(fmt.Sprintf("%s/%d", entry.ID, n), func(b *testing.B) {
				group := make([]env.Env, n)
				for i := range group {
					var err error
					if group[i], err = envs.All().Make(simulation.All(), entry.ID); err != nil {
						b.Fatal(err)
					}
					defer group[i].Close()
				}
				actions, sum := recorded(b, group[0], 1000)
				best := time.Duration(1 << 62)
				for b.Loop() {
					for _, e := range group {
						begin(b, e)
					}
					start := processor(b)
					for _, a := range actions {
						for _, e := range group {
							if _, err := e.Step(a); err != nil {
								b.Fatal(err)
							}
						}
					}
					best = min(best, processor(b)-start)
				}
				b.ReportMetric(float64(best.Nanoseconds())/float64(len(actions)*n), "cpu-ns/step")
				b.ReportMetric(sum, "rewards")
			})
		}
	}
}
