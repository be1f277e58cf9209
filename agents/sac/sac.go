package sac

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

// Row says how an update went. PolicyLoss is the mean loss of the actor, ValueLoss that of both
// critics together, Entropy minus the mean log-density of actions, in units of half the action's
// range, GradNorm that of the critics; ExplainedVariance is that of the last minibatch's targets.
// What tells of ratios is NaN, and all of them before learning begins.
type Row = learn.Row

// ErrDiverged: a loss or a gradient is not a finite number. The weights are those of before the
// step and can still be saved.
var ErrDiverged = learn.ErrDiverged

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner struct {
	cfg      Config
	vec      *vec.Vec
	policy   *Policy
	critics  *critics
	actor    *actorLoss
	clone    *cloneLoss // nil without Config.Demo
	logAlpha *nn.Param  // logarithm of the temperature

	adamActor, adamCritics, adamAlpha *nn.Adam

	act   *rng.Stream // draws actions
	draw  *rng.Stream // draws transitions
	demo  *rng.Stream // draws demonstrated ones
	noise *rng.Stream // draws the actions of losses

	started  bool       // the environments were reset
	batch    *vec.Batch // what they gave last
	buffer   *replay.Buffer
	demos    *replay.Demos // nil without Config.Demo
	scale    *replay.Scale // of rewards; nil without NormReward
	actions  []float64     // for the environments
	raw      []float64     // the same in [-1,1]
	discount []float64
	next     []float64 // an observation and an action

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
		return nil, fmt.Errorf("sac: %w", err)
	}
	src := source(cfg.Seed)
	l := &Learner{cfg: cfg, vec: v, act: src.Stream("act"), draw: src.Stream("draw"), noise: src.Stream("noise")}
	if err := l.build(src); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return l, nil
}

// source is the family of a run's random streams.
func source(seed uint64) rng.Source { return rng.Source{Seed: seed, Experiment: "sac"} }

// build makes everything that follows from the configuration and the environments' spec.
func (l *Learner) build(src rng.Source) (err error) {
	cfg := &l.cfg
	weights := src.Stream("weights").Rand
	if l.policy, err = newPolicy(cfg, l.vec.Spec(), weights); err != nil {
		return err
	}
	var net, target [2]*nn.MLP
	for k := range net {
		net[k] = newCritic(cfg, fmt.Sprint("critic", k+1), l.policy, weights)
		target[k] = newCritic(cfg, fmt.Sprint("target", k+1), l.policy, weights)
	}
	if l.critics, err = newCritics(cfg, net, target); err != nil {
		return fmt.Errorf("sac: %w", err)
	}
	nn.Blend(l.critics.targets(), l.critics.params(), 1)
	if l.actor, err = newActorLoss(cfg, l.policy, net); err != nil {
		return errors.Join(fmt.Errorf("sac: %w", err), l.critics.machine.Close())
	}
	l.logAlpha = nn.NewParam("log_alpha", 1, 1)
	l.logAlpha.W[0] = math.Log(cfg.Alpha)
	l.adamActor, l.adamCritics = nn.NewAdam(l.policy.actor.Params(), cfg.AdamEps), nn.NewAdam(l.critics.params(), cfg.AdamEps)
	l.adamAlpha = nn.NewAdam([]*nn.Param{l.logAlpha}, cfg.AdamEps)
	n := len(l.policy.raw)
	shape := replay.Shape{Obs: l.policy.obs, Action: n}
	l.buffer = replay.NewBuffer(shape, cfg.Envs, min(cfg.Buffer, cfg.TotalSteps))
	if cfg.Demo != nil {
		l.demos, l.demo = replay.NewDemos(shape, cfg.Envs), src.Stream("demo")
		if l.clone, err = newCloneLoss(cfg, l.policy); err != nil {
			return errors.Join(fmt.Errorf("sac: %w", err), l.critics.machine.Close(), l.actor.machine.Close())
		}
	}
	if cfg.NormReward {
		l.scale = replay.NewScale(cfg.Envs)
	}
	l.actions, l.raw = make([]float64, cfg.Envs*n), make([]float64, cfg.Envs*n)
	l.discount, l.next = make([]float64, cfg.Envs), make([]float64, net[0].In())
	return nil
}

// Close closes the environments and frees the graphs.
func (l *Learner) Close() error {
	err := errors.Join(l.critics.machine.Close(), l.actor.machine.Close(), l.vec.Close())
	if l.clone != nil {
		err = errors.Join(err, l.clone.machine.Close())
	}
	return err
}

// Policy is the policy under training: it changes with each update. Fork it to keep room of one's
// own; save and load the learner to keep the weights.
func (l *Learner) Policy() *Policy { return l.policy }

// Value is the smaller value that the two target critics give the policy's action without noise, in units
// of the (scaled) reward; the worth of entropy is part of it.
func (l *Learner) Value(obs []float64) float64 {
	copy(l.next, obs)
	l.policy.sample(l.next[l.policy.obs:], obs, nil)
	return l.critics.least(l.next)
}

// Alpha is the temperature.
func (l *Learner) Alpha() float64 { return fixmath.Exp(l.logAlpha.W[0]) }

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
		return Row{}, fmt.Errorf("sac: a former update failed: %s", l.failed)
	}
	row, err := l.once()
	if err != nil {
		err = fmt.Errorf("sac: update %d: %w", l.updates+1, err)
		l.failed = err.Error()
	}
	return row, err
}

