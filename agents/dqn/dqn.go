package dqn

import (
	"errors"
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/replay"
	"tarry/env"
	"tarry/sim/rng"
)

// Row states how an update went. PolicyLoss, Entropy and the columns of ratios are NaN; ValueLoss
// is the mean loss of the action values, ExplainedVariance the explained variance of the last
// minibatch's targets. All are NaN before learning begins.
type Row = learn.Row

// ErrDiverged: a loss or a gradient is not a finite number. The weights are as before the
// step and can still be saved.
var ErrDiverged = learn.ErrDiverged

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner struct {
	cfg    Config
	run    learn.Run   // counts, and the first fault
	envs   *learn.Envs // stepped side by side
	memory *replay.Memory
	policy *Policy // under training
	target *Policy // judges what actions lead to
	adam   *nn.Adam
	step   *step

	params, targets []*nn.Param // weights under training, and the weights of the target network

	act     *rng.Stream // draws actions
	indices []float64   // actions of the environments, counted from 0
}

// New starts a run: environments from make (numbered from 0), first weights from the seed.
// workers is over how many goroutines the environments are stepped; it does not change results.
func New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	src := source(cfg.Seed)
	l := &Learner{cfg: cfg, run: learn.Run{Agent: agent}, act: src.Stream("act")}
	var err error
	if l.envs, err = l.run.Open(learn.EnvConfig{Make: make, N: cfg.Envs, Workers: workers, Seed: cfg.Seed,
		Gamma: cfg.Gamma}); err != nil {
		return nil, fmt.Errorf("dqn: %w", err)
	}
	if err := l.build(src); err != nil {
		return nil, errors.Join(fmt.Errorf("dqn: %w", err), l.envs.Close())
	}
	return l, nil
}

// source is the family of a run's random streams.
func source(seed uint64) rng.Source { return rng.Source{Seed: seed, Experiment: agent} }

// build makes everything that follows from the configuration and the environments' spec.
func (l *Learner) build(src rng.Source) (err error) {
	cfg, spec := &l.cfg, l.envs.Spec()
	if l.policy, err = newPolicy(cfg, "q", spec, src.Stream("weights").Rand); err != nil {
		return err
	}
	if l.target, err = newPolicy(cfg, "target", spec, src.Stream("weights").Rand); err != nil { // equal at first
		return err
	}
	l.params, l.targets = l.policy.net.Params(), l.target.net.Params()
	l.adam = nn.NewAdam(l.params, cfg.AdamEps)
	if l.step, err = newStep(l.policy, cfg); err != nil {
		return err
	}
	shape := replay.Shape{Obs: l.policy.obs, Action: 1}
	if l.policy.masked {
		shape.Mask = len(l.policy.q)
	}
	kept := replay.MemoryConfig{Shape: shape, Rows: min(cfg.Buffer, cfg.TotalSteps), NSteps: cfg.NSteps,
		Batch: cfg.Batch, NormReward: cfg.NormReward}
	if cfg.Demo != nil {
		kept.Demonstrated, kept.Share = true, cfg.Share
	}
	l.memory = replay.NewMemory(kept, l.envs, src)
	l.indices = make([]float64, cfg.Envs)
	return nil
}

// Close closes the environments and frees the graph.
func (l *Learner) Close() error { return errors.Join(l.step.machine.Close(), l.envs.Close()) }

// Policy is the policy under training: it changes with each update. Fork it for a policy with
// memory of its own; save and load the learner to keep the weights.
func (l *Learner) Policy() *Policy { return l.policy }

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
	row := Row{LearningRate: l.cfg.LearningRate, PolicyLoss: none, Entropy: none, OldKL: none, KL: none,
		ClipFraction: none, ExplainedVariance: none}
	rounds, demos := 0, l.memory.Shared()
	for range l.cfg.Steps {
		if err := l.collect(); err != nil {
			return Row{}, err
		}
		if l.run.Steps < l.cfg.LearningStarts {
			continue
		}
		for range l.due(l.cfg.TrainEvery) * l.cfg.GradientSteps {
			if err := l.learn(&row, demos, l.cfg.LearningRate); err != nil {
				return Row{}, err
			}
			rounds++
		}
		if l.due(l.cfg.TargetEvery) > 0 {
			nn.Blend(l.targets, l.params, l.cfg.Tau)
		}
	}
	row.ValueLoss /= float64(rounds) // 0/0 is NaN
	row.GradNorm /= float64(rounds)
	return row, nil
}

// due is how many multiples of so many steps the last step of the environments reached.
func (l *Learner) due(every int) int { return l.run.Steps/every - (l.run.Steps-l.cfg.Envs)/every }

// collect takes one action in each environment: a random one with probability epsilon, else the
// action of the largest value.
func (l *Learner) collect() error {
	eps := l.random()
	for i := range l.cfg.Envs {
		mask, err := l.policy.legal(l.envs.Batch.MaskOf(i))
		if err != nil {
			return fmt.Errorf("environment %d: %w", i, err)
		}
		k := l.policy.choose(l.envs.Batch.ObsOf(i), mask, eps, l.act.Rand)
		l.indices[i], l.envs.Actions[i] = float64(k), l.policy.start+float64(k)
	}
	return l.memory.Advance(l.indices)
}

// random is the share of random actions. Where a demonstrator has acted before, it is the share
// that others end with: what random actions would find out, they have been shown.
func (l *Learner) random() float64 {
	if l.memory.Demos.Held() > 0 {
		return l.cfg.EpsEnd
	}
	return l.cfg.epsilon(l.run.Steps)
}

// learn makes one step of the optimiser on a minibatch drawn uniformly from what is kept: the first
// demos transitions from what was demonstrated.
func (l *Learner) learn(row *Row, demos int, rate float64) error {
	l.memory.Minibatch(demos, func(k int, tr *replay.Transition) {
		l.step.fill(k, tr, 0)
		l.step.follow(k, tr)
		l.step.demonstrate(k, tr, l.policy, k < demos)
	})
	l.step.bootstrap(l.policy, l.target, l.cfg.Double)
	loss, err := l.step.machine.Run()
	if err != nil {
		return err
	}
	params := l.params
	norm := nn.ClipNorm(params, l.cfg.MaxGradNorm)
	if !learn.Finite(norm + loss) {
		return learn.Diverged(params, loss, " of the action values")
	}
	l.adam.Step(rate)
	row.ValueLoss += loss
	row.GradNorm += norm
	row.ExplainedVariance = learn.Explained(l.step.target, l.step.machine.Series(watchQ))
	return nil
}
