package reinforce

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

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner struct {
	cfg    Config
	envs   []env.Env // one per sequence: it plays all rollouts of it, one after the other
	spec   *env.Spec
	policy *policy.Policy
	forks  []*policy.Policy // one per worker
	adam   *nn.Adam
	update *step

	updates int // made so far
	steps   int // of environments
	tally   learn.Tally
	failed  string // why an update was not finished; "" = none failed
}

// New starts a run: environments from make (numbered from 0), first weights from the seed.
// workers is over how many goroutines sequences are played; it moves no result.
func New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	l := &Learner{cfg: cfg}
	err := l.open(make)
	if err == nil {
		err = l.build(max(1, min(workers, cfg.Sequences)))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reinforce: %w", err), l.closeEnvs())
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
		s := e.Spec()
		if i == 0 {
			l.spec = s
		}
		if err := learn.SameSpec(l.spec, s); err != nil {
			return fmt.Errorf("environment %d is not like environment 0: %w", i, err)
		}
	}
	return nil
}

// build makes everything that follows from the configuration and the environments' spec.
func (l *Learner) build(workers int) (err error) {
	weights := rng.Source{Seed: l.cfg.Seed, Experiment: "reinforce"}.Stream("weights")
	if l.policy, err = policy.New(l.cfg.actor(), l.spec, weights.Rand); err != nil {
		return err
	}
	for range workers {
		l.forks = append(l.forks, l.policy.Fork())
	}
	l.adam = nn.NewAdam(l.policy.Params(), l.cfg.AdamEps)
	l.update, err = newStep(l.policy)
	return err
}

// Close closes the environments and frees the graph.
func (l *Learner) Close() error { return errors.Join(l.update.machine.Close(), l.closeEnvs()) }

func (l *Learner) closeEnvs() error {
	var errs []error
	for _, e := range l.envs {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}

// Policy is the policy under training: it changes with each update. Fork it to keep room
// of one's own; save and load the learner to keep the weights. It has no critic.
func (l *Learner) Policy() *policy.Policy { return l.policy }

// Done reports whether the budget of steps is used up.
func (l *Learner) Done() bool { return l.steps >= l.cfg.TotalSteps }

// Train makes the updates that are left and tells each of them to watch; an error from
// watch ends training, between two updates.
func (l *Learner) Train(watch func(learn.Row) error) error {
	for !l.Done() {
		row, err := l.Update()
		if err != nil {
			return err
		}
		if err := watch(row); err != nil {
			return err
		}
	}
	return nil
}

// Update plays the rollouts of one update and learns from them: the whole algorithm. After an error
// the learner can still be saved, to look into it, but no longer be trained or resumed.
func (l *Learner) Update() (learn.Row, error) {
	if l.failed != "" {
		return learn.Row{}, fmt.Errorf("reinforce: a former update failed: %s", l.failed)
	}
	row, err := l.once()
	if err != nil {
		err = fmt.Errorf("reinforce: update %d: %w", l.updates+1, err)
		l.failed = err.Error()
	}
	return row, err
}

func (l *Learner) once() (learn.Row, error) {
	cfg, done := &l.cfg, float64(l.steps)/float64(l.cfg.TotalSteps)
	none := math.NaN()
	row := learn.Row{LearningRate: cfg.LearningRate, ValueLoss: none, OldKL: none, KL: none, ClipFraction: none}
	if cfg.Anneal {
		row.LearningRate *= 1 - done
	}
	tracks, err := l.collect()
	if err != nil {
		return row, err
	}
	for _, k := range tracks {
		k.finish(cfg.Gamma)
	}
	baseline(cfg, tracks)
	if err := l.learn(&row, tracks, cfg.entropy(done)); err != nil {
		return row, err
	}
	for _, k := range tracks {
		if l.policy.Moments != nil { // after learning: all of an update is scaled alike
			l.policy.Moments.Add(k.obs)
		}
		l.steps += k.rows()
		l.tally.Add(k.sum(), float64(k.rows()))
	}
	l.updates++
	row.Update, row.Steps = l.updates, l.steps
	l.tally.Tell(&row)
	return row, nil
}

// collect plays every sequence Rollouts times, the sequences over several goroutines. The seed of
// an episode names the sequence, the dice of a rollout are a stream of their own: neither depends
// on who plays it, or when.
func (l *Learner) collect() ([]*track, error) {
	n := l.cfg.Rollouts
	tracks := make([]*track, l.cfg.Sequences*n)
	errs := make([]error, l.cfg.Sequences)
	var wait sync.WaitGroup
	for w, p := range l.forks {
		wait.Go(func() {
			for s := w; s < l.cfg.Sequences; s += len(l.forks) {
				for r := range n {
					k := &track{}
					tracks[s*n+r] = k
					seed := env.HashSeed(l.cfg.Seed, "sequence", uint64(l.updates), uint64(s))
					dice := rng.Source{Seed: env.HashSeed(l.cfg.Seed, "rollout", uint64(l.updates), uint64(s), uint64(r)), Experiment: "reinforce"}.Stream("act")
					if err := k.play(l.envs[s], p, seed, dice.Rand, l.cfg.Horizon); err != nil {
						errs[s] = fmt.Errorf("sequence %d, rollout %d: %w", s, r, err)
						return
					}
				}
			}
		})
	}
	wait.Wait()
	return tracks, errors.Join(errs...)
}

// learn makes one step of the optimiser with all decisions.
func (l *Learner) learn(row *learn.Row, tracks []*track, coef float64) error {
	var want, got []float64
	for _, k := range tracks {
		want, got = append(want, k.togo...), append(got, k.base...)
	}
	row.ExplainedVariance = learn.Explained(want, got)
	scale := 1.0
	if l.cfg.NormAdvantage {
		squares := 0.0
		for i := range want {
			d := want[i] - got[i]
			squares += float64(d * d)
		}
		scale = 1 / (math.Sqrt(squares/float64(len(want))) + 1e-8)
	}
	loss, policy, entropy, err := l.update.gradient(tracks, scale, coef)
	if err != nil {
		return err
	}
	params := l.policy.Params()
	norm := nn.ClipNorm(params, l.cfg.MaxGradNorm)
	if bad := norm + loss; math.IsNaN(bad) || math.IsInf(bad, 0) {
		return errors.Join(fmt.Errorf("%w: loss %g (policy %g, entropy %g)", learn.ErrDiverged, loss, policy, entropy), nn.CheckFinite(params))
	}
	l.adam.Step(row.LearningRate)
	row.PolicyLoss, row.Entropy, row.GradNorm = policy, entropy, norm
	return nil
}
