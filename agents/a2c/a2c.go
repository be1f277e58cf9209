package a2c

import (
	"errors"
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/policy"
	"tarry/env"
	"tarry/env/vec"
	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner struct {
	cfg    Config
	vec    *vec.Vec
	policy *policy.Policy
	opt    nn.Optimizer
	norm   *vec.Normalizer // of rewards; nil without NormReward
	update *step
	act    *rng.Stream // draws actions

	batch   *vec.Batch // what the environments gave last; nil before the first reset
	x       []float64  // its observations, scaled
	actions []float64
	r       *rollout

	updates int // made so far
	steps   int // of environments
	tally   learn.Tally
	failed  string // why an update was not finished; "" = none failed
}

// New starts a run: environments from make (numbered from 0), first weights from the seed.
// workers is over how many goroutines the environments are stepped; it moves no result.
func New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	src := rng.Source{Seed: cfg.Seed, Experiment: "a2c"}
	v, err := vec.New(vec.Config{New: make, N: cfg.Envs, Workers: workers, Seed: env.HashSeed(cfg.Seed, "train")})
	if err != nil {
		return nil, fmt.Errorf("a2c: %w", err)
	}
	l := &Learner{cfg: cfg, vec: v, act: src.Stream("act")}
	if err := l.build(src); err != nil {
		return nil, errors.Join(fmt.Errorf("a2c: %w", err), v.Close())
	}
	return l, nil
}

// build makes everything that follows from the configuration and the environments' spec.
func (l *Learner) build(src rng.Source) (err error) {
	cfg := &l.cfg
	if l.policy, err = policy.New(cfg.actor(), l.vec.Spec(), src.Stream("weights").Rand); err != nil {
		return err
	}
	params := l.policy.Params()
	switch cfg.Optimizer {
	case "adam":
		l.opt = nn.NewAdam(params, cfg.OptimizerEps)
	default:
		l.opt = nn.NewRMSProp(params, cfg.OptimizerEps, cfg.Optimizer == "rmsprop_tf")
	}
	if l.update, err = newStep(l.policy, cfg); err != nil {
		return err
	}
	if cfg.NormReward {
		if l.norm, err = vec.NewNormalizer(l.vec, vec.NormalizerConfig{Reward: true, Gamma: cfg.Gamma}); err != nil {
			return err
		}
	}
	l.r = newRollout(&l.policy.Layout, cfg.Envs, cfg.Steps)
	l.x, l.actions = make([]float64, cfg.Envs*l.policy.Obs), make([]float64, cfg.Envs*l.policy.Action)
	return nil
}

// Close closes the environments and frees the graph.
func (l *Learner) Close() error { return errors.Join(l.update.machine.Close(), l.vec.Close()) }

// Policy is the policy under training: it changes with each update. Fork it to keep room
// of one's own; save and load the learner to keep the weights.
func (l *Learner) Policy() *policy.Policy { return l.policy }

// Done reports whether all updates were made.
func (l *Learner) Done() bool { return l.updates >= l.cfg.Updates() }

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

// Update collects the rollouts of one update and learns from each: the whole algorithm. After an
// error the learner can still be saved, to look into it, but no longer be trained or resumed.
func (l *Learner) Update() (learn.Row, error) {
	if l.failed != "" {
		return learn.Row{}, fmt.Errorf("a2c: a former update failed: %s", l.failed)
	}
	row, err := l.once()
	if err != nil {
		err = fmt.Errorf("a2c: update %d: %w", l.updates+1, err)
		l.failed = err.Error()
	}
	return row, err
}

func (l *Learner) once() (learn.Row, error) {
	n := l.cfg.Rollouts
	row := learn.Row{OldKL: math.NaN(), KL: math.NaN(), ClipFraction: math.NaN()} // one step from each rollout: nothing moves in between
	for k := range n {
		row.LearningRate = l.cfg.LearningRate
		if l.cfg.Anneal {
			row.LearningRate *= 1 - float64(l.updates*n+k)/float64(l.cfg.Updates()*n)
		}
		if err := l.collect(); err != nil {
			return row, err
		}
		l.r.finish(l.cfg.Lambda)
		if err := l.learn(&row); err != nil {
			return row, err
		}
	}
	for _, f := range []*float64{&row.PolicyLoss, &row.ValueLoss, &row.Entropy, &row.GradNorm} {
		*f /= float64(n)
	}
	row.ExplainedVariance = learn.Explained(l.r.ret, l.r.Value) // of the last rollout
	l.updates++
	row.Update, row.Steps = l.updates, l.steps
	l.tally.Tell(&row)
	return row, nil
}

