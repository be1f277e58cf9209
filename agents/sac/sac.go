package sac

import (
	"errors"
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/replay"
	"tarry/env"
	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// Row states how an update went. PolicyLoss is the mean loss of the actor, ValueLoss the mean loss
// of both critics together, Entropy minus the mean log-density of actions, in units of half the
// action's range, GradNorm the gradient norm of the critics; ExplainedVariance is of the last
// minibatch's targets. The columns of ratios are NaN, and all columns before learning begins.
type Row = learn.Row

// ErrDiverged: a loss or a gradient is not a finite number. The weights are as before the
// step and can still be saved.
var ErrDiverged = learn.ErrDiverged

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner struct {
	cfg      Config
	run      learn.Run   // counts, and the first fault
	envs     *learn.Envs // stepped side by side
	memory   *replay.Memory
	policy   *Policy
	critics  *critics
	actor    *actorLoss
	clone    *cloneLoss // nil without Config.Demo
	logAlpha *nn.Param  // logarithm of the temperature

	adamActor, adamCritics, adamAlpha *nn.Adam

	act   *rng.Stream // draws actions
	noise *rng.Stream // draws the actions of losses

	raw  []float64 // actions of the environments, in [-1,1]
	next []float64 // an observation and an action
	led  *led      // what the minibatch led to

	slope []float64 // of the distance from demonstrated actions

	actors, judges, targets []*nn.Param // weights of the actor, of the critics and of their targets
}

// New starts a run: environments from make (numbered from 0), first weights from the seed.
// workers is over how many goroutines the environments are stepped; it does not change results.
func New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	src := source(cfg.Seed)
	l := &Learner{cfg: cfg, run: learn.Run{Agent: agent}, act: src.Stream("act"), noise: src.Stream("noise")}
	var err error
	if l.envs, err = l.run.Open(learn.EnvConfig{Make: make, N: cfg.Envs, Workers: workers, Seed: cfg.Seed,
		Gamma: cfg.Gamma}); err != nil {
		return nil, fmt.Errorf("sac: %w", err)
	}
	if err := l.build(src); err != nil {
		return nil, errors.Join(fmt.Errorf("sac: %w", err), l.envs.Close())
	}
	return l, nil
}

// source is the family of a run's random streams.
func source(seed uint64) rng.Source { return rng.Source{Seed: seed, Experiment: agent} }

// build makes everything that follows from the configuration and the environments' spec.
func (l *Learner) build(src rng.Source) (err error) {
	cfg := &l.cfg
	weights := src.Stream("weights").Rand
	if l.policy, err = newPolicy(cfg, l.envs.Spec(), weights); err != nil {
		return err
	}
	var net, target [2]*nn.MLP
	for k := range net {
		net[k] = newCritic(cfg, fmt.Sprint("critic", k+1), l.policy, weights)
		target[k] = newCritic(cfg, fmt.Sprint("target", k+1), l.policy, weights)
	}
	if l.critics, err = newCritics(cfg, net, target); err != nil {
		return err
	}
	l.actors, l.judges, l.targets = l.policy.actor.Params(), l.critics.params(), l.critics.targets()
	nn.Blend(l.targets, l.judges, 1)
	if l.actor, err = newActorLoss(cfg, l.policy, net); err != nil {
		return errors.Join(err, l.critics.machine.Close())
	}
	l.logAlpha = nn.NewParam("log_alpha", 1, 1)
	l.logAlpha.W[0] = math.Log(cfg.Alpha)
	l.adamActor, l.adamCritics = nn.NewAdam(l.actors, cfg.AdamEps), nn.NewAdam(l.judges, cfg.AdamEps)
	l.adamAlpha = nn.NewAdam([]*nn.Param{l.logAlpha}, cfg.AdamEps)
	n := len(l.policy.raw)
	kept := replay.MemoryConfig{Shape: replay.Shape{Obs: l.policy.obs, Action: n},
		Rows:   min(cfg.Buffer, cfg.TotalSteps),
		NSteps: cfg.NSteps, Batch: cfg.Batch, NormReward: cfg.NormReward}
	if cfg.Demo != nil {
		kept.Demonstrated, kept.Share = true, cfg.Share
		if l.clone, err = newCloneLoss(cfg, l.policy); err != nil {
			return errors.Join(err, l.critics.machine.Close(), l.actor.machine.Close())
		}
	}
	l.memory = replay.NewMemory(kept, l.envs, src)
	l.raw, l.next, l.led = make([]float64, cfg.Envs*n), make([]float64, net[0].In()), newLed(cfg.Batch, l.policy)
	return nil
}

// Close closes the environments and frees the graphs.
func (l *Learner) Close() error {
	err := errors.Join(l.critics.machine.Close(), l.actor.machine.Close(), l.envs.Close())
	if l.clone != nil {
		err = errors.Join(err, l.clone.machine.Close())
	}
	return err
}

// Policy is the policy under training: it changes with each update. Fork it for a policy with
// memory of its own; save and load the learner to keep the weights.
func (l *Learner) Policy() *Policy { return l.policy }

// Value is the smaller value that the two target critics give the policy's action without noise, in
// units of the (scaled) reward; the worth of entropy is part of it.
func (l *Learner) Value(obs []float64) float64 {
	copy(l.next, obs)
	l.policy.sample(l.next[l.policy.obs:], obs, nil)
	return l.critics.least(l.next)
}

// Alpha is the temperature.
func (l *Learner) Alpha() float64 { return fixmath.Exp(l.logAlpha.W[0]) }

