package ppo

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
	run    learn.Run   // counts, and the first fault
	envs   *learn.Envs // stepped side by side: detail 1 of the core list
	policy *Policy
	params []*nn.Param // of the policy
	adam   *nn.Adam
	norm   *vec.Normalizer // of rewards; nil without NormReward
	rate   rate            // of reward per time; used with AverageReward
	update *step
	noise  *steady // of items that are put in order; nil = it is drawn at each step

	act     *rng.Stream // draws actions
	shuffle *rng.Stream // orders minibatches

	r     *rollout
	index []int // the rollout's rows in the order in which they are learned from
}

// rollout is what one collection gave.
type rollout struct {
	*learn.Rollout
	logp []float64 // of each action when it was taken
}

func newRollout(l *policy.Layout, envs, steps int) *rollout {
	return &rollout{learn.NewRollout(learn.Width{Obs: l.Obs, Action: l.Action, Mask: l.MaskLen()}, envs, steps), make([]float64, envs*steps)}
}

// New starts a run: environments from make (numbered from 0), first weights from the seed.
// workers is over how many goroutines the environments are stepped; it does not change results.
func New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	src := rng.Source{Seed: cfg.Seed, Experiment: agent}
	l := &Learner{cfg: cfg, run: learn.Run{Agent: agent}, act: src.Stream("act"), shuffle: src.Stream("shuffle")}
	if cfg.Noise == EachEpisode {
		l.noise = newSteady(cfg.Envs)
	}
	first, opened := l.noise.opened(make)
	var err error
	if l.envs, err = l.run.Open(learn.EnvConfig{Make: opened, N: cfg.Envs, Workers: workers, Seed: cfg.Seed, Gamma: cfg.Gamma}); err != nil {
		return nil, fmt.Errorf("ppo: %w", err)
	}
	if err := l.build(src, *first); err != nil {
		return nil, errors.Join(fmt.Errorf("ppo: %w", err), l.envs.Close())
	}
	return l, nil
}

// build makes everything that follows from the configuration and the environments' spec.
func (l *Learner) build(src rng.Source, first env.Env) (err error) {
	cfg := &l.cfg
	if l.policy, err = newPolicy(cfg, l.envs.Spec(), src.Stream("weights").Rand); err != nil {
		return err
	}
	if err := l.policy.Bind(first); err != nil {
		return err
	}
	if l.noise != nil && !l.policy.Ranked() {
		return fmt.Errorf("noise is %q with encoder %q, expected encoder %q", cfg.Noise, cfg.Encoder, policy.ByRank)
	}
	l.envs.Moments = l.policy.Moments // detail 6 of the continuous list: observations are scaled
	l.params = l.policy.Params()
	l.adam = nn.NewAdam(l.params, cfg.AdamEps) // detail 3: Adam with eps 1e-5
	if l.update, err = newStep(l.policy, cfg, l.part(), false); err != nil {
		return err
	}
	if cfg.NormReward {
		if l.norm, err = vec.NewNormalizer(l.envs.Vec, vec.NormalizerConfig{Reward: true, Gamma: cfg.Gamma}); err != nil {
			return err
		}
	}
	l.r = newRollout(&l.policy.Layout, cfg.Envs, cfg.Steps)
	l.index = make([]int, l.r.Rows())
	return nil
}

// part is the size of a minibatch; the last one of an epoch may have fewer rows.
func (l *Learner) part() int {
	return (l.cfg.Envs*l.cfg.Steps + l.cfg.Minibatches - 1) / l.cfg.Minibatches
}

// Close closes the environments and frees the graph.
func (l *Learner) Close() error { return errors.Join(l.update.machine.Close(), l.envs.Close()) }

// Policy is the policy under training: it changes with each update. Fork it for a policy with memory of
// its own; save and load the learner to keep the weights.
func (l *Learner) Policy() *Policy { return l.policy }

// Done reports whether all updates were made.
func (l *Learner) Done() bool { return l.run.Updates >= l.cfg.Updates() }

// Train makes the updates that are left. watch receives the row of each; an error from watch ends training,
// between two updates.
func (l *Learner) Train(watch func(Row) error) error { return learn.Train(l, watch) }

// Update collects one rollout and learns from it: the complete algorithm. After an error the learner can still be
// saved, to look into it, but no longer be trained or resumed.
func (l *Learner) Update() (Row, error) { return l.run.Do(l.once) }

func (l *Learner) once() (Row, error) {
	left := 1 - float64(l.run.Updates)/float64(l.cfg.Updates()) // of the run, from 1 down
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
	l.advantages()
	row, err := l.learn(l.update, l.adam, l.cfg.Epochs, lr, clip)
	if l.cfg.AverageReward {
		row.RewardRate = l.rate.perTime()
	}
	return row, err
}

