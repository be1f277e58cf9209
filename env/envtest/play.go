package envtest

import (
	"fmt"
	"math"
	"slices"

	"tarry/env"
	"tarry/sim/rng"
)

// frame is what one call gave, copied.
type frame struct {
	action, obs, metrics  []float64
	mask                  []bool
	reward, elapsed       float64
	terminated, truncated bool
}

func frameOf(action []float64, s env.Step) frame {
	return frame{slices.Clone(action), slices.Clone(s.Obs), slices.Clone(s.Info.Metrics), slices.Clone(s.Info.Mask),
		s.Reward, s.Info.Elapsed, s.Terminated, s.Truncated}
}

// first is the step that stands for a reset.
func first(obs []float64, info env.Info) env.Step { return env.Step{Obs: obs, Info: info} }

// differs reports in which field two frames differ; "" = in none. Numbers are compared bit for bit.
func (f frame) differs(g frame) string {
	same := func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
	}
	for _, c := range []struct {
		what string
		ok   bool
		a, b any
	}{
		{"action", same(f.action, g.action), f.action, g.action},
		{"observation", same(f.obs, g.obs), f.obs, g.obs},
		{"mask", slices.Equal(f.mask, g.mask), f.mask, g.mask},
		{"reward", same([]float64{f.reward}, []float64{g.reward}), f.reward, g.reward},
		{"terminated", f.terminated == g.terminated, f.terminated, g.terminated},
		{"truncated", f.truncated == g.truncated, f.truncated, g.truncated},
		{"elapsed", same([]float64{f.elapsed}, []float64{g.elapsed}), f.elapsed, g.elapsed},
		{"metrics", same(f.metrics, g.metrics), f.metrics, g.metrics},
	} {
		if !c.ok {
			return fmt.Sprintf("%s is %v, expected %v", c.what, c.a, c.b)
		}
	}
	return ""
}

// compare reports where two recordings part; nil = nowhere.
func compare(got, want []frame) error {
	for i := range min(len(got), len(want)) {
		if d := got[i].differs(want[i]); d != "" {
			return fmt.Errorf("call %d: %s", i, d)
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d calls, expected %d", len(got), len(want))
	}
	return nil
}

// player steps an environment with random legal actions and records what it sees.
type player struct {
	e      env.Env
	agent  *rng.Stream
	action []float64
	frames []frame
	mask   []bool // its own copy
	done   bool
}

// agent is the random agent's stream; equal names act alike.
func agent(name string) *rng.Stream { return rng.Source{Experiment: "envtest"}.Stream(name) }

func newPlayer(e env.Env, name string) *player {
	return &player{e: e, agent: agent(name), action: make([]float64, e.Spec().Action.Len())}
}

// reset starts an episode.
func (p *player) reset(seed *uint64, options string) error {
	obs, info, err := p.e.Reset(seed, options)
	if err != nil {
		return fmt.Errorf("Reset: %w", err)
	}
	p.note(nil, first(obs, info))
	return nil
}

func (p *player) note(action []float64, s env.Step) {
	p.frames = append(p.frames, frameOf(action, s))
	p.mask = slices.Clone(s.Info.Mask)
	p.done = s.Done()
}

// choose draws a legal action.
func (p *player) choose() error {
	if err := p.e.Spec().Action.Sample(p.action, p.agent, p.mask); err != nil {
		return fmt.Errorf("after call %d: %w", len(p.frames)-1, err)
	}
	return nil
}

// step takes one random legal action. The action is scribbled over afterwards, as a caller may.
func (p *player) step() error {
	if err := p.choose(); err != nil {
		return err
	}
	taken := slices.Clone(p.action)
	s, err := p.e.Step(p.action)
	if err != nil {
		return fmt.Errorf("Step of the legal action %v: %w", taken, err)
	}
	if !slices.Equal(p.action, taken) {
		return fmt.Errorf("Step changed the caller's action from %v to %v", taken, p.action)
	}
	for i := range p.action {
		p.action[i] = math.NaN()
	}
	p.note(taken, s)
	return nil
}

// play steps until the episode ends, at most n times.
func (p *player) play(n int) error {
	for i := 0; i < n && !p.done; i++ {
		if err := p.step(); err != nil {
			return err
		}
	}
	return nil
}

// record plays one seeded episode and one that follows without a seed.
func (c *checker) record(e env.Env, seed uint64, name string) ([]frame, error) {
	p := newPlayer(e, name)
	if err := p.reset(&seed, ""); err != nil {
		return nil, err
	}
	if err := p.play(c.cfg.Steps); err != nil {
		return nil, err
	}
	if err := p.reset(nil, ""); err != nil {
		return nil, err
	}
	return p.frames, p.play(c.cfg.Steps)
}
