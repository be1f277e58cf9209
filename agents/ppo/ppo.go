package ppo

import (
	"errors"
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/env"
	"tarry/env/vec"
	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner struct {
	cfg    Config
	vec    *vec.Vec
	policy *Policy
	adam   *nn.Adam
	norm   *vec.Normalizer // of rewards; nil without NormReward
	rate   rate            // of reward per time; used with AverageReward
	update *step

	act     *rng.Stream // draws actions
	shuffle *rng.Stream // orders minibatches

	batch   *vec.Batch // what the environments gave last; nil before the first reset
	x       []float64  // its observations, scaled
	actions []float64
	r       *rollout
	index   []int

	updates int // made so far
	steps   int // of environments, imitation included
	tally   learn.Tally
	failed  string // why an update was not finished; "" = none failed
}

// New starts a run: environments from make (numbered from 0), first weights from the seed.
// workers is over how many goroutines the environments are stepped; it moves no result.
func New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	src := source(cfg.Seed)
	v, err := vec.New(vec.Config{New: make, N: cfg.Envs, Workers: workers, Seed: env.HashSeed(cfg.Seed, "train")})
	if err != nil {
		return nil, fmt.Errorf("ppo: %w", err)
	}
	l := &Learner{cfg: cfg, vec: v, act: src.Stream("act"), shuffle: src.Stream("shuffle")}
	if err := l.build(src); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return l, nil
}

// source is the family of a run's random streams.
func source(seed uint64) rng.Source { return rng.Source{Seed: seed, Experiment: "ppo"} }

// build makes everything that follows from the configuration and the environments' spec.
func (l *Learner) build(src rng.Source) (err error) {
	cfg := &l.cfg
	if l.policy, err = newPolicy(cfg, l.vec.Spec(), src.Stream("weights").Rand); err != nil {
		return fmt.Errorf("ppo: %w", err)
	}
	l.adam = nn.NewAdam(l.policy.Params(), cfg.AdamEps) // detail 3: Adam with eps 1e-5
	rows := cfg.Envs * cfg.Steps
	if l.update, err = newStep(l.policy, cfg, l.part(), false); err != nil {
		return fmt.Errorf("ppo: %w", err)
	}
	if cfg.NormReward {
		if l.norm, err = vec.NewNormalizer(l.vec, vec.NormalizerConfig{Reward: true, Gamma: cfg.Gamma}); err != nil {
			return fmt.Errorf("ppo: %w", err)
		}
	}
	l.r = newRollout(&l.policy.Layout, cfg.Envs, cfg.Steps)
	l.r.average = cfg.AverageReward
	l.x, l.actions = make([]float64, cfg.Envs*l.policy.Obs), make([]float64, cfg.Envs*l.policy.Action)
	l.index = make([]int, rows)
	return nil
}

// part is the size of a minibatch; the last one of an epoch may have fewer rows.
func (l *Learner) part() int {
	return (l.cfg.Envs*l.cfg.Steps + l.cfg.Minibatches - 1) / l.cfg.Minibatches
}

// Close closes the environments and frees the graph.
func (l *Learner) Close() error { return errors.Join(l.update.machine.Close(), l.vec.Close()) }

// Policy is the policy under training: it changes with each update. Fork it to keep room
// of one's own; save and load the learner to keep the weights.
func (l *Learner) Policy() *Policy { return l.policy }

// Done reports whether all updates were made.
func (l *Learner) Done() bool { return l.updates >= l.cfg.Updates() }

