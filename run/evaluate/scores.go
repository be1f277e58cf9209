package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/registry"
	"tarry/env/trait"
	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/sim/rng"
)

// scores is what a request outside the simulator measures: agents and rules of the environment on
// the same windows, by what each episode costs.
type scores struct {
	maker    *registry.Maker
	costName string
	env      []string // of each policy, ID:key=value,...
	part     trait.Part
	draw     bool // actions are drawn from the policies
}

// Scored reports whether the request is about an environment outside the simulator: Score measures
// it, in place of trials.
func (s *Setup) Scored() bool { return s.scores != nil }

// buildScores checks the request and adds the rules that it names. The error joins all faults.
func (s *Setup) buildScores(m *registry.Maker, r *Request, on *measured) error {
	first := on.envs[0]
	if first.scored == nil {
		return fmt.Errorf("%s is over the simulator and others are not, expected agents of one environment", on.first)
	}
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if len(r.Tuned) > 0 || r.Bounds || r.Trace != "" {
		bad("environment %s is outside the simulator, expected neither tuned schedulers, bounds nor a trace", first.spec.ID)
	}
	s.scores = &scores{maker: m, costName: first.scored.CostName(), part: r.Part, draw: r.Draw}
	for _, a := range s.Agents {
		s.scores.env = append(s.scores.env, a.env.spec.ID+":"+cmp.Or(a.at, a.options))
	}
	for _, rule := range r.Baselines {
		e, err := m.Make(s.scores.env[0])
		if err == nil {
			by, _ := env.Find[trait.Scored](e)
			err = errors.Join(by.Follow(rule), e.Close())
		}
		if slices.Contains(s.Policies, rule) {
			bad("rule %q is given twice", rule)
		}
		errs = append(errs, err)
		s.Policies, s.scores.env = append(s.Policies, rule), append(s.scores.env, s.scores.env[0])
	}
	if n := first.scored.Windows(r.Part); r.Windows < 1 || r.Windows > n {
		bad("windows are %d, expected 1..%d: that is what part %s has", r.Windows, n, r.Part)
	}
	if len(errs) == 0 {
		errs = append(errs, s.unseenScores(r, on))
	}
	s.Windows, s.JSON = r.Windows, s.describe(r, on.options)
	return errors.Join(errs...)
}

// unseenScores refuses windows that training or validation had.
func (s *Setup) unseenScores(r *Request, on *measured) error {
	for i := range r.Windows {
		h, err := on.envs[0].scored.WindowHash(r.Part, i)
		if err != nil {
			return err
		}
		for _, k := range on.known {
			if where, bad := k.Seen[h]; bad {
				return fmt.Errorf("window %d of part %s is %s of %s: expected windows that training has not seen", i, r.Part,
					where, k.who)
			}
		}
	}
	return on.unshared(r.Part)
}

// Score plays every policy on every window, so many at once, and gives the rows; their number does
// not change a result. A single worker is the caller's goroutine. key names the sweep and the cell of a row; nil = none.
func (s *Setup) Score(ctx context.Context, workers int, key func(*results.Keys)) ([]Row, error) {
	costs := make([][]float64, len(s.Policies))
	for p := range costs {
		costs[p] = make([]float64, s.Windows)
	}
	errs := make([]error, len(s.Policies))
	var next atomic.Int64
	work := func() {
		for p := int(next.Add(1)) - 1; p < len(s.Policies) && ctx.Err() == nil; p = int(next.Add(1)) - 1 {
			errs[p] = s.scoreAll(ctx, p, costs[p])
		}
	}
	var wait sync.WaitGroup
	for range min(workers, len(s.Policies)) - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
	if err := errors.Join(append(errs, ctx.Err(), s.Err())...); err != nil {
		return nil, err
	}
	return s.scoreRows(costs, key)
}