// sample draws the actions of step t.
func (l *Learner) sample(t int) error {
	first := t * l.cfg.Envs
	if l.noise != nil {
		for i := range l.cfg.Envs {
			row := first + i
			l.r.logp[row] = l.policy.Rank(l.r.RawOf(row), l.r.ObsOf(row), l.noise.of(i))
		}
		return nil
	}
	obs, raw, mask := l.r.Step(t)
	l.policy.ChooseRows(raw, obs, mask, l.act.Rand, l.r.logp[first:first+l.cfg.Envs])
	return nil
}

// collect fills the rollout; choose sets the raw actions of step t, and their log-probabilities.
func (l *Learner) collect(choose func(t int) error) error {
	begun, err := l.envs.Begin()
	if err != nil {
		return err
	}
	l.renew(begun)
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
		if err := choose(t); err != nil {
			return err
		}
		for i := range l.cfg.Envs {
			p.ToEnv(e.ActionOf(i), r.RawOf(t*l.cfg.Envs+i))
		}
		if err := e.Advance(); err != nil {
			return err
		}
		l.renew(false)
		if l.norm != nil && !l.cfg.AverageReward { // details 8 and 9 of the continuous list: scaled, then clipped
			l.norm.Step(e.Batch)
		}
		r.Keep(t, e, p)
	}
	r.Judge(p.ValuesOf)
	r.Link(e, p)
	return nil
}

// renew draws the lasting noise of episodes that have begun: all, or those after an end.
func (l *Learner) renew(all bool) {
	for i := 0; l.noise != nil && i < l.cfg.Envs; i++ {
		if all || l.envs.Batch.Done(i) {
			l.noise.renew(i, l.act)
		}
	}
}

// advantages judges each action by generalised advantage estimation (detail 5 of the core list; Schulman et al.,
// arXiv:1506.02438), from the last row to the first:
//
//	delta(t) = reward(t) + discount(t) next(t) - value(t)
//	advantage(t) = delta(t) + discount(t) lambda advantage(t+1)
//	return(t) = advantage(t) + value(t)
//
// where next is the critic's value of what the step led to, 0 after an end; nothing flows back over the end of an
// episode. An episode that was cut bootstraps from the value of its true last observation.
func (l *Learner) advantages() {
	if l.cfg.AverageReward {
		l.differ()
	}
	if l.cfg.Baseline == ByNothing {
		clear(l.r.Value)
		clear(l.r.Next)
	}
	l.r.Finish(l.cfg.Lambda)
	if l.cfg.AverageReward {
		centre(l.r.Return)
	}
	if l.run.Updates < l.cfg.ValuesFirst {
		clear(l.r.Advantage)
	}
}

// learn goes over the rollout several times in minibatches (detail 6 of the core list).
func (l *Learner) learn(s *step, adam *nn.Adam, epochs int, lr, clip float64) (Row, error) {
	row := Row{LearningRate: lr, ExplainedVariance: learn.Explained(l.r.Return, l.r.Value)}
	params := l.params
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
			if !learn.Finite(norm + loss) {
				return row, learn.Diverged(params, loss, " (policy %g, value %g, entropy %g)",
					s.machine.Watched(watchPolicy), s.machine.Watched(watchValue), s.machine.Watched(watchEntropy))
			}
			adam.Step(lr)
			s.report(&row, len(part), len(l.index), clip, norm)
			count++
		}
		if l.cfg.TargetKL > 0 && row.KL > l.cfg.TargetKL {
			break
		}
	}
	for _, mean := range []*float64{&row.PolicyLoss, &row.ValueLoss, &row.Entropy, &row.ClipFraction, &row.GradNorm} {
		*mean /= count
	}
	return row, nil
}

// step is one minibatch's graph: the losses of PPO or of imitation for a fixed number of
// rows, and the inputs to fill.
type step struct {
	rows    int
	machine *nn.Machine

	actor         *policy.Likelihood
	criticFeed    func(row int, obs []float64, mask []bool)
	weight        []float64 // 1/rows in use, 0 for padding
	oldLogp, adv  []float64
	ret, oldValue []float64
	low, high     []float64 // bounds of the ratio
	lowV, highV   []float64 // bounds of the value's change
}

// What can be read from a step's machine, in this order.
const (
	watchPolicy = iota
	watchValue
	watchEntropy
	watchLogRatio
)

