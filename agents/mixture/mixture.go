package mixture

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/policy"
	"tarry/env"
	"tarry/sim/rng"
)

// agent is the agent's name, in errors and in checkpoints.
const agent = "mixture"

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner struct {
	cfg     Config
	run     learn.Run // counts, and the first fault
	envs    []env.Env // one per seed of an update: it plays all rollouts of it, one after the other
	spec    *env.Spec
	policy  *Policy
	space   space
	workers int
	tracks  []*track
}

// New starts a run: environments from make (numbered from 0), all parameters 0. workers is over how
// many goroutines seeds are played; it does not change results.
func New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	l := &Learner{cfg: cfg, run: learn.Run{Agent: agent}, workers: max(1, min(workers, cfg.Sequences))}
	err := l.open(make)
	if err == nil {
		err = l.build()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", agent, err), l.Close())
	}
	return l, nil
}

// open makes the environments.
func (l *Learner) open(make func(i int) (env.Env, error)) error {
	for i := range l.cfg.Sequences {
		e, err := make(i)
		if err != nil {
			return fmt.Errorf("environment %d: %w", i, err)
		}
		l.envs = append(l.envs, e)
		if i == 0 {
			l.spec = e.Spec()
		}
		if err := learn.SameSpec(l.spec, e.Spec()); err != nil {
			return fmt.Errorf("environment %d is not like environment 0: %w", i, err)
		}
	}
	return nil
}

// build makes the policy, with all parameters 0.
func (l *Learner) build() error {
	linear, err := policy.New(l.cfg.actor(), l.spec, rng.Source{}.Stream("zeros").Rand)
	if err != nil {
		return err
	}
	if l.policy, err = newPolicy(linear, l.spec, l.cfg.Seed); err != nil {
		return err
	}
	w, b := l.policy.weights()
	clear(w)
	clear(b)
	l.space = l.cfg.space(l.policy)
	for range l.cfg.Sequences * l.rollouts() {
		l.tracks = append(l.tracks, &track{})
	}
	return nil
}

// rollouts is how often each seed is played.
func (l *Learner) rollouts() int {
	if l.cfg.Gradient == SPSA {
		return 2 * l.cfg.Rollouts
	}
	return l.cfg.Rollouts
}