// Done reports whether all updates were made.
func (l *Learner) Done() bool { return l.run.Updates >= l.cfg.Updates() }

// Train makes the updates that are left. watch receives the row of each; an error from watch ends
// training, between two updates.
func (l *Learner) Train(watch func(Row) error) error { return learn.Train(l, watch) }

// Update steps the environments and learns in between: the complete algorithm. After an error the
// learner can still be saved, to look into it, but no longer be trained or resumed.
func (l *Learner) Update() (Row, error) { return l.run.Do(l.once) }

func (l *Learner) once() (Row, error) {
	if err := l.memory.Begin(); err != nil {
		return Row{}, err
	}
	none := math.NaN()
	row := Row{LearningRate: l.cfg.LearningRate, OldKL: none, KL: none, ClipFraction: none, ExplainedVariance: none}
	rounds, demos := 0, l.memory.Shared()
	for range l.cfg.Steps {
		if err := l.collect(); err != nil {
			return Row{}, err
		}
		if l.run.Steps < l.cfg.LearningStarts {
			continue
		}
		due := l.run.Steps/l.cfg.TrainEvery - (l.run.Steps-l.cfg.Envs)/l.cfg.TrainEvery
		for range due * l.cfg.GradientSteps {
			if err := l.learn(&row, demos); err != nil {
				return Row{}, err
			}
			rounds++
		}
	}
	row.PolicyLoss /= float64(rounds) // 0/0 is NaN
	row.ValueLoss /= float64(rounds)
	row.Entropy /= float64(rounds)
	row.GradNorm /= float64(rounds)
	return row, nil
}

// collect takes one action in each environment: a uniform one before learning starts, then one of
// the policy. Where a demonstrator has acted before, all are of the policy.
func (l *Learner) collect() error {
	n := len(l.policy.raw)
	for i := range l.cfg.Envs {
		raw := l.raw[i*n : (i+1)*n]
		if l.run.Steps < l.cfg.LearningStarts && l.memory.Demos.Held() == 0 {
			for j := range raw {
				raw[j] = 2*l.act.Float64() - 1 // exact
			}
		} else {
			l.policy.sample(raw, l.envs.Batch.ObsOf(i), l.act.Rand)
		}
		l.policy.toEnv(l.envs.ActionOf(i), raw)
	}
	return l.memory.Advance(l.raw)
}

// learn makes one step of each optimiser on a minibatch drawn uniformly from what is kept, the
// first demos transitions from what was demonstrated: the critics first, then the actor by the new
// critics, then the temperature, and the targets follow.
func (l *Learner) learn(row *Row, demos int) error {
	l.fill(demos)
	if err := l.learnCritics(row, l.cfg.LearningRate); err != nil {
		return err
	}
	distance, demonstrated, err := l.cloned(demos)
	if err != nil {
		return err
	}
	loss, _, err := l.descend(l.actor.machine, l.actors, l.adamActor, l.cfg.LearningRate, "the actor", distance,
		demonstrated)
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
	nn.Blend(l.targets, l.judges, l.cfg.Tau)
	return nil
}

// learnCritics makes one step of the critics' optimiser on the minibatch.
func (l *Learner) learnCritics(row *Row, rate float64) error {
	loss, norm, err := l.descend(l.critics.machine, l.judges, l.adamCritics, rate, "the critics", 0, false)
	if err != nil {
		return err
	}
	row.ValueLoss += loss
	row.GradNorm += norm
	row.ExplainedVariance = learn.Explained(l.critics.y, l.critics.machine.Series(watchQ))
	return nil
}

// fill draws a minibatch and sets the inputs of both losses. The value of what a transition led to
// is the value of an action drawn anew, less the temperature times its log-density (Haarnoja et
// al., equations 2 and 3).
func (l *Learner) fill(demos int) {
	p, c, to, alpha := l.policy, l.critics, l.led, l.Alpha()
	l.memory.Minibatch(demos, func(k int, tr *replay.Transition) {
		in := c.row(k)
		copy(in, tr.Obs)
		copy(in[p.obs:], tr.Action)
		copy(l.actor.obs[k*p.obs:], tr.Obs)
		l.actor.alpha[k] = alpha
		c.y[k], to.discount[k] = tr.Reward, tr.Discount
		copy(to.obs[k*p.obs:], tr.Next)
		if tr.Discount != 0 { // else the action is not used
			n := len(p.raw)
			draw(to.noise[k*n:(k+1)*n], l.noise.Rand)
		}
	})
	to.judge(p, c)
	for k, d := range to.discount {
		if d != 0 {
			c.y[k] += float64(d * (to.least[k] - float64(alpha*to.logp[k])))
		}
	}
	draw(l.actor.noise, l.noise.Rand)
}

// descend computes a loss and makes one step of its optimiser; distance is the distance of cloned,
// if there was some.
func (l *Learner) descend(m *nn.Machine, params []*nn.Param, adam *nn.Adam, rate float64, whose string,
	distance float64, some bool) (loss, norm float64, err error) {
	if loss, err = m.Run(); err != nil {
		return 0, 0, err
	}
	if some {
		l.add()
		loss += distance
	}
	norm = nn.ClipNorm(params, l.cfg.MaxGradNorm)
	if !learn.Finite(norm + loss) {
		return 0, 0, learn.Diverged(params, loss, " of %s", whose)
	}
	adam.Step(rate)
	return loss, norm, nil
}