// newStep builds the graph. With imitate the policy's loss is minus the log-likelihood of
// the actions and values are not clipped.
func newStep(p *Policy, cfg *Config, rows int, imitate bool) (*step, error) {
	t := nn.NewTape(rows)
	s := &step{rows: rows}
	var weight, adv, old nn.Node
	weight, s.weight = t.Vector("weight")
	s.actor = p.Likelihood(t)
	old, s.oldLogp = t.Vector("old_logp")
	logRatio := t.Sub(s.actor.LogProb, old)

	var policy nn.Node
	if imitate {
		policy = t.Neg(t.Sum(t.Mul(weight, s.actor.LogProb)))
	} else {
		adv, s.adv = t.Vector("advantage")
		policy = t.Neg(t.Sum(t.Mul(weight, s.surrogate(t, logRatio, adv))))
	}
	value := t.Sum(t.Mul(weight, s.valueLoss(t, p, cfg.ClipValue && !imitate)))
	bonus := t.Sum(t.Mul(weight, s.actor.Entropy))
	t.Watch(policy)
	t.Watch(value)
	t.Watch(bonus)
	t.Watch(logRatio)
	coef := cfg.ValueCoef
	if cfg.Baseline == ByNothing {
		coef = 0 // nobody asks the critic
	}
	loss := t.Add(policy, t.Scale(value, coef))
	if cfg.EntropyCoef > 0 {
		loss = t.Add(loss, t.Scale(bonus, -cfg.EntropyCoef)) // detail 10 of the core list
	}
	m, err := t.Compile(loss)
	s.machine = m
	return s, err
}

// surrogate is the clipped objective, equation 7 of Schulman et al. (arXiv:1707.06347),
// detail 8 of the core list.
func (s *step) surrogate(t *nn.Tape, logRatio, adv nn.Node) nn.Node {
	var low, high nn.Node
	low, s.low = t.Vector("ratio_low")
	high, s.high = t.Vector("ratio_high")
	ratio := t.Exp(logRatio)
	return t.Min(t.Mul(ratio, adv), t.Mul(t.Clamp(ratio, low, high), adv))
}

// valueLoss is half the squared error, the larger of that of the value and of the value
// kept near the old one (detail 9 of the core list).
func (s *step) valueLoss(t *nn.Tape, p *Policy, clip bool) nn.Node {
	var ret, old, low, high, out nn.Node
	out, s.criticFeed = p.Critic.Graph(t)
	v := t.Reshape(out, s.rows, 0)
	ret, s.ret = t.Vector("return")
	loss := t.Square(t.Sub(v, ret))
	if clip {
		old, s.oldValue = t.Vector("old_value")
		low, s.lowV = t.Vector("value_low")
		high, s.highV = t.Vector("value_high")
		near := t.Add(old, t.Clamp(t.Sub(v, old), low, high))
		loss = t.Max(loss, t.Square(t.Sub(near, ret)))
	}
	return t.Scale(loss, 0.5)
}

// fill copies rows of a rollout into the graph's inputs. Rows that are left over repeat
// the first one with weight 0.
func (s *step) fill(r *rollout, index []int, clip float64, normAdv bool) {
	mean, std := 0.0, 1.0
	if s.adv != nil && normAdv && len(index) > 1 { // detail 7 of the core list: per minibatch
		for k, row := range index {
			s.adv[k] = r.Advantage[row]
		}
		mean, std = learn.MeanStd(s.adv[:len(index)])
		std += 1e-8
	}
	for k := range s.rows {
		row, w := index[0], 0.0
		if k < len(index) {
			row, w = index[k], 1/float64(len(index))
		}
		s.weight[k] = w
		s.actor.Fill(k, r.ObsOf(row), r.MaskOf(row), r.RawOf(row))
		s.criticFeed(k, r.ObsOf(row), r.MaskOf(row))
		s.oldLogp[k], s.ret[k] = r.logp[row], r.Return[row]
		if s.adv != nil {
			s.adv[k] = (r.Advantage[row] - mean) / std
			s.low[k], s.high[k] = 1-clip, 1+clip
		}
		if s.oldValue != nil {
			s.oldValue[k], s.lowV[k], s.highV[k] = r.Value[row], -clip, clip
		}
	}
}

// report adds a minibatch to the row (detail 12 of the core list: debug variables).
func (s *step) report(row *Row, used, total int, clip, norm float64) {
	row.PolicyLoss += s.machine.Watched(watchPolicy)
	row.ValueLoss += s.machine.Watched(watchValue)
	row.Entropy += s.machine.Watched(watchEntropy)
	row.GradNorm += norm
	outside := 0.0
	for _, lr := range s.machine.Series(watchLogRatio)[:used] {
		ratio := fixmath.Exp(lr)
		row.OldKL -= lr / float64(total)
		row.KL += (ratio - 1 - lr) / float64(total)
		if math.Abs(ratio-1) > clip {
			outside++
		}
	}
	row.ClipFraction += outside / float64(used)
}
