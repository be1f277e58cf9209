package a2c

import (
	"errors"
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/policy"
	"tarry/agents/ppo"
	"tarry/env"
	"tarry/env/vec"
	"tarry/sim/rng"
)

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner struct {
	cfg    Config
	run    learn.Run   // counts, and the first fault
	envs   *learn.Envs // stepped side by side
	policy *policy.Policy
	params []*nn.Param // of the policy
	opt    nn.Optimizer
	norm   *vec.Normalizer // of rewards; nil without NormReward
	update *step
	act    *rng.Stream // draws actions
	r      *learn.Rollout
	logp   []float64 // of the actions of one step; not used
}

// New starts a run: environments from make (numbered from 0), first weights from the seed.
// workers is over how many goroutines the environments are stepped; it does not change results.
func New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	src := rng.Source{Seed: cfg.Seed, Experiment: agent}
	l := &Learner{cfg: cfg, run: learn.Run{Agent: agent}, act: src.Stream("act")}
	var err error
	if l.envs, err = l.run.Open(learn.EnvConfig{Make: make, N: cfg.Envs, Workers: workers, Seed: cfg.Seed,
		Gamma: cfg.Gamma}); err != nil {
		return nil, fmt.Errorf("a2c: %w", err)
	}
	if err := l.build(src); err != nil {
		return nil, errors.Join(fmt.Errorf("a2c: %w", err), l.envs.Close())
	}
	return l, nil
}

// build makes everything that follows from the configuration and the environments' spec.
func (l *Learner) build(src rng.Source) (err error) {
	cfg := &l.cfg
	if l.policy, err = policy.New(cfg.actor(), l.envs.Spec(), src.Stream("weights").Rand); err != nil {
		return err
	}
	l.envs.Moments = l.policy.Moments
	l.params = l.policy.Params()
	params := l.params
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
		if l.norm, err = vec.NewNormalizer(l.envs.Vec, vec.NormalizerConfig{Reward: true,
			Gamma: cfg.Gamma}); err != nil {
			return err
		}
	}
	l.r, l.logp = newRollout(&l.policy.Layout, cfg), make([]float64, cfg.Envs)
	return nil
}

func newRollout(l *policy.Layout, cfg *Config) *learn.Rollout {
	return learn.NewRollout(learn.Width{Obs: l.Obs, Action: l.Action, Mask: l.MaskLen()}, cfg.Envs, cfg.Steps)
}

// Close closes the environments and frees the graph.
func (l *Learner) Close() error { return errors.Join(l.update.machine.Close(), l.envs.Close()) }

// Policy is the policy under training: it changes with each update. Fork it for a policy with
// memory of its own; save and load the learner to keep the weights.
func (l *Learner) Policy() *policy.Policy { return l.policy }

// Done reports whether all updates were made.
func (l *Learner) Done() bool { return l.run.Updates >= l.cfg.Updates() }

// Train makes the updates that are left. watch receives the row of each; an error from watch ends
// training, between two updates.
func (l *Learner) Train(watch func(learn.Row) error) error { return learn.Train(l, watch) }

// Update collects the rollouts of one update and learns from each: the complete algorithm. After an
// error the learner can still be saved, to look into it, but no longer be trained or resumed.
func (l *Learner) Update() (learn.Row, error) { return l.run.Do(l.once) }

func (l *Learner) once() (learn.Row, error) {
	n := l.cfg.Rollouts
	// one step from each rollout: nothing moves in between
	row := learn.Row{OldKL: math.NaN(), KL: math.NaN(), ClipFraction: math.NaN()}
	for k := range n {
		row.LearningRate = l.cfg.LearningRate
		if l.cfg.Anneal {
			row.LearningRate *= 1 - float64(l.run.Updates*n+k)/float64(l.cfg.Updates()*n)
		}
		if err := l.collect(l.chosen); err != nil {
			return row, err
		}
		ppo.GAE(l.r, l.cfg.Lambda)
		if err := l.learn(&row); err != nil {
			return row, err
		}
	}
	learn.Means(&row, float64(n))
	row.ExplainedVariance = learn.Explained(l.r.Returns, l.r.Values) // of the last rollout
	return row, nil
}

