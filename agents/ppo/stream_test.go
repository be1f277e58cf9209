package ppo_test

import (
	"math/rand/v2"

	"tarry/sim/rng"
)

func stream(name string) *rand.Rand { return rng.Source{Seed: 2}.Stream(name).Rand }
