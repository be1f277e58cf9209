package ppo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/env"
	"tarry/env/trait"
	"tarry/sim/rng"
)

// How long the noise of an item lasts where actions put a list in order.
const (
	// EachStep draws it anew at each decision.
	EachStep = "step"
	// EachEpisode draws it once in an episode.
	EachEpisode = "episode"
)

// steady is noise of items that lasts for an episode: decisions that follow one another then try
// one order, whereas noise that is drawn at each of them averages out over the hours that a job
// waits. The log-probability of an order stays as with noise drawn anew, its law at each single
// decision, as in Raffin et al., "Smooth exploration for robotic reinforcement learning"
// (arXiv:2005.05719): given the noise that the episode has shown already the order would be
// certain, and there would be nothing to learn from.
type steady struct {
	listed []trait.Itemised
	seeds  []uint64    // of the present episode's noise, by environment
	known  [][]float64 // by environment and item, NaN = not yet drawn: it follows from the seed
	items  []int       // scratch
	noise  []float64
}

func newSteady(n int) *steady {
	return &steady{listed: make([]trait.Itemised, n), seeds: make([]uint64, n), known: make([][]float64, n)}
}

// opened is make, with what it made first; where noise lasts, each environment is watched.
func (s *steady) opened(make func(i int) (env.Env, error)) (first *env.Env, of func(i int) (env.Env, error)) {
	first = new(env.Env)
	return first, func(i int) (env.Env, error) {
		e, err := make(i)
		if err == nil && s != nil {
			if err = s.watch(i, e); err != nil {
				err = errors.Join(err, e.Close())
			}
		}
		if i == 0 {
			*first = e
		}
		return e, err
	}
}

// watch takes in environment i, whose items it must be able to number.
func (s *steady) watch(i int, e env.Env) error {
	var ok bool
	if s.listed[i], ok = env.Find[trait.Itemised](e); !ok {
		return fmt.Errorf("noise is %q, but %s does not number the items that it lists, expected %q", EachEpisode,
			e.Spec().ID, EachStep)
	}
	return nil
}

// renew draws the noise of environment i's next episode.
func (s *steady) renew(i int, from *rng.Stream) {
	s.seeds[i], s.known[i] = from.Uint64(), s.known[i][:0]
}

// renew draws the lasting noise of episodes that have begun: all, or those after an end.
func (l *Learner) renew(all bool) {
	for i := 0; l.noise != nil && i < l.cfg.Envs; i++ {
		if all || l.envs.Batch.Done(i) {
			l.noise.renew(i, l.draws)
		}
	}
}

// actSteadily sets the actions of step t by noise that lasts.
func (l *Learner) actSteadily(t int) {
	for i := range l.cfg.Envs {
		row := t*l.cfg.Envs + i
		l.r.logProbs[row] = l.policy.Rank(l.r.RawOf(row), l.r.ObsOf(row), l.noise.of(i))
	}
}

// of gives the noise of what environment i lists now; valid until the next call.
func (s *steady) of(i int) []float64 {
	s.items, s.noise = s.listed[i].Items(s.items[:0]), s.noise[:0]
	for _, item := range s.items {
		g := 0.0
		if item >= 0 {
			g = s.item(i, item)
		}
		s.noise = append(s.noise, g)
	}
	return s.noise
}

// item gives a Gumbel number of an item of environment i.
func (s *steady) item(i, item int) float64 {
	for len(s.known[i]) <= item {
		s.known[i] = append(s.known[i], math.NaN())
	}
	g := &s.known[i][item]
	if math.IsNaN(*g) {
		u := env.HashSeed(s.seeds[i], "item", uint64(item)) >> 11
		*g = nn.Gumbel((float64(u) + 0.5) / (1 << 53))
	}
	return *g
}

// section saves the seeds; the rest follows from them.
func (s *steady) section() learn.Section {
	return learn.Section{Save: func(to *nn.State) error {
		var b []byte
		for _, x := range s.seeds {
			b = binary.LittleEndian.AppendUint64(b, x)
		}
		to.Put("noise", b)
		return nil
	}, Load: func(from *nn.State) error {
		b, err := from.Get("noise")
		if err == nil && len(b) != 8*len(s.seeds) {
			err = fmt.Errorf("saved state: section %q has %d bytes, expected %d", "noise", len(b), 8*len(s.seeds))
		}
		for i := 0; err == nil && i < len(s.seeds); i++ {
			s.seeds[i], s.known[i] = binary.LittleEndian.Uint64(b[8*i:]), s.known[i][:0]
		}
		return err
	}}
}