// Close closes the environments.
func (l *Learner) Close() error {
	var errs []error
	for _, e := range l.envs {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}

// Policy is the mixture under training, with its own stream at its beginning: it changes with each
// update.
func (l *Learner) Policy() *Policy {
	l.policy.restart()
	return l.policy
}

// Done reports whether the budget of steps is used up.
func (l *Learner) Done() bool { return l.run.Steps >= l.cfg.TotalSteps }

// Train makes the updates that are left. watch receives the row of each; an error from watch ends
// training, between two updates.
func (l *Learner) Train(watch func(learn.Row) error) error { return learn.Train(l, watch) }

// Update plays the rollouts of one update and makes one step.
func (l *Learner) Update() (learn.Row, error) { return l.run.Do(l.once) }

func (l *Learner) once() (learn.Row, error) {
	row := l.run.Blank(0, l.cfg.LearningRate)
	deltas := l.deltas()
	if err := l.collect(deltas); err != nil {
		return row, err
	}
	step := l.step(deltas)
	norm := 0.0
	for _, x := range step {
		norm += float64(x * x)
	}
	if row.GradNorm = math.Sqrt(norm); !learn.Finite(row.GradNorm) {
		return row, learn.Diverged(l.policy.Params(), row.GradNorm, " (norm of the step)")
	}
	l.space.move(l.policy, step, l.cfg.LearningRate)
	entropy, n := 0.0, 0
	for _, k := range l.tracks {
		for _, p := range k.p {
			if p > 0 {
				entropy -= float64(p * math.Log(p))
			}
		}
		n += k.rows()
		l.run.Steps += k.rows()
		l.run.Tally.Add(k.sum(), float64(k.rows()))
	}
	row.Entropy = entropy / float64(n)
	return row, nil
}

// step is the direction of this update.
func (l *Learner) step(deltas [][]float64) []float64 {
	c := &l.cfg
	for _, k := range l.tracks {
		k.finish(c.Gamma)
	}
	if c.Gradient == SPSA {
		return l.simultaneous(deltas)
	}
	l.space.critic(l.tracks, c.Ridge)
	for _, k := range l.tracks {
		k.judge(c.Gamma, c.Lambda)
	}
	if c.Normalise {
		normalise(l.tracks)
	}
	if c.Gradient == Natural {
		return l.space.natural(l.tracks, c.Ridge)
	}
	return l.space.vanilla(l.tracks)
}

// simultaneous is the mean over seeds of the gradients of their perturbations.
func (l *Learner) simultaneous(deltas [][]float64) []float64 {
	g, n := make([]float64, l.space.len()), l.rollouts()
	for s, delta := range deltas {
		var side [2]float64
		for r := range n {
			side[r%2] += l.tracks[s*n+r].togo[0] / float64(n/2)
		}
		perturbed(g, delta, l.cfg.Perturb, side[0], side[1], l.cfg.Normalise)
	}
	for i := range g {
		g[i] /= float64(len(deltas))
	}
	return g
}

// deltas draws the perturbation of each seed of the update; none but for spsa.
func (l *Learner) deltas() (all [][]float64) {
	for s := range l.cfg.Sequences {
		var one []float64
		if l.cfg.Gradient == SPSA {
			one = signs(l.space.len(), l.stream("delta", s, 0))
		}
		all = append(all, one)
	}
	return all
}

// stream is a stream of the update that goes by numbers: neither depends on who plays, or when.
func (l *Learner) stream(name string, s, r int) *rng.Stream {
	return rng.Source{Seed: env.HashSeed(l.cfg.Seed, name, uint64(l.run.Updates), uint64(s), uint64(r)),
		Experiment: agent}.Stream(name)
}

// collect plays every seed, the seeds over several goroutines. With spsa rollouts of a seed alternate
// between both sides, and each pair shares its draws.
func (l *Learner) collect(deltas [][]float64) error {
	n, errs := l.rollouts(), make([]error, l.cfg.Sequences)
	var wait sync.WaitGroup
	for w := range l.workers {
		wait.Go(func() {
			for s := w; s < l.cfg.Sequences; s += l.workers {
				seed := env.HashSeed(l.cfg.Seed, "sequence", uint64(l.run.Updates), uint64(s))
				for r := range n {
					k, p, rollout := l.tracks[s*n+r], l.policy.Fork(), r
					if deltas[s] != nil {
						p, rollout = l.beside(deltas[s], float64(1-2*(r%2))), r/2
					}
					k.reset()
					if err := k.play(l.envs[s], p, seed, l.stream("act", s, rollout).Rand); err != nil {
						errs[s] = fmt.Errorf("sequence %d, rollout %d: %w", s, r, err)
						return
					}
				}
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// beside is the policy on one side of a perturbation, with weights of its own.
func (l *Learner) beside(delta []float64, side float64) *Policy {
	linear, err := policy.New(l.cfg.actor(), l.spec, rng.Source{}.Stream("zeros").Rand)
	if err != nil {
		return l.policy.Fork() // build has made one like it
	}
	p := &Policy{Policy: linear, seed: l.policy.seed}
	p.restart()
	w, b := l.policy.weights()
	ownW, ownB := p.weights()
	copy(ownW, w)
	copy(ownB, b)
	l.space.move(p, delta, side*l.cfg.Perturb)
	return p
}

// checkpoint is everything that the run needs to resume and end in the same bytes.
func (l *Learner) checkpoint() learn.Checkpoint[Config] {
	s := []learn.Section{{Save: l.policy.Save, Load: l.policy.Restore}, l.run.Tally.Section()}
	return learn.Checkpoint[Config]{Run: &l.run, Config: l.cfg, Spec: l.spec, Sections: s}
}

// Save gives everything that the run needs to resume and end in the same bytes. It may be called
// between any two updates, and after one that failed to keep what there is. Updates play complete
// episodes and number their random streams, so neither environments nor streams have a state in between.
func (l *Learner) Save() ([]byte, error) {
	c := l.checkpoint()
	return c.Save()
}

// Resume continues a saved run. Environments and configuration must equal the run's. On an error
// nothing of the run is left open.
func Resume(cfg Config, workers int, make func(i int) (env.Env, error), saved []byte) (*Learner, error) {
	return learn.Resume(agent, cfg, saved, func() (*Learner, error) { return New(cfg, workers, make) },
		(*Learner).checkpoint)
}

// LoadPolicy takes the frozen mixture out of a checkpoint, to act in environments of this spec.
func LoadPolicy(saved []byte, spec *env.Spec) (*Policy, error) {
	return learn.Load(agent, saved, func(c *Config, was *env.Spec, s *nn.State) (*Policy, error) {
		linear, err := policy.Load(c.actor(), was, spec, s)
		if err != nil {
			return nil, err
		}
		return newPolicy(linear, spec, c.Seed)
	})
}
