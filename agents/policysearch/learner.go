package policysearch

import (
	"errors"
	"fmt"
	"slices"

	"tarry/agents/learn"
	"tarry/agents/policy"
	"tarry/env"
	"tarry/env/trait"
	"tarry/sim/rng"
)

// Learner is a search between two generations. It belongs to one goroutine.
type Learner struct {
	kind     Kind
	cfg      Config
	run      learn.Run // counts, and the first fault
	places   []*place  // one per window of a generation
	spec     *env.Spec
	windows  int // of the training part; 0 = the environment has none
	space    space
	strategy strategy
	policy   *Policy
	actors   []*actor // one per worker, with weights of their own
	z, x     [][]float64
	seen     [][]float64 // observations of the first vector, by place
}

// New starts a search with a strategy: environments from make (numbered from 0), one for each
// window of a generation. workers is over how many goroutines windows are played; it does not
// change results.
func (k Kind) New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := k.Validate(&cfg); err != nil {
		return nil, err
	}
	l := &Learner{kind: k, cfg: cfg, run: learn.Run{Agent: k.Name()}}
	err := l.open(make)
	if err == nil {
		err = l.build(max(1, min(workers, cfg.Windows)))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", k.Name(), err), l.Close())
	}
	return l, nil
}

// open makes the environments.
func (l *Learner) open(make func(i int) (env.Env, error)) error {
	for i := range l.cfg.Windows {
		e, err := make(i)
		if err != nil {
			return fmt.Errorf("environment %d: %w", i, err)
		}
		p := &place{env: e, known: map[int]float64{}}
		l.places = append(l.places, p)
		if i == 0 {
			l.spec = e.Spec()
		}
		if err := learn.SameSpec(l.spec, e.Spec()); err != nil {
			return fmt.Errorf("environment %d is not like environment 0: %w", i, err)
		}
		if on, ok := env.Find[trait.Windowed](e); ok {
			if l.windows = on.Windows(trait.Train); l.windows < l.cfg.Windows {
				return fmt.Errorf("windows is %d, expected at most the %d that part %s of %s has", l.cfg.Windows,
					l.windows, trait.Train, l.spec.ID)
			}
		}
		p.follow(&l.cfg)
	}
	return nil
}

// follow has the environment's base policy demonstrated, where it has one that can be.
func (p *place) follow(c *Config) {
	based, ok := env.Find[trait.Based](p.env)
	demo, can := env.Find[trait.Demonstrator](p.env)
	if c.Relative && ok && can && demo.Follow(based.Base()) == nil {
		p.base = demo
	}
}

// build makes everything that follows from the configuration and the environments.
func (l *Learner) build(workers int) error {
	params, err := l.cfg.searched(l.places[0].env)
	if err != nil {
		return err
	}
	l.policy = &Policy{id: l.spec.ID, obs: l.spec.Observation.Len(), action: l.spec.Action.Len()}
	if params != nil {
		l.space = spaceOf(params, l.cfg.Sigma)
		for _, p := range l.places {
			p.search, _ = env.Find[trait.Searchable](p.env)
			p.base = nil
		}
		l.policy.answers = l.places[0].search
		l.policy.vector = slices.Clone(l.space.start)
		l.actors = make([]*actor, workers)
	} else if err := l.buildNetwork(workers); err != nil {
		return err
	}
	d := len(l.space.start)
	l.strategy = l.kind.strategy(&l.cfg, d)
	for range l.cfg.Population {
		l.z, l.x = append(l.z, make([]float64, d)), append(l.x, make([]float64, d))
	}
	l.seen = make([][]float64, l.cfg.Windows)
	return nil
}

// buildNetwork makes the actor that is searched, and one for each worker.
func (l *Learner) buildNetwork(workers int) error {
	fresh := func() (*policy.Policy, error) {
		return policy.New(l.cfg.actor(), l.spec, rng.Source{Seed: l.cfg.Seed,
			Experiment: l.kind.Name()}.Stream("weights").Rand)
	}
	net, err := fresh()
	if err != nil {
		return err
	}
	l.policy.net, l.space = net, spaceAround(net.Actor.Params(), l.cfg.Sigma)
	for range workers {
		p, err := fresh()
		if err != nil {
			return err
		}
		p.Moments = net.Moments
		l.actors = append(l.actors, newActor(p, l.cfg.Horizon))
	}
	return nil
}

// Close closes the environments.
func (l *Learner) Close() error {
	var errs []error
	for _, p := range l.places {
		errs = append(errs, p.env.Close())
	}
	return errors.Join(errs...)
}

// Policy is the policy under search, the mean of the distribution that vectors are drawn from
// (random search: the best vector so far). It changes with each update.
func (l *Learner) Policy() *Policy { return l.policy }

// Done reports whether all generations were made.
func (l *Learner) Done() bool { return l.run.Updates >= l.cfg.Generations }

// Train makes the generations that are left. watch receives the row of each; an error from watch
// ends the search, between two generations.
func (l *Learner) Train(watch func(learn.Row) error) error { return learn.Train(l, watch) }

// Update makes one generation. After an error the learner can still be saved, to look into it, but
// no longer be trained or resumed.
//
// In the row a step is a window (or episode) that was played under one vector. Return is the mean
// over the generation's vectors of their mean return, minus the cost where windows are simulated,
// and ReturnStd its deviation over vectors; PolicyLoss is the mean cost of the best vector,
// LearningRate the step size in first deviations.
func (l *Learner) Update() (learn.Row, error) {
	var own learn.Row
	row, err := l.run.Do(func() (r learn.Row, err error) {
		r, err = l.once()
		own = r
		return r, err
	})
	row.Return, row.ReturnStd, row.Length = own.Return, own.ReturnStd, 1
	return row, err
}

func (l *Learner) once() (learn.Row, error) {
	row := l.run.Blank(l.run.Updates+1, l.strategy.sigma())
	draws := rng.Source{Seed: l.cfg.Seed, Experiment: l.kind.Name(), Replicate: uint64(l.run.Updates)}.Stream("vectors")
	l.strategy.draw(l.z, draws)
	for i, z := range l.z {
		l.space.decode(l.x[i], z)
	}
	played, err := l.playAll(l.draw())
	if err != nil {
		return row, err
	}
	costs, err := compared(l.cfg.Cost, played, len(l.x))
	if err != nil {
		return row, err
	}
	l.strategy.learn(l.z, costs)
	l.settle()
	tell(&row, played)
	l.run.Steps += len(played) * len(l.x)
	l.run.Tally.Count = l.run.Steps
	return row, nil
}

// settle takes the strategy's mean as the policy.
func (l *Learner) settle() {
	x := make([]float64, len(l.space.start))
	l.space.decode(x, slices.Clone(l.strategy.mean()))
	if l.policy.net == nil {
		copy(l.policy.vector, x)
		return
	}
	set(l.policy.net.Actor.Params(), x)
	if m := l.policy.net.Moments; m != nil { // after playing: all of a generation is scaled alike
		for _, seen := range l.seen {
			m.Add(seen)
		}
	}
}

// tell writes what a generation did to its row.
func tell(row *learn.Row, played [][]result) {
	n := float64(len(played))
	returns, costs := make([]float64, len(played[0])), make([]float64, len(played[0]))
	for _, window := range played {
		for i, r := range window {
			returns[i] += r.ret / n
			costs[i] += r.cost / n
		}
	}
	row.Return, row.ReturnStd = learn.MeanStd(returns)
	row.PolicyLoss = slices.Min(costs)
}