// scoreAll plays one policy on every window.
func (s *Setup) scoreAll(ctx context.Context, p int, costs []float64) error {
	e, err := s.scores.maker.Make(s.scores.env[p])
	if err != nil {
		return err
	}
	defer e.Close()
	by, _ := env.Find[trait.Scored](e)
	if p >= len(s.Agents) {
		if err := by.Follow(s.Policies[p]); err != nil {
			return err
		}
	}
	for w := range costs {
		act := func(a, _ []float64, _ []bool) error { return by.Demonstrate(a) }
		if p < len(s.Agents) {
			act = s.Agents[p].acting(w, s.scores.draw)
		}
		if costs[w], err = playScored(ctx, e, by, w, act); err != nil {
			return fmt.Errorf("%s: window %d: %w", s.Policies[p], w, err)
		}
	}
	return nil
}

// playScored plays one window.
func playScored(ctx context.Context, e env.Env, by trait.Scored, window int,
	act func(a, obs []float64, mask []bool) error) (float64, error) {
	seed := uint64(window)
	obs, info, err := e.Reset(&seed, fmt.Sprintf("window=%d", window))
	action := make([]float64, e.Spec().Action.Len())
	for steps, done := 0, false; err == nil && !done; steps++ {
		if steps%1024 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if err = act(action, obs, info.Mask); err != nil {
			break
		}
		var step env.Step
		step, err = e.Step(action)
		obs, info, done = step.Obs, step.Info, step.Done()
	}
	if err != nil {
		return 0, err
	}
	return by.Cost()
}

// acting gives the agent for one episode: each has a policy and a stream of its own, so that what it
// draws does not depend on the windows before.
func (f *Frozen) acting(window int, draw bool) func(a, obs []float64, mask []bool) error {
	p := f.policy.Fork()
	agents.Begin(p, window)
	var r *rand.Rand
	if draw {
		r = rng.Source{Seed: f.seed, Replicate: uint64(window)}.Stream("actions").Rand
	}
	return func(a, obs []float64, mask []bool) error {
		f.asked.Add(1)
		if f.clock == nil {
			return p.Act(a, obs, mask, r)
		}
		from := f.clock()
		err := p.Act(a, obs, mask, r)
		f.spent.Add(int64(f.clock() - from))
		return err
	}
}

// noSummary states that there are no jobs.
func noSummary() results.Summary {
	var s results.Summary
	for v, i := reflect.ValueOf(&s).Elem(), 0; i < v.NumField(); i++ {
		if v.Field(i).Kind() == reflect.Float64 {
			v.Field(i).SetFloat(math.NaN())
		}
	}
	return s
}

// scoreRows compares the costs in pairs with the first row's.
func (s *Setup) scoreRows(costs [][]float64, key func(*results.Keys)) ([]Row, error) {
	least := slices.Clone(costs[0])
	for _, row := range costs {
		for w, c := range row {
			least[w] = min(least[w], c)
		}
	}
	places := s.places()
	out := make([]Row, len(places))
	var first stats.Grid
	for i, p := range places {
		r := Row{Policy: p.name, Label: s.Labels[p.name], Labelled: len(s.Labels) > 0, Agent: p.agent,
			Seeds: len(p.policies), Member: p.of >= 0 && !p.chosen, Chosen: p.chosen, TrainSeed: p.seed,
			SHA256: p.sha256, Short: p.short, CostName: s.scores.costName}
		var x stats.Grid
		for _, k := range p.policies {
			x, r.JCT = append(x, costs[k]), append(r.JCT, costs[k]...)
			for w := range costs[k] {
				at := results.Keys{Policy: s.Policies[k], Trace: s.scores.env[k], Seed: results.NoSeed, Replicate: int64(w)}
				if key != nil {
					key(&at)
				}
				r.keys = append(r.keys, at)
			}
		}
		if i == 0 {
			first = x
		}
		if err := r.judge(first, x, least, i == 0, p.of == 0); err != nil {
			return nil, err
		}
		out[i] = r
	}
	return out, nil
}