// Train makes the updates that are left and tells each of them to watch; an error from
// watch ends training, between two updates.
func (l *Learner) Train(watch func(Row) error) error {
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

// Update collects one rollout and learns from it: the whole algorithm. After an error the
// learner can still be saved, to look into it, but no longer be trained or resumed.
func (l *Learner) Update() (Row, error) {
	if l.failed != "" {
		return Row{}, fmt.Errorf("ppo: a former update failed: %s", l.failed)
	}
	row, err := l.once()
	if err != nil {
		err = fmt.Errorf("ppo: update %d: %w", l.updates+1, err)
		l.failed = err.Error()
	}
	return row, err
}

func (l *Learner) once() (Row, error) {
	left := 1 - float64(l.updates)/float64(l.cfg.Updates()) // of the run, from 1 down
	lr, clip := l.cfg.LearningRate, l.cfg.Clip
	if l.cfg.Anneal {
		lr *= left // detail 4 of the core list
	}
	if l.cfg.AnnealClip {
		clip *= left
	}
	if err := l.collect(l.sample); err != nil {
		return Row{}, err
	}
	l.r.finish(l.cfg.Lambda)
	row, err := l.learn(l.update, l.adam, l.cfg.Epochs, lr, clip)
	if err != nil {
		return Row{}, err
	}
	l.updates++
	row.Update, row.Steps = l.updates, l.steps
	if l.cfg.AverageReward {
		row.RewardRate = l.rate.perTime()
	}
	l.tally.Tell(&row)
	return row, nil
}

// sample draws environment i's action for the rollout's row.
func (l *Learner) sample(_, row int) error {
	r, p := l.r, l.policy
	r.logp[row] = p.Choose(r.rawOf(row), r.obsOf(row), r.maskOf(row), l.act.Rand)
	return nil
}

// collect steps the environments side by side (detail 1 of the core list); choose sets the
// raw action of environment i, and its log-probability, in a row of the rollout.
func (l *Learner) collect(choose func(i, row int) error) error {
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
			if err := choose(i, row); err != nil {
				return fmt.Errorf("environment %d: %w", i, err)
			}
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
	if l.cfg.AverageReward {
		l.differ()
	}
	return nil
}

// take keeps a batch: its observations are counted into the moments and scaled.
func (l *Learner) take(b *vec.Batch) {
	if m := l.policy.Moments; m != nil { // detail 6 of the continuous list
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
	if l.norm != nil && !l.cfg.AverageReward { // details 8 and 9 of the continuous list: scaled, then clipped
		l.norm.Step(b)
	}
	for i := range l.cfg.Envs {
		row := first + i
		r.Reward[row], r.Terminated[row], r.Truncated[row] = b.Reward[i], b.Terminated[i], b.Truncated[i]
		r.elapsed[row] = b.Elapsed[i]
		switch r.Discount[row] = l.cfg.Gamma; {
		case l.cfg.AverageReward:
			r.Discount[row] = 1
		case b.Elapsed[i] != 1: // decisions that are not equally far apart
			r.Discount[row] = fixmath.Pow(l.cfg.Gamma, b.Elapsed[i])
		}
		if b.Truncated[i] { // the value of the true last observation
			r.Next[row] = p.ValueOf(p.Scaled(b.FinalObsOf(i)), b.FinalMaskOf(i))
		}
	}
	l.steps += l.cfg.Envs
}

// learn goes over the rollout several times in minibatches (detail 6 of the core list).
func (l *Learner) learn(s *step, adam *nn.Adam, epochs int, lr, clip float64) (Row, error) {
	row := Row{LearningRate: lr, ExplainedVariance: learn.Explained(l.r.ret, l.r.Value)}
	params := l.policy.Params()
	for i := range l.index {
		l.index[i] = i
	}
	count := 0.0
	for range epochs {
		l.shuffle.Shuffle(len(l.index), func(i, j int) { l.index[i], l.index[j] = l.index[j], l.index[i] })
		row.OldKL, row.KL = 0, 0
		for at := 0; at < len(l.index); at += s.rows {
			part := l.index[at:min(at+s.rows, len(l.index))]
			s.fill(l.r, part, clip, l.cfg.NormAdvantage)
			loss, err := s.machine.Run()
			if err != nil {
				return row, err
			}
			norm := nn.ClipNorm(params, l.cfg.MaxGradNorm) // detail 11: over all weights together
			if bad := norm + loss; math.IsNaN(bad) || math.IsInf(bad, 0) {
				return row, diverged(s, params, loss)
			}
			adam.Step(lr)
			watch(&row, s, len(part), len(l.index), clip, norm)
			count++
		}
		if l.cfg.TargetKL > 0 && row.KL > l.cfg.TargetKL {
			break
		}
	}
	row.PolicyLoss /= count
	row.ValueLoss /= count
	row.Entropy /= count
	row.ClipFraction /= count
	row.GradNorm /= count
	return row, nil
}

// diverged names what is not finite.
func diverged(s *step, params []*nn.Param, loss float64) error {
	losses := fmt.Errorf("loss %g (policy %g, value %g, entropy %g)", loss,
		s.machine.Watched(watchPolicy), s.machine.Watched(watchValue), s.machine.Watched(watchEntropy))
	return errors.Join(fmt.Errorf("%w: %w", ErrDiverged, losses), nn.CheckFinite(params))
}

// watch adds a minibatch to the row (detail 12 of the core list: debug variables).
func watch(row *Row, s *step, used, total int, clip, norm float64) {
	m := s.machine
	row.PolicyLoss += m.Watched(watchPolicy)
	row.ValueLoss += m.Watched(watchValue)
	row.Entropy += m.Watched(watchEntropy)
	row.GradNorm += norm
	outside := 0.0
	for _, lr := range m.Series(watchLogRatio)[:used] {
		ratio := fixmath.Exp(lr)
		row.OldKL -= lr / float64(total)
		row.KL += (ratio - 1 - lr) / float64(total)
		if math.Abs(ratio-1) > clip {
			outside++
		}
	}
	row.ClipFraction += outside / float64(used)
}
