package policysearch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"tarry/env"
	"tarry/env/trait"
	"tarry/sim/rng"
)

// window is what all vectors of a generation meet in one environment.
type window struct {
	number  int // of the training part; -1 = the environment has no windows
	options string
	seed    uint64
}

// result is what one vector did on one window.
type result struct{ cost, ret float64 }

// place is one environment, in which all vectors of a generation are played on one window, one
// after the other.
type place struct {
	env    env.Env
	search trait.Searchable   // nil = a network is searched
	base   trait.Demonstrator // whose return costs are relative to; nil = none
	known  map[int]float64    // its return, by window
}

// draw gives the windows of a generation: distinct ones of the training part, or seeds.
func (l *Learner) draw() []window {
	generation := uint64(0)
	if l.cfg.FreshWindows {
		generation = uint64(l.run.Updates)
	}
	out := make([]window, l.cfg.Windows)
	for i := range out {
		out[i] = window{number: -1, seed: env.HashSeed(l.cfg.Seed, "window", generation, uint64(i))}
	}
	if l.windows == 0 {
		return out
	}
	order := rng.Source{Seed: l.cfg.Seed, Experiment: l.kind.Name(),
		Replicate: generation}.Stream("windows").Perm(l.windows)
	order = l.evenly(order)
	for i := range out {
		out[i].number, out[i].options = order[i], fmt.Sprintf("window=%d", order[i])
	}
	return out
}

// evenly brings windows in an order in which the regimes of a mixture take turns, so that a
// generation has windows of each alike.
func (l *Learner) evenly(order []int) []int {
	on, ok := env.Find[trait.Mixed](l.places[0].env)
	if !ok || on.Mixture() == 1 {
		return order
	}
	n, out := on.Mixture(), make([]int, 0, len(order))
	of := make([][]int, n)
	for _, w := range order {
		of[w%n] = append(of[w%n], w)
	}
	for k := 0; len(out) < len(order); k++ {
		for _, mine := range of {
			if k < len(mine) {
				out = append(out, mine[k])
			}
		}
	}
	return out
}

// playAll plays every vector on every window: played[window][vector], without the windows without
// decisions. A place is served by one goroutine, so that what it does depends neither on the others
// nor on the time.
func (l *Learner) playAll(windows []window) (played [][]result, err error) {
	all, errs := make([][]result, len(windows)), make([]error, len(windows))
	var next atomic.Int64
	var wait sync.WaitGroup
	for _, a := range l.actors {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(windows); i = int(next.Add(1)) - 1 {
				all[i], errs[i] = l.playOn(l.places[i], a, &windows[i], &l.seen[i])
				if errs[i] != nil {
					errs[i] = fmt.Errorf("environment %d: %w", i, errs[i])
				}
			}
		})
	}
	wait.Wait()
	for _, p := range all {
		if len(p) > 0 {
			played = append(played, p)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if len(played) == 0 {
		return nil, fmt.Errorf("in none of %d windows is the agent asked anything, expected more load or "+
			"another cluster", len(windows))
	}
	return played, nil
}

// playOn plays every vector on one window; nil for a window without decisions.
func (l *Learner) playOn(p *place, a *actor, w *window, seen *[]float64) ([]result, error) {
	out := make([]result, len(l.x))
	*seen = (*seen)[:0]
	base, err := p.reference(a, w)
	for i := 0; i < len(l.x) && err == nil; i++ {
		if p.search != nil {
			out[i], err = p.simulate(l.x[i], w)
			continue
		}
		watch := seen
		if i > 0 || a.Moments == nil {
			watch = nil
		}
		set(a.weights, l.x[i])
		ret, fault := a.episode(p.env, w, watch, nil)
		out[i], err = result{-ret, ret}, fault
		if base < 0 {
			out[i].cost = ret / base
		}
	}
	if errors.Is(err, trait.ErrNoQuestion) {
		return nil, nil
	}
	return out, err
}

// simulate plays a window under parameters.
func (p *place) simulate(x []float64, w *window) (result, error) {
	o, err := p.search.Play(context.Background(), x, trait.Train, w.number)
	if err == nil {
		err = trait.CheckCost(o.Cost)
	}
	return result{o.Cost, -o.Cost}, err
}

// reference is the return of the base policy on the window; 0 = costs are not relative.
func (p *place) reference(a *actor, w *window) (float64, error) {
	if p.base == nil {
		return 0, nil
	}
	if got, ok := p.known[w.number]; ok {
		return got, nil
	}
	got, err := a.episode(p.env, w, nil, p.base.Demonstrate)
	if err == nil && w.number >= 0 {
		p.known[w.number] = got
	}
	return got, err
}
