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
	run    learn.Run // counts, and the first fault
	envs   []env.Env // one per sequence: it plays all rollouts of it, one after the other
	spec   *env.Spec
	policy *policy.Policy
	forks  []*policy.Policy // one per worker
	opt    nn.Optimizer
	update *step

	params    []*nn.Param
	tracks    []*track  // of the last update
	shown     int       // steps of a demonstrator
	want, got []float64 // returns, and what they are compared with
}

// New starts a run: environments from make (numbered from 0), first weights from the seed.
// workers is over how many goroutines sequences are played; it does not change results.
func New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	l := &Learner{cfg: cfg, run: learn.Run{Agent: agent}}
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
	weights := rng.Source{Seed: l.cfg.Seed, Experiment: agent}.Stream("weights")
	if l.policy, err = policy.New(l.cfg.actor(), l.spec, weights.Rand); err != nil {
		return err
	}
	for range workers {
		l.forks = append(l.forks, l.policy.Fork())
	}
	l.params = l.policy.Params()
	l.opt = optimizer(&l.cfg, l.params)
	for range l.cfg.Sequences * l.cfg.Rollouts {
		l.tracks = append(l.tracks, &track{})
	}
	l.update, err = newStep(l.policy)
	return err
}

// decay is RMSProp's.
const decay = 0.9

func optimizer(c *Config, params []*nn.Param) nn.Optimizer {
	if c.optimizer() == "adam" {
		return nn.NewAdam(params, c.AdamEps)
	}
	r := nn.NewRMSProp(params, c.AdamEps, false)
	r.Decay = decay
	return r
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

// Policy is the policy under training: it changes with each update. Fork it for a policy with
// memory of its own; save and load the learner to keep the weights. It has no critic.
func (l *Learner) Policy() *policy.Policy { return l.policy }

// Done reports whether the budget of steps is used up.
func (l *Learner) Done() bool { return l.run.Steps >= l.cfg.TotalSteps }

// Train makes the updates that are left. watch receives the row of each; an error from watch ends
// training, between two updates.
func (l *Learner) Train(watch func(learn.Row) error) error { return learn.Train(l, watch) }

// Update plays the rollouts of one update and learns from them: the complete algorithm. After an
// error the learner can still be saved, to look into it, but no longer be trained or resumed.
func (l *Learner) Update() (learn.Row, error) { return l.run.Do(l.once) }

func (l *Learner) once() (learn.Row, error) {
	cfg, done := &l.cfg, float64(l.run.Steps)/float64(l.cfg.TotalSteps)
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
		l.run.Steps += k.rows()
		l.run.Tally.Add(k.sum(), float64(k.rows()))
	}
	return row, nil
}

