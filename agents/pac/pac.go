package pac

import (
	"errors"
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/policy"
	"tarry/agents/replay"
	"tarry/env"
	"tarry/sim/rng"
)

// Row states how an update went; its figures are NaN before learning begins.
type Row = learn.Row

// Imitation states how long a supervised start lasts.
type Imitation = learn.Imitation

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner struct {
	cfg    Config
	run    learn.Run   // counts, and the first fault
	envs   *learn.Envs // stepped side by side
	policy *policy.Policy
	params []*nn.Param // of the policy
	adam   *nn.Adam
	store  *replay.Slots
	update *step

	act, draw *rng.Stream // of actions, and of minibatches

	obs, raw, logp []float64 // of one step of all environments
	mask           []bool
	rows           []int // of a minibatch
	weights        []float64
}

// New starts a run: environments from make (numbered from 0), first weights from the seed. workers
// is over how many goroutines the environments are stepped; it does not change results.
func New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	src := rng.Source{Seed: cfg.Seed, Experiment: agent}
	l := &Learner{cfg: cfg, run: learn.Run{Agent: agent}, act: src.Stream("act"), draw: src.Stream("draw")}
	var err error
	if l.envs, err = l.run.Open(learn.EnvConfig{Make: make, N: cfg.Envs, Workers: workers, Seed: cfg.Seed,
		Gamma: cfg.Gamma}); err != nil {
		return nil, fmt.Errorf("pac: %w", err)
	}
	if err := l.build(src); err != nil {
		return nil, errors.Join(fmt.Errorf("pac: %w", err), l.envs.Close())
	}
	return l, nil
}

// build makes everything that follows from the configuration and the environments' spec.
func (l *Learner) build(src rng.Source) (err error) {
	cfg := &l.cfg
	if l.policy, err = policy.New(cfg.actor(), l.envs.Spec(), src.Stream("weights").Rand); err != nil {
		return err
	}
	p := l.policy
	l.envs.Moments = p.Moments
	l.params = p.Params()
	l.adam = nn.NewAdam(l.params, cfg.AdamEps)
	if l.update, err = newStep(p, cfg); err != nil {
		return err
	}
	l.store = l.newStore(min(cfg.Buffer, cfg.TotalSteps))
	l.obs, l.raw = make([]float64, cfg.Envs*p.Obs), make([]float64, cfg.Envs*p.Action)
	l.mask, l.logp = make([]bool, cfg.Envs*p.MaskLen()), make([]float64, cfg.Envs)
	l.rows, l.weights = make([]int, cfg.Batch), make([]float64, cfg.Batch)
	return nil
}

func (l *Learner) newStore(rows int) *replay.Slots {
	c, p := &l.cfg, l.policy
	return replay.NewSlots(replay.SlotConfig{Shape: replay.Shape{Obs: p.Obs, Action: p.Action, Mask: p.MaskLen()},
		Envs: c.Envs, Rows: rows, Alpha: c.Alpha, Beta: c.Beta, BetaStep: c.BetaStep, Eps: c.PriorityEps,
		Clip: c.ErrorClip})
}

// Close closes the environments and frees the graph.
func (l *Learner) Close() error { return errors.Join(l.update.machine.Close(), l.envs.Close()) }

// Policy is the policy under training: it changes with each update. Fork it for a policy with memory
// of its own; save and load the learner to keep the weights.
func (l *Learner) Policy() *policy.Policy { return l.policy }

// Done reports whether all updates were made.
func (l *Learner) Done() bool { return l.run.Updates >= l.cfg.Updates() }

// Train makes the updates that are left. watch receives the row of each; an error from watch ends
// training, between two updates.
func (l *Learner) Train(watch func(learn.Row) error) error { return learn.Train(l, watch) }

// Update steps the environments and learns after each slot: the complete algorithm. After an error
// the learner can still be saved, to look into it, but no longer be trained or resumed.
func (l *Learner) Update() (learn.Row, error) { return l.run.Do(l.once) }

func (l *Learner) once() (learn.Row, error) {
	none := math.NaN()
	row := learn.Row{LearningRate: l.cfg.LearningRate, OldKL: none, KL: none, ClipFraction: none,
		ExplainedVariance: none}
	if l.cfg.Anneal {
		row.LearningRate *= 1 - float64(l.run.Updates)/float64(l.cfg.Updates())
	}
	first, err := l.envs.Begin()
	if err != nil {
		return row, err
	}
	if first {
		l.store.Begin(l.envs.Batch)
	}
	rounds := 0.0
	for range l.cfg.Steps {
		ended, err := l.collect(l.store, l.chosen)
		if err != nil {
			return row, err
		}
		if l.store.Held() < min(l.cfg.LearningStarts, l.cfg.Buffer, l.cfg.TotalSteps) {
			continue
		}
		for range ended {
			if err := l.learn(&row); err != nil {
				return row, err
			}
			rounds++
		}
	}
	learn.Means(&row, rounds)
	return row, nil
}

