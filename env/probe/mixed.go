package probe

import (
	"tarry/env"
	"tarry/sim/rng"
)

// What the members of Mixed earn, and the luck of an instance.
const (
	mixedSteps = 4
	sure       = 1.0 / 40
	luck       = 16
)

// The numbers of Mixed that are not seen.
const (
	firsts = iota
	seconds
	lucky
	mixedHidden
)

// Mixed is a probe without a good member: of three actions, 1 has to be taken three times and 0 once in
// an episode of four steps, of which nothing is seen. Every policy that takes the same action on the
// same observation earns nothing, or 1/10 by action 2. Drawn with probabilities 1/4, 3/4 and 0 actions
// earn 27/64. Luck of -16 or 16, which the seed of an instance decides, is added to its return: rollouts
// of the same instance have to be compared. All does not list it: it is for learners of mixtures.
func Mixed() Entry {
	const id = "probe/Mixed-v0"
	e := Entry{ID: id, Isolates: "drawn actions, and rollouts that are compared on the same instance",
		Value:   func(gamma float64, _ []float64) float64 { return gamma * gamma * gamma * 27 / 64 },
		Chances: []float64{1.0 / 4, 3.0 / 4, 0}}
	e.New = func() env.Env {
		m, _ := newMachine(env.Spec{ID: id, Observation: env.NewBox(-luck, luck, mixedHidden), Action: env.Discrete{N: 3}},
			rules{
				func(s *rng.Stream, obs []float64, _ []bool) { obs[lucky] = luck * float64(2*s.IntN(2)-1) },
				stepMixed}).(*machine)
		u := &unseen{machine: m, spec: m.spec, obs: make([]float64, 1)}
		u.spec.Observation = bit()
		return u
	}
	return e
}

func stepMixed(t int, a, obs []float64, _ []bool) (out outcome) {
	switch a[0] {
	case 0:
		obs[firsts]++
	case 1:
		obs[seconds]++
	default:
		out.reward = sure
	}
	if out.terminated = t == mixedSteps; out.terminated {
		out.reward += obs[lucky]
		if obs[firsts] == 1 && obs[seconds] == mixedSteps-1 {
			out.reward++
		}
	}
	return out
}

// unseen is a machine of which a constant is seen.
type unseen struct {
	*machine
	spec env.Spec
	obs  []float64
}

func (u *unseen) Spec() *env.Spec { return &u.spec }

func (u *unseen) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	_, info, err := u.machine.Reset(seed, options)
	if err != nil {
		return nil, info, err
	}
	return u.obs, info, nil
}

func (u *unseen) Step(action []float64) (env.Step, error) { return u.blind(u.machine.Step(action)) }

func (u *unseen) Restore(data []byte) (env.Step, error) { return u.blind(u.machine.Restore(data)) }

func (u *unseen) blind(s env.Step, err error) (env.Step, error) {
	if s.Obs != nil {
		s.Obs = u.obs
	}
	return s, err
}

// mixedWords explain what is seen.
func mixedWords() words {
	return words{"constant  0, 1  number  always 0", "0  right once\n1  right three times\n2  earns 1/40",
		"1/40 for action 2; at the end 1 where 0 was taken once and 1 three times, and luck of -16 or 16",
		"terminated after four steps", 1}
}
