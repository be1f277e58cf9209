package envtest

import (
	"testing"

	"tarry/env"
	"tarry/env/classic"
	"tarry/env/probe"
	"tarry/env/wrap"
)

// fine gives a wrapper's result where its arguments are known to be right.
func fine(e env.Env, err error) env.Env {
	if err != nil {
		panic(err)
	}
	return e
}

// probeOf makes a probe by id.
func probeOf(id string) env.Env {
	for _, p := range probe.All() {
		if p.ID == id {
			return p.New()
		}
	}
	panic(id)
}

// TestWrappersConform checks every wrapper, alone and in a tower.
func TestWrappersConform(t *testing.T) {
	limited := func(n int) env.Env { return fine(wrap.TimeLimit(classic.CartPole(), n)) }
	for name, make := range map[string]func() env.Env{
		"limit":       func() env.Env { return limited(15) },
		"order":       classic.MountainCar,
		"statistics":  func() env.Env { return wrap.EpisodeStatistics(limited(10)) },
		"observation": func() env.Env { return wrap.NormalizeObservation(limited(30)) },
		"reward": func() env.Env {
			n, err := wrap.NormalizeReward(limited(30), 0.9)
			return fine(n, err)
		},
		"clip":    func() env.Env { return fine(wrap.ClipAction(classic.Pendulum())) },
		"rescale": func() env.Env { return fine(wrap.RescaleAction(classic.Pendulum(), -1, 1)) },
		"flatten": func() env.Env { return wrap.Flatten(probeOf("probe/Masked-v0")) },
		"time":    func() env.Env { return fine(wrap.TimeAware(limited(20))) },
		"tower": func() env.Env {
			e := fine(wrap.RescaleAction(classic.Pendulum(), -1, 1))
			e = fine(wrap.TimeLimit(fine(wrap.ClipAction(e)), 25))
			e = wrap.NormalizeObservation(fine(wrap.TimeAware(wrap.Flatten(wrap.EpisodeStatistics(e)))))
			n, err := wrap.NormalizeReward(e, 0.99)
			return fine(n, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "observation" || name == "reward" || name == "tower" {
				// What has been seen moves what these give, on purpose: frozen, they must be like
				// any other.
				inner := make
				make = func() env.Env { e := inner(); wrap.Freeze(e, true); return e }
			}
			CheckEnv(t, Config{Steps: 60, New: func() (env.Env, error) { return wrap.OrderEnforcing(make()), nil }})
		})
	}
}