// collect steps the environments side by side.
func (l *Learner) collect() error {
	if l.batch == nil {
		b, err := l.vec.Reset()
		if err != nil {
			return err
		}
		l.take(b)
	}
	r, p, n := l.r, l.policy, l.cfg.Envs
	for t := range l.cfg.Steps {
		for i := range n {
			row := t*n + i
			copy(r.obsOf(row), l.x[i*p.Obs:(i+1)*p.Obs])
			copy(r.maskOf(row), l.batch.MaskOf(i))
			if err := p.CheckMask(r.maskOf(row)); err != nil {
				return fmt.Errorf("environment %d: %w", i, err)
			}
			r.Value[row] = p.ValueOf(r.obsOf(row), r.maskOf(row))
			p.Choose(r.rawOf(row), r.obsOf(row), r.maskOf(row), l.act.Rand)
			p.ToEnv(l.actions[i*p.Action:(i+1)*p.Action], r.rawOf(row))
		}
		b, err := l.vec.Step(l.actions)
		if err != nil {
			return err
		}
		l.take(b)
		l.note(t * n)
	}
	for row := range r.rows() { // the other steps lead to the observation of the next one
		switch next := row + n; {
		case r.Truncated[row]:
		case next < r.rows():
			r.Next[row] = r.Value[next]
		default:
			i := next - r.rows()
			r.Next[row] = p.ValueOf(l.x[i*p.Obs:(i+1)*p.Obs], l.batch.MaskOf(i))
		}
	}
	return nil
}

// take keeps a batch: its observations are counted into the moments and scaled.
func (l *Learner) take(b *vec.Batch) {
	if m := l.policy.Moments; m != nil {
		m.Add(b.Obs)
	}
	l.batch = b
	l.rescale()
}

// rescale scales the observations of the batch.
func (l *Learner) rescale() {
	n := l.policy.Obs
	for i := range l.cfg.Envs {
		copy(l.x[i*n:(i+1)*n], l.policy.Scaled(l.batch.ObsOf(i)))
	}
}

// note writes what the last step gave to the rows from first on.
func (l *Learner) note(first int) {
	b, r, p := l.batch, l.r, l.policy
	for i := range l.cfg.Envs {
		if b.Done(i) {
			l.tally.Add(b.Episodes[i].Return, float64(b.Episodes[i].Steps))
		}
	}
	if l.norm != nil {
		l.norm.Step(b)
	}
	for i := range l.cfg.Envs {
		row := first + i
		r.Reward[row], r.Terminated[row], r.Truncated[row] = b.Reward[i], b.Terminated[i], b.Truncated[i]
		r.Discount[row] = l.cfg.Gamma
		if b.Elapsed[i] != 1 { // decisions that are not equally far apart
			r.Discount[row] = fixmath.Pow(l.cfg.Gamma, b.Elapsed[i])
		}
		if b.Truncated[i] { // the value of the true last observation
			r.Next[row] = p.ValueOf(p.Scaled(b.FinalObsOf(i)), b.FinalMaskOf(i))
		}
	}
	l.steps += l.cfg.Envs
}

// learn makes one step of the optimiser with the whole rollout.
func (l *Learner) learn(row *learn.Row) error {
	s, params := l.update, l.policy.Params()
	s.fill(l.r, l.cfg.NormAdvantage)
	loss, err := s.machine.Run()
	if err != nil {
		return err
	}
	norm := nn.ClipNorm(params, l.cfg.MaxGradNorm)
	policy, value, entropy := s.machine.Watched(watchPolicy), s.machine.Watched(watchValue), s.machine.Watched(watchEntropy)
	if bad := norm + loss; math.IsNaN(bad) || math.IsInf(bad, 0) {
		return errors.Join(fmt.Errorf("%w: loss %g (policy %g, value %g, entropy %g)", learn.ErrDiverged, loss, policy, value, entropy), nn.CheckFinite(params))
	}
	l.opt.Step(row.LearningRate)
	row.PolicyLoss += policy
	row.ValueLoss += value
	row.Entropy += entropy
	row.GradNorm += norm
	return nil
}