// collect plays every sequence Rollouts times, the sequences over several goroutines. The seed of
// an episode names the sequence, the draws of a rollout are a stream of their own: neither depends
// on who plays it, or when.
func (l *Learner) collect() ([]*track, error) {
	n := l.cfg.Rollouts
	tracks := l.tracks
	errs := make([]error, l.cfg.Sequences)
	var wait sync.WaitGroup
	for w, p := range l.forks {
		wait.Go(func() {
			for s := w; s < l.cfg.Sequences; s += len(l.forks) {
				for r := range n {
					k := tracks[s*n+r]
					k.reset()
					seed := env.HashSeed(l.cfg.Seed, "sequence", uint64(l.run.Updates), uint64(s))
					draws := rng.Source{Seed: env.HashSeed(l.cfg.Seed, "rollout", uint64(l.run.Updates), uint64(s),
						uint64(r)), Experiment: agent}.Stream("act")
					if err := k.play(l.envs[s], p, seed, draws.Rand, l.cfg.Horizon, nil); err != nil {
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
	want, got := l.want[:0], l.got[:0]
	for _, k := range tracks {
		want, got = append(want, k.togo...), append(got, k.base...)
	}
	l.want, l.got = want, got
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
	return l.descend(row, tracks, scale, coef, l.opt)
}

// descend makes one step of an optimiser with all decisions; scale multiplies the advantages.
func (l *Learner) descend(row *learn.Row, tracks []*track, scale, coef float64, opt nn.Optimizer) error {
	loss, policy, entropy, err := l.update.gradient(tracks, scale, coef)
	if err != nil {
		return err
	}
	params := l.params
	norm := nn.ClipNorm(params, l.cfg.MaxGradNorm)
	if !learn.Finite(norm + loss) {
		return learn.Diverged(params, loss, " (policy %g, entropy %g)", policy, entropy)
	}
	opt.Step(row.LearningRate)
	row.PolicyLoss, row.Entropy, row.GradNorm = policy, entropy, norm
	return nil
}

// chunk is how many decisions the graph takes at once. An update has as many as its episodes are
// long, so their gradients are added up.
const chunk = 256

// step is the graph of the loss, and the inputs to fill.
type step struct {
	machine *nn.Machine
	actor   *policy.Likelihood
	p       *policy.Policy
	// Per row: advantage / decisions, 1 / decisions, entropy coefficient / decisions; 0 for
	// padding.
	adv, one, bonus []float64
	params          []*nn.Param
	sum             [][]float64 // gradients so far
	rows            []row       // of an update
}

// What can be read from a step's machine, in this order.
const (
	watchPolicy = iota
	watchEntropy
)

// newStep builds the graph: -mean(log pi(a|s) A) - c mean(entropy), whose gradient is in equation 4
// of Mao et al. with the advantage held constant.
func newStep(p *policy.Policy) (*step, error) {
	t := nn.NewTape(chunk)
	s := &step{actor: p.Likelihood(t), p: p}
	var adv, one, bonus nn.Node
	adv, s.adv = t.Vector("advantage")
	one, s.one = t.Vector("weight")
	bonus, s.bonus = t.Vector("bonus")
	policy := t.Neg(t.Sum(t.Mul(s.actor.LogProb, adv)))
	t.Watch(policy)
	t.Watch(t.Sum(t.Mul(s.actor.Entropy, one)))
	m, err := t.Compile(t.Sub(policy, t.Sum(t.Mul(s.actor.Entropy, bonus))))
	s.machine = m
	s.params = p.Params()
	for _, w := range s.params {
		s.sum = append(s.sum, make([]float64, len(w.W)))
	}
	return s, err
}

// row is a decision of a track.
type row struct {
	k *track
	i int
}

// gradient computes the loss of all decisions and leaves its gradient in the weights' Grad. scale
// multiplies the advantages.
func (s *step) gradient(tracks []*track, scale, coef float64) (loss, policy, entropy float64, err error) {
	rows := s.rows[:0]
	for _, k := range tracks {
		for i := range k.rows() {
			rows = append(rows, row{k, i})
		}
	}
	s.rows = rows
	for _, g := range s.sum {
		clear(g)
	}
	params := s.params
	for at := 0; at < len(rows); at += chunk {
		s.fill(rows[at:min(at+chunk, len(rows))], 1/float64(len(rows)), scale, coef)
		part, err := s.machine.Run()
		if err != nil {
			return 0, 0, 0, err
		}
		loss += part
		policy += s.machine.Watched(watchPolicy)
		entropy += s.machine.Watched(watchEntropy)
		for j, w := range params {
			for i, g := range w.Grad {
				s.sum[j][i] += g
			}
		}
	}
	for j, w := range params {
		copy(w.Grad, s.sum[j])
	}
	return loss, policy, entropy, nil
}

// fill copies decisions into the graph's inputs. Rows that are left over repeat the first one with
// weight 0.
func (s *step) fill(rows []row, weight, scale, coef float64) {
	p := s.p
	for j := range chunk {
		r, w := rows[0], 0.0
		if j < len(rows) {
			r, w = rows[j], weight
		}
		var mask []bool
		if n := p.MaskLen(); n > 0 {
			mask = r.k.mask[r.i*n : (r.i+1)*n]
		}
		s.actor.Fill(j, p.Scaled(r.k.obs[r.i*p.Obs:(r.i+1)*p.Obs]), mask, r.k.raw[r.i*p.Action:(r.i+1)*p.Action])
		s.adv[j] = 0
		if w > 0 {
			s.adv[j] = w * scale * (r.k.togo[r.i] - r.k.base[r.i])
		}
		s.one[j], s.bonus[j] = w, w*coef
	}
}
