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

// turns is in how many parts a window is played where there are several workers: the last windows
// of a generation then end at nearly the same time, however unlike they are.
const turns = 4

// game is a window on which vectors are played.
type game struct {
	*window
	at   *place
	seen *[]float64
	base float64  // of the base policy; 0 = costs are not relative
	out  []result // of the vectors that were played
	err  error
}

// playAll plays every vector on every window: played[window][vector], without the windows without
// decisions. A place is served by one goroutine at a time, and its vectors in their order, so that
// what it does depends neither on the others nor on the time.
func (l *Learner) playAll(windows []window) ([][]result, error) {
	games, waiting := make([]game, len(windows)), make(chan *game, len(windows))
	for i := range games {
		games[i] = game{window: &windows[i], at: l.places[i], seen: &l.seen[i], out: make([]result, 0, len(l.x))}
		waiting <- &games[i]
	}
	most := len(l.x)
	if len(l.actors) > 1 {
		most = (most + turns - 1) / turns
	}
	var left atomic.Int64
	left.Store(int64(len(games)))
	var wait sync.WaitGroup
	for _, a := range l.actors {
		wait.Go(func() {
			for g := range waiting {
				if l.playOn(g, a, most); g.err == nil && len(g.out) < len(l.x) {
					waiting <- g
				} else if left.Add(-1) == 0 {
					close(waiting)
				}
			}
		})
	}
	wait.Wait()
	return resultsOf(games)
}

// resultsOf gives what the vectors did on the windows with decisions, of which there must be one.
func resultsOf(games []game) (played [][]result, err error) {
	var errs []error
	for i, g := range games {
		switch {
		case errors.Is(g.err, trait.ErrNoQuestion):
		case g.err != nil:
			errs = append(errs, fmt.Errorf("environment %d: %w", i, g.err))
		default:
			played = append(played, g.out)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if len(played) == 0 {
		return nil, fmt.Errorf("in none of %d windows is the agent asked anything, expected more load or "+
			"another cluster", len(games))
	}
	return played, nil
}

// playOn plays the next vectors, at most so many, on a window.
func (l *Learner) playOn(g *game, a *actor, most int) {
	if len(g.out) == 0 {
		*g.seen = (*g.seen)[:0]
		g.base, g.err = g.at.reference(a, g.window)
	}
	for ; most > 0 && len(g.out) < len(l.x) && g.err == nil; most-- {
		var r result
		if r, g.err = l.playOne(g, a); g.err == nil {
			g.out = append(g.out, r)
		}
	}
}

// playOne plays the next vector on a window.
func (l *Learner) playOne(g *game, a *actor) (result, error) {
	i := len(g.out)
	if g.at.search != nil {
		return g.at.simulate(l.x[i], g.window)
	}
	watch := g.seen
	if i > 0 || a.Moments == nil {
		watch = nil
	}
	set(a.weights, l.x[i])
	ret, err := a.episode(g.at.env, g.window, watch, nil)
	out := result{-ret, ret}
	if g.base < 0 {
		out.cost = ret / g.base
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