// collect fills the rollout; act sets the raw actions of step t.
func (l *Learner) collect(act func(t int) error) error {
	if _, err := l.envs.Begin(); err != nil {
		return err
	}
	r, p, e := l.r, l.policy, l.envs
	for t := range l.cfg.Steps {
		for i := range l.cfg.Envs {
			row := t*l.cfg.Envs + i
			copy(r.ObsOf(row), p.Scaled(e.Batch.ObsOf(i)))
			copy(r.MaskOf(row), e.Batch.MaskOf(i))
			if err := p.CheckMask(r.MaskOf(row)); err != nil {
				return fmt.Errorf("environment %d: %w", i, err)
			}
		}
		if err := act(t); err != nil {
			return err
		}
		for i := range l.cfg.Envs {
			p.ToEnv(e.ActionOf(i), r.RawOf(t*l.cfg.Envs+i))
		}
		if err := e.Advance(); err != nil {
			return err
		}
		if l.norm != nil {
			l.norm.Step(e.Batch)
		}
		r.Keep(t, e, p)
	}
	r.Judge(e, p)
	return nil
}

// chosen draws the actions of step t from the policy.
func (l *Learner) chosen(t int) error {
	obs, raw, mask := l.r.Step(t)
	l.policy.ChooseRows(raw, obs, mask, l.act.Rand, l.logp)
	return nil
}

// learn makes one step of the optimiser with the complete rollout.
func (l *Learner) learn(row *learn.Row) error {
	l.update.fill(l.r, l.cfg.NormAdvantage)
	return l.descend(row, l.opt, row.LearningRate)
}

// descend makes a step of an optimiser with the graph's inputs as they are.
func (l *Learner) descend(row *learn.Row, opt nn.Optimizer, rate float64) error {
	s, params := l.update, l.params
	loss, err := s.machine.Run()
	if err != nil {
		return err
	}
	norm := nn.ClipNorm(params, l.cfg.MaxGradNorm)
	policy, value, entropy := s.machine.Watched(watchPolicy), s.machine.Watched(watchValue),
		s.machine.Watched(watchEntropy)
	if !learn.Finite(norm + loss) {
		return learn.Diverged(params, loss, " (policy %g, value %g, entropy %g)", policy, value, entropy)
	}
	opt.Step(rate)
	row.PolicyLoss += policy
	row.ValueLoss += value
	row.Entropy += entropy
	row.GradNorm += norm
	return nil
}

// step is the graph of the loss for one rollout, and the inputs to fill.
type step struct {
	machine    *nn.Machine
	actor      *policy.Likelihood
	criticFeed func(row int, obs []float64, mask []bool)
	adv, ret   []float64
}

// What can be read from a step's machine, in this order.
const (
	watchPolicy = iota
	watchValue
	watchEntropy
)

// newStep builds the graph: the policy's loss -mean(log pi(a) A), whose gradient is in equation 1
// of Mnih et al. with the advantage held constant, the mean squared error of the critic, and the
// entropy bonus (their section 4).
func newStep(p *policy.Policy, cfg *Config) (*step, error) {
	rows := cfg.Envs * cfg.Steps
	t := nn.NewTape(rows)
	s := &step{actor: p.Likelihood(t)}
	var adv, ret, out nn.Node
	adv, s.adv = t.Vector("advantage")
	ret, s.ret = t.Vector("return")
	out, s.criticFeed = p.Critic.Graph(t)
	mean := func(x nn.Node) nn.Node { return t.Scale(t.Sum(x), 1/float64(rows)) }
	policy := t.Neg(mean(t.Mul(s.actor.LogProb, adv)))
	value := mean(t.Square(t.Sub(t.Reshape(out, rows, 0), ret)))
	bonus := mean(s.actor.Entropy)
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

// fill copies the rollout into the graph's inputs.
func (s *step) fill(r *learn.Rollout, normAdv bool) {
	mean, std := 0.0, 1.0
	if normAdv {
		mean, std = learn.MeanStd(r.Advantages)
		std += 1e-8
	}
	for row := range r.Rows() {
		s.actor.Fill(row, r.ObsOf(row), r.MaskOf(row), r.RawOf(row))
		s.criticFeed(row, r.ObsOf(row), r.MaskOf(row))
		s.adv[row], s.ret[row] = (r.Advantages[row]-mean)/std, r.Returns[row]
	}
}
