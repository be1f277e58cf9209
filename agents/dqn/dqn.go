package dqn

import (
	"errors"
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/replay"
	"tarry/env"
	"tarry/env/vec"
	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// Row says how an update went. PolicyLoss, Entropy and what tells of ratios are NaN; ValueLoss is
// the mean loss of the action values, ExplainedVariance that of the last minibatch's targets. All
// are NaN before learning begins.
type Row = learn.Row

// ErrDiverged: a loss or a gradient is not a finite number. The weights are those of before the
// step and can still be saved.
var ErrDiverged = learn.ErrDiverged

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner struct {
	cfg    Config
	vec    *vec.Vec
	policy *Policy // under training
	target *Policy // judges what actions lead to
	adam   *nn.Adam
	step   *step

	act  *rng.Stream // draws actions
	draw *rng.Stream // draws transitions
	demo *rng.Stream // draws demonstrated ones

	started  bool       // the environments were reset
	batch    *vec.Batch // what they gave last
	buffer   *replay.Buffer
	demos    *replay.Demos // nil without Config.Demo
	scale    *replay.Scale // of rewards; nil without NormReward
	actions  []float64     // for the environments
	indices  []float64     // the same, counted from 0
	discount []float64

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
	v, err := vec.New(vec.Config{New: make, N: cfg.Envs, Workers: workers, Seed: env.HashSeed(cfg.Seed, "train")})
	if err != nil {
		return nil, fmt.Errorf("dqn: %w", err)
	}
	src := source(cfg.Seed)
	l := &Learner{cfg: cfg, vec: v, act: src.Stream("act"), draw: src.Stream("draw")}
	if err := l.build(src); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return l, nil
}

// source is the family of a run's random streams.
func source(seed uint64) rng.Source { return rng.Source{Seed: seed, Experiment: "dqn"} }

// build makes everything that follows from the configuration and the environments' spec.
func (l *Learner) build(src rng.Source) (err error) {
	cfg, spec := &l.cfg, l.vec.Spec()
	if l.policy, err = newPolicy(cfg, "q", spec, src.Stream("weights").Rand); err != nil {
		return err
	}
	if l.target, err = newPolicy(cfg, "target", spec, src.Stream("weights").Rand); err != nil { // equal at first
		return err
	}
	l.adam = nn.NewAdam(l.policy.net.Params(), cfg.AdamEps)
	if l.step, err = newStep(l.policy, cfg); err != nil {
		return fmt.Errorf("dqn: %w", err)
	}
	shape := replay.Shape{Obs: l.policy.obs, Action: 1}
	if l.policy.masked {
		shape.Mask = len(l.policy.q)
	}
	l.buffer = replay.NewBuffer(shape, cfg.Envs, min(cfg.Buffer, cfg.TotalSteps))
	if cfg.Demo != nil {
		l.demos, l.demo = replay.NewDemos(shape, cfg.Envs), src.Stream("demo")
	}
	if cfg.NormReward {
		l.scale = replay.NewScale(cfg.Envs)
	}
	l.actions, l.indices, l.discount = make([]float64, cfg.Envs), make([]float64, cfg.Envs), make([]float64, cfg.Envs)
	return nil
}

// Close closes the environments and frees the graph.
func (l *Learner) Close() error { return errors.Join(l.step.machine.Close(), l.vec.Close()) }

// Policy is the policy under training: it changes with each update. Fork it to keep room of one's
// own; save and load the learner to keep the weights.
func (l *Learner) Policy() *Policy { return l.policy }

// Done reports whether all updates were made.
func (l *Learner) Done() bool { return l.updates >= l.cfg.Updates() }

// Train makes the updates that are left and tells each of them to watch; an error from watch ends
// training, between two updates.
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

// Update steps the environments and learns in between: the whole algorithm. After an error the
// learner can still be saved, to look into it, but no longer be trained or resumed.
func (l *Learner) Update() (Row, error) {
	if l.failed != "" {
		return Row{}, fmt.Errorf("dqn: a former update failed: %s", l.failed)
	}
	row, err := l.once()
	if err != nil {
		err = fmt.Errorf("dqn: update %d: %w", l.updates+1, err)
		l.failed = err.Error()
	}
	return row, err
}

func (l *Learner) once() (Row, error) {
	if err := l.reset(); err != nil {
		return Row{}, err
	}
	none := math.NaN()
	row := Row{LearningRate: l.cfg.LearningRate, PolicyLoss: none, Entropy: none, OldKL: none, KL: none, ClipFraction: none, ExplainedVariance: none}
	rounds, demos := 0, l.share()
	for range l.cfg.Steps {
		if err := l.collect(); err != nil {
			return Row{}, err
		}
		if l.steps < l.cfg.LearningStarts {
			continue
		}
		for range l.due(l.cfg.TrainEvery) * l.cfg.GradientSteps {
			if err := l.learn(&row, demos, l.cfg.LearningRate); err != nil {
				return Row{}, err
			}
			rounds++
		}
		if l.due(l.cfg.TargetEvery) > 0 {
			nn.Blend(l.target.net.Params(), l.policy.net.Params(), l.cfg.Tau)
		}
	}
	l.updates++
	row.ValueLoss /= float64(rounds) // 0/0 is NaN
	row.GradNorm /= float64(rounds)
	row.Update, row.Steps = l.updates, l.steps
	l.tally.Tell(&row)
	return row, nil
}

// due is how many multiples of so many steps the last step of the environments reached.
func (l *Learner) due(every int) int { return l.steps/every - (l.steps-l.cfg.Envs)/every }

// reset starts the environments, once in a run.
func (l *Learner) reset() error {
	if l.started {
		return nil
	}
	b, err := l.vec.Reset()
	if err != nil {
		return err
	}
	l.batch, l.started = b, true
	l.buffer.Begin(b)
	return nil
}

// collect takes one action in each environment: a random one with probability epsilon, else the
// one of the largest value.
func (l *Learner) collect() error {
	eps := l.random()
	for i := range l.cfg.Envs {
		mask, err := l.policy.legal(l.batch.MaskOf(i))
		if err != nil {
			return fmt.Errorf("environment %d: %w", i, err)
		}
		k := l.policy.choose(l.batch.ObsOf(i), mask, eps, l.act.Rand)
		l.indices[i], l.actions[i] = float64(k), l.policy.start+float64(k)
	}
	return l.advance(l.buffer)
}

// random is the share of random actions. Where a demonstrator has acted before, it is the one that others end
// with: what random actions would find out, they have been shown.
func (l *Learner) random() float64 {
	if l.demos.Held() > 0 {
		return l.cfg.EpsEnd
	}
	return l.cfg.epsilon(l.steps)
}

// keeper is where steps are kept.
type keeper interface {
	Add(actions []float64, b *vec.Batch, discount []float64)
}

// advance takes the actions that were chosen, and keeps what came of them.
func (l *Learner) advance(in keeper) error {
	b, err := l.vec.Step(l.actions)
	if err != nil {
		return err
	}
	l.batch = b
	for i := range l.cfg.Envs {
		if b.Done(i) {
			l.tally.Add(b.Episodes[i].Return, float64(b.Episodes[i].Steps))
		}
		l.discount[i] = l.cfg.Gamma
		if b.Elapsed[i] != 1 { // decisions that are not equally far apart
			l.discount[i] = fixmath.Pow(l.cfg.Gamma, b.Elapsed[i])
		}
	}
	if l.scale != nil {
		l.scale.Add(b, l.discount)
	}
	in.Add(l.indices, b, l.discount)
	l.steps += l.cfg.Envs
	return nil
}

// learn makes one step of the optimiser on a minibatch drawn uniformly from what is kept: the first demos
// transitions from what was demonstrated.
func (l *Learner) learn(row *Row, demos int, rate float64) error {
	scale := l.scale.Value()
	for k := range l.cfg.Batch {
		var tr replay.Transition
		if k < demos {
			tr = l.demos.At(l.demos.Draw(l.demo.Rand), l.cfg.NSteps, scale)
		} else {
			tr = l.buffer.At(l.buffer.Draw(l.draw.Rand), l.cfg.NSteps, scale)
		}
		next := bootstrap(&tr, l.policy, l.target, l.cfg.Double)
		l.step.fill(k, &tr, tr.Reward+float64(tr.Discount*next))
		l.step.demonstrate(k, &tr, l.policy, k < demos)
	}
	loss, err := l.step.machine.Run()
	if err != nil {
		return err
	}
	params := l.policy.net.Params()
	norm := nn.ClipNorm(params, l.cfg.MaxGradNorm)
	if bad := norm + loss; math.IsNaN(bad) || math.IsInf(bad, 0) {
		return errors.Join(fmt.Errorf("%w: loss %g of the action values", ErrDiverged, loss), nn.CheckFinite(params))
	}
	l.adam.Step(rate)
	row.ValueLoss += loss
	row.GradNorm += norm
	row.ExplainedVariance = learn.Explained(l.step.target, l.step.machine.Series(watchQ))
	return nil
}
