package probe

import (
	"tarry/env"
	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// Entry is one probe with its answer.
type Entry struct {
	// ID names it.
	ID string
	// Isolates is what fails when the learner gets it wrong and all earlier ones right.
	Isolates string
	// New makes one, without wrappers.
	New func() env.Env
	// Value is the value of an observation under the best policy, with discount gamma per unit
	// of Info.Elapsed, gamma < 1.
	Value func(gamma float64, obs []float64) float64
	// Best is the best action on an observation; nil = the best policy draws its actions, with
	// the probabilities Chances.
	Best    func(obs []float64) []float64
	Chances []float64
	// Rate is the most reward per unit of Info.Elapsed that any policy earns in the long run, and
	// Differential an observation's value relative to it, with mean 0 over the observations that
	// the best policy sees; 0 and nil where episodes end, which makes the rate one of beginnings
	// and ends.
	Rate         float64
	Differential func(obs []float64) float64
}

// All lists the probes in the order in which to run them. It is made anew at each call.
func All() []Entry {
	return append(basic(), further()...)
}

// one is a value that does not depend on what is seen.
func one(float64, []float64) float64 { return 1 }

// first is the best action where there is only one.
func first([]float64) []float64 { return []float64{0} }

// nothing starts an episode on the observation 0.
func nothing(*rng.Stream, []float64, []bool) {}

// coin starts an episode on the observation 0 or 1.
func coin(s *rng.Stream, obs []float64, _ []bool) { obs[0] = float64(s.IntN(2)) }

// bit is the observation space of one number in [0, 1].
func bit() env.Space { return env.NewBox(0, 1, 1) }

func entry(id, isolates string, obs, action env.Space, r rules, value func(float64, []float64) float64,
	best func([]float64) []float64) Entry {
	spec := env.Spec{ID: id, Observation: obs, Action: action}
	return Entry{ID: id, Isolates: isolates, New: func() env.Env { return newMachine(spec, r) }, Value: value,
		Best: best}
}

// ends is a single step with a reward.
func ends(reward float64) outcome { return outcome{reward: reward, terminated: true} }

// basic are the five of Jones.
func basic() []Entry {
	sign := func(obs []float64) float64 { return 2*obs[0] - 1 }
	return []Entry{
		entry("probe/Constant-v0", "the loss of the value network and its optimiser", bit(), env.Discrete{N: 1},
			rules{nothing, func(int, []float64, []float64, []bool) outcome { return ends(1) }}, one, first),
		entry("probe/Seen-v0", "gradients through the value network", bit(), env.Discrete{N: 1},
			rules{coin, func(_ int, _, obs []float64, _ []bool) outcome { return ends(sign(obs)) }},
			func(_ float64, obs []float64) float64 { return sign(obs) }, first),
		entry("probe/Delayed-v0", "discounting and bootstrapping", bit(), env.Discrete{N: 1},
			rules{nothing, func(t int, _, obs []float64, _ []bool) outcome {
				obs[0] = 1
				return outcome{reward: float64(t - 1), terminated: t == 2}
			}},
			func(gamma float64, obs []float64) float64 { return fixmath.Pow(gamma, 1-obs[0]) }, first),
		entry("probe/Choice-v0", "the advantage and the policy's loss", bit(), env.Discrete{N: 2},
			rules{nothing, func(_ int, a, _ []float64, _ []bool) outcome { return ends(sign(a)) }}, one,
			func([]float64) []float64 { return []float64{1} }),
		entry("probe/Match-v0", "policy and value together, and batching", bit(), env.Discrete{N: 2},
			rules{coin, func(_ int, a, obs []float64, _ []bool) outcome {
				if a[0] == obs[0] {
					return ends(1)
				}
				return ends(0)
			}}, one,
			func(obs []float64) []float64 { return []float64{obs[0]} }),
	}
}

// further probe what schedulers need beside.
func further() []Entry {
	return []Entry{masked(), endless(), waiting(), slots(), twoChoices(), target(), paced(), limits()}
}

// masked has a larger reward for a later action, of the legal ones: all but a random part.
func masked() Entry {
	const n = 4
	e := entry("probe/Masked-v0", "the action mask, in sampling and in the loss", env.NewBox(0, 1, n),
		env.Discrete{N: n}, rules{},
		func(_ float64, obs []float64) float64 { return float64(last(obs)+1) / n },
		func(obs []float64) []float64 { return []float64{float64(last(obs))} })
	e.New = func() env.Env {
		return newMachine(env.Spec{ID: e.ID, Observation: env.NewBox(0, 1, n), Action: env.Discrete{N: n},
			Masked: true}, rules{
			func(s *rng.Stream, obs []float64, mask []bool) {
				legal := 1 + s.IntN(1<<n-1) // one bit each, at least one
				for i := range mask {
					mask[i] = legal>>i&1 == 1
					obs[i] = float64(legal >> i & 1)
				}
			},
			func(_ int, a, _ []float64, _ []bool) outcome { return ends((a[0] + 1) / n) }})
	}
	return e
}

// last is the last index with a 1.
func last(obs []float64) int {
	for i := len(obs) - 1; i > 0; i-- {
		if obs[i] == 1 {
			return i
		}
	}
	return 0
}

// endless never ends, it is only cut: a learner that takes truncation for an end finds less.
func endless() Entry {
	const cut = 8
	e := entry("probe/Endless-v0", "bootstrapping where an episode is truncated", bit(), env.Discrete{N: 1},
		rules{nothing, func(t int, _, _ []float64, _ []bool) outcome {
			return outcome{reward: 1,
				truncated: t == cut}
		}},
		func(gamma float64, _ []float64) float64 { return 1 / (1 - gamma) }, first)
	e.Rate, e.Differential = 1, func([]float64) float64 { return 0 }
	return e
}

// paced goes to and fro between two observations for ever. On 0, action 0 earns 2 in 1 unit of time
// and action 1 earns 3 in 3 units; on 1, both earn nothing in 1 unit. By step action 1 earns more,
// by time action 0 does, 2 in each 2 units.
func paced() Entry {
	const cut = 16
	e := entry("probe/Paced-v0", "reward per time instead of per step", bit(), env.Discrete{N: 2},
		rules{nothing, func(t int, a, obs []float64, _ []bool) outcome {
			if obs[0] == 1 {
				obs[0] = 0
				return outcome{truncated: t == cut}
			}
			obs[0] = 1
			return outcome{reward: 2 + a[0], elapsed: 1 + 2*a[0], truncated: t == cut}
		}},
		func(gamma float64, obs []float64) float64 {
			return 2 * fixmath.Pow(gamma, obs[0]) / (1 - float64(gamma*gamma))
		},
		first)
	e.Rate, e.Differential = 1, func(obs []float64) float64 { return 0.5 - obs[0] }
	return e
}

// waiting has a first step that takes a random time, which is seen: 1, 2, 4 or 8 units.
func waiting() Entry {
	return entry("probe/Waiting-v0", "discounting by time instead of by step",
		env.Box{Low: []float64{0, 0}, High: []float64{1, 1}}, env.Discrete{N: 1},
		rules{func(s *rng.Stream, obs []float64, _ []bool) { obs[1] = float64(int(1)<<s.IntN(4)) / 8 },
			func(t int, _, obs []float64, _ []bool) outcome {
				if t == 1 {
					dt := 8 * obs[1]
					obs[0], obs[1] = 1, 0
					return outcome{elapsed: dt}
				}
				return ends(1)
			}},
		func(gamma float64, obs []float64) float64 { return fixmath.Pow(gamma, 8*obs[1]) }, first)
}

// slots shows five jobs in random order; the one with the largest number is right.
func slots() Entry {
	const n = 5
	return entry("probe/Slots-v0", "indifference to the order of candidates", env.NewBox(0, 1, n, 1),
		env.Discrete{N: n},
		rules{func(s *rng.Stream, obs []float64, _ []bool) {
			for i := range obs {
				obs[i] = float64(i) / (n - 1)
			}
			s.Shuffle(n, func(i, j int) { obs[i], obs[j] = obs[j], obs[i] })
		}, func(_ int, a, obs []float64, _ []bool) outcome {
			if int(a[0]) == argmax(obs) {
				return ends(1)
			}
			return ends(0)
		}}, one,
		func(obs []float64) []float64 { return []float64{float64(argmax(obs))} })
}

// twoChoices has an action of two components, each of which must repeat a bit that is seen.
func twoChoices() Entry {
	return entry("probe/Pair-v0", "actions of several components", env.NewBox(0, 1, 2),
		env.MultiDiscrete{N: []int{2, 3}},
		rules{func(s *rng.Stream, obs []float64, _ []bool) {
			obs[0], obs[1] = float64(s.IntN(2)), float64(s.IntN(2))
		}, func(_ int, a, obs []float64, _ []bool) outcome {
			r := 0.0
			for i := range a {
				if a[i] == obs[i] {
					r += 0.5
				}
			}
			return ends(r)
		}}, one,
		func(obs []float64) []float64 { return []float64{obs[0], obs[1]} })
}

// target has a continuous action that should be half of what is seen, -1 or 1.
func target() Entry {
	return entry("probe/Target-v0", "continuous actions", env.NewBox(-1, 1, 1), env.NewBox(-1, 1, 1),
		rules{func(s *rng.Stream, obs []float64, _ []bool) { obs[0] = float64(2*s.IntN(2) - 1) },
			func(_ int, a, obs []float64, _ []bool) outcome {
				off := a[0] - obs[0]/2
				return ends(-float64(off * off))
			}},
		func(float64, []float64) float64 { return 0 },
		func(obs []float64) []float64 { return []float64{obs[0] / 2} })
}