// collect takes one action in each environment, which act sets as raw ones, and gives how many slots
// ended.
func (l *Learner) collect(store *replay.Slots, act func() error) (ended int, err error) {
	p, b := l.policy, l.envs.Batch
	for i := range l.cfg.Envs {
		copy(l.obs[i*p.Obs:], p.Scaled(b.ObsOf(i)))
		if err := p.CheckMask(b.MaskOf(i)); err != nil {
			return 0, fmt.Errorf("environment %d: %w", i, err)
		}
	}
	copy(l.mask, b.Mask)
	if err := act(); err != nil {
		return 0, err
	}
	for i := range l.cfg.Envs {
		p.ToEnv(l.envs.ActionOf(i), l.raw[i*p.Action:(i+1)*p.Action])
	}
	if err := l.envs.Advance(); err != nil {
		return 0, err
	}
	return store.Add(l.raw, l.envs.Batch, l.envs.Discount), nil
}

// chosen draws the actions from the policy.
func (l *Learner) chosen() error {
	l.policy.ChooseRows(l.raw, l.obs, l.mask, l.act.Rand, l.logp)
	return nil
}

// learn makes one step of the optimiser with a minibatch drawn by priority, and states to the store by how
// much each return was missed.
func (l *Learner) learn(row *learn.Row) error {
	s := l.update
	l.store.Minibatch(l.rows, l.weights, l.draw.Rand)
	mean, _ := l.store.Mean()
	for k, at := range l.rows {
		tr := l.store.At(at)
		target := l.target(&tr)
		s.fill(k, l.policy, &tr, target, 1/float64(len(l.rows)))
		s.adv[k] = 0 // known once the values are
		s.base[k] = mean
	}
	l.values()
	for k := range l.rows {
		s.adv[k] = l.weights[k] * (s.ret[k] - s.base[k]) / float64(len(l.rows))
	}
	if err := l.descend(row, l.adam, row.LearningRate); err != nil {
		return err
	}
	for k, at := range l.rows {
		l.store.Missed(at, s.ret[k]-s.base[k])
	}
	row.ExplainedVariance = learn.Explained(s.ret, s.value)
	return nil
}

// target is the return of a decision.
func (l *Learner) target(tr *replay.Transition) float64 {
	if l.cfg.Returns == BySlot || tr.Discount == 0 {
		return tr.Reward
	}
	return tr.Reward + float64(tr.Discount*l.policy.Value(tr.Next, tr.NextMask))
}

// values sets the critic's values of the minibatch, from which advantages are measured unless that is
// the mean.
func (l *Learner) values() {
	s := l.update
	for k, at := range l.rows {
		tr := l.store.At(at)
		s.value[k] = l.policy.Value(tr.Obs, tr.Mask)
		if l.cfg.Baseline == ByCritic {
			s.base[k] = s.value[k]
		}
	}
}

// descend makes a step of an optimiser with the graph's inputs as they are.
func (l *Learner) descend(row *learn.Row, adam *nn.Adam, rate float64) error {
	m := l.update.machine
	loss, err := m.Run()
	if err != nil {
		return err
	}
	norm := nn.ClipNorm(l.params, l.cfg.MaxGradNorm)
	policy, value, entropy := m.Watched(watchPolicy), m.Watched(watchValue), m.Watched(watchEntropy)
	if !learn.Finite(norm + loss) {
		return learn.Diverged(l.params, loss, " (policy %g, value %g, entropy %g)", policy, value, entropy)
	}
	adam.Step(rate)
	row.PolicyLoss += policy
	row.ValueLoss += value
	row.Entropy += entropy
	row.GradNorm += norm
	return nil
}

// step is the graph of the loss for one minibatch, and the inputs to fill.
type step struct {
	machine *nn.Machine
	actor   *policy.Likelihood
	observe func(row int, obs []float64, mask []bool)
	// Per row: advantage / rows, return, and 1 / rows; the last is 0 for padding.
	adv, ret, share []float64
	base, value     []float64 // what returns are compared with, and the critic's values
}

// What can be read from a step's machine, in this order.
const (
	watchPolicy = iota
	watchValue
	watchEntropy
)

// newStep builds the graph: -sum(log pi(a) A) with the weighted advantages held constant, the mean
// squared error of the critic, and the entropy bonus.
func newStep(p *policy.Policy, cfg *Config) (*step, error) {
	t := nn.NewTape(cfg.Batch)
	s := &step{actor: p.Likelihood(t), base: make([]float64, cfg.Batch), value: make([]float64, cfg.Batch)}
	var adv, ret, share, out nn.Node
	adv, s.adv = t.Vector("advantage")
	ret, s.ret = t.Vector("return")
	share, s.share = t.Vector("share")
	out, s.observe = p.Critic.Graph(t)
	policy := t.Neg(t.Sum(t.Mul(s.actor.LogProb, adv)))
	value := t.Sum(t.Mul(share, t.Square(t.Sub(t.Reshape(out, cfg.Batch, 0), ret))))
	bonus := t.Sum(t.Mul(share, s.actor.Entropy))
	t.Watch(policy)
	t.Watch(value)
	t.Watch(bonus)
	loss := t.Add(policy, t.Scale(value, cfg.ValueCoef))
	if cfg.EntropyCoef > 0 {
		loss = t.Add(loss, t.Scale(bonus, -cfg.EntropyCoef))
	}
	m, err := t.Compile(loss)
	s.machine = m
	return s, err
}

// fill sets a row of the graph's inputs: a decision with its return, and its share in the means.
func (s *step) fill(k int, p *policy.Policy, tr *replay.Transition, target, share float64) {
	x := p.Scaled(tr.Obs)
	s.actor.Fill(k, x, tr.Mask, tr.Action)
	s.observe(k, x, tr.Mask)
	s.ret[k], s.share[k] = target, share
}
