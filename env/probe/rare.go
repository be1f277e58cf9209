package probe

import (
	"tarry/env"
)

// The reward of Rare, and how many choices each of its two decisions has.
const (
	large       = 20
	rareChoices = 32
)

// Rare is a probe of slots: two decisions of one instant with 32 choices each, of which one pair earns
// 20 and all others nothing, so that a policy that draws at random earns once in 1024 slots. A store by
// priority draws the slots that earned again and again. All does not list it: what a learner without
// such a store does depends on how many steps it is given.
func Rare() Entry {
	const id = "probe/Rare-v0"
	right := func(obs []float64) float64 { return 5 - 3*obs[0] } // 5, then 2
	return entry(id, "a store by priority", env.NewBox(0, 1, 2), env.Discrete{N: rareChoices}, rules{
		nothing,
		func(t int, a, obs []float64, _ []bool) outcome {
			if a[0] != right(obs) {
				obs[1] = 1
			}
			if obs[0] = 1; t == 1 {
				return outcome{instant: true}
			}
			return ends(large * (1 - obs[1]))
		}},
		func(_ float64, obs []float64) float64 { return large * (1 - obs[1]) },
		func(obs []float64) []float64 { return []float64{right(obs)} })
}