func (l *Learner) once() (Row, error) {
	if err := l.reset(); err != nil {
		return Row{}, err
	}
	none := math.NaN()
	row := Row{LearningRate: l.cfg.LearningRate, OldKL: none, KL: none, ClipFraction: none, ExplainedVariance: none}
	rounds, demos := 0, l.share()
	for range l.cfg.Steps {
		if err := l.collect(); err != nil {
			return Row{}, err
		}
		if l.steps < l.cfg.LearningStarts {
			continue
		}
		due := l.steps/l.cfg.TrainEvery - (l.steps-l.cfg.Envs)/l.cfg.TrainEvery
		for range due * l.cfg.GradientSteps {
			if err := l.learn(&row, demos); err != nil {
				return Row{}, err
			}
			rounds++
		}
	}
	l.updates++
	row.PolicyLoss /= float64(rounds) // 0/0 is NaN
	row.ValueLoss /= float64(rounds)
	row.Entropy /= float64(rounds)
	row.GradNorm /= float64(rounds)
	row.Update, row.Steps = l.updates, l.steps
	l.tally.Tell(&row)
	return row, nil
}

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

// collect takes one action in each environment: a uniform one before learning starts, then one of
// the policy. Where a demonstrator has acted before, all are of the policy.
func (l *Learner) collect() error {
	n := len(l.policy.raw)
	for i := range l.cfg.Envs {
		raw := l.raw[i*n : (i+1)*n]
		if l.steps < l.cfg.LearningStarts && l.demos.Held() == 0 {
			for j := range raw {
				raw[j] = 2*l.act.Float64() - 1 // exact
			}
		} else {
			l.policy.sample(raw, l.batch.ObsOf(i), l.act.Rand)
		}
		l.policy.toEnv(l.actions[i*n:(i+1)*n], raw)
	}
	return l.advance(l.buffer)
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
	in.Add(l.raw, b, l.discount)
	l.steps += l.cfg.Envs
	return nil
}

// learn makes one step of each optimiser on a minibatch drawn uniformly from what is kept, the first demos
// transitions from what was demonstrated: the
// critics first, then the actor by the new critics, then the temperature, and the targets follow.
func (l *Learner) learn(row *Row, demos int) error {
	l.fill(demos)
	if err := l.learnCritics(row, l.cfg.LearningRate); err != nil {
		return err
	}
	clone, err := l.cloned(demos)
	if err != nil {
		return err
	}
	loss, _, err := l.descend(l.actor.machine, l.policy.actor.Params(), l.adamActor, l.cfg.LearningRate, "the actor", clone)
	if err != nil {
		return err
	}
	row.PolicyLoss += loss
	mean := 0.0
	for _, logp := range l.actor.machine.Series(watchLogp) {
		mean += logp / float64(l.cfg.Batch)
	}
	row.Entropy -= mean
	if l.cfg.AutoAlpha {
		_, l.logAlpha.Grad[0] = temperatureLoss(l.logAlpha.W[0], mean, l.cfg.Entropy*float64(len(l.policy.raw)))
		l.adamAlpha.Step(l.cfg.LearningRate)
	}
	nn.Blend(l.critics.targets(), l.critics.params(), l.cfg.Tau)
	return nil
}

// learnCritics makes one step of the critics' optimiser on the minibatch.
func (l *Learner) learnCritics(row *Row, rate float64) error {
	loss, norm, err := l.descend(l.critics.machine, l.critics.params(), l.adamCritics, rate, "the critics", nil)
	if err != nil {
		return err
	}
	row.ValueLoss += loss
	row.GradNorm += norm
	row.ExplainedVariance = learn.Explained(l.critics.y, l.critics.machine.Series(watchQ))
	return nil
}

// fill draws a minibatch and sets the inputs of both losses. The value of what a transition led to
// is that of an action drawn anew, less the temperature times its log-density (Haarnoja et al.,
// equations 2 and 3).
func (l *Learner) fill(demos int) {
	p, c, scale, alpha := l.policy, l.critics, l.scale.Value(), l.Alpha()
	for k := range l.cfg.Batch {
		var tr replay.Transition
		if k < demos {
			tr = l.demos.At(l.demos.Draw(l.demo.Rand), l.cfg.NSteps, scale)
		} else {
			tr = l.buffer.At(l.buffer.Draw(l.draw.Rand), l.cfg.NSteps, scale)
		}
		in := c.row(k)
		copy(in, tr.Obs)
		copy(in[p.obs:], tr.Action)
		copy(l.actor.obs[k*p.obs:], tr.Obs)
		l.actor.alpha[k] = alpha
		c.y[k] = tr.Reward
		if tr.Discount != 0 {
			copy(l.next, tr.Next)
			logp := p.sample(l.next[p.obs:], tr.Next, l.noise.Rand)
			c.y[k] += float64(tr.Discount * (c.least(l.next) - float64(alpha*logp)))
		}
	}
	draw(l.actor.noise, l.noise.Rand)
}

// descend computes a loss and makes one step of its optimiser; more, if it is not nil, changes the gradient in
// between.
func (l *Learner) descend(m *nn.Machine, params []*nn.Param, adam *nn.Adam, rate float64, whose string, more func() float64) (loss, norm float64, err error) {
	if loss, err = m.Run(); err != nil {
		return 0, 0, err
	}
	if more != nil {
		loss += more()
	}
	norm = nn.ClipNorm(params, l.cfg.MaxGradNorm)
	if bad := norm + loss; math.IsNaN(bad) || math.IsInf(bad, 0) {
		return 0, 0, errors.Join(fmt.Errorf("%w: loss %g of %s", ErrDiverged, loss, whose), nn.CheckFinite(params))
	}
	adam.Step(rate)
	return loss, norm, nil
}
