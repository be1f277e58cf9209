package ppo

import (
	"errors"
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/policy"
	"tarry/env"
	"tarry/env/vec"
	"tarry/sim/rng"
)

// Learner is a training run between two updates. It belongs to one goroutine.
type Learner struct {
	cfg    Config
	run    learn.Run   // counts, and the first fault
	envs   *learn.Envs // stepped side by side
	policy *Policy
	params []*nn.Param // of the policy
	adam   *nn.Adam
	norm   *vec.Normalizer // of rewards; nil without NormReward
	rate   rate            // of reward per time; used with AverageReward
	update *minibatch
	noise  *steady // of items that are put in order; nil = drawn at each step

	draws   *rng.Stream // of actions
	shuffle *rng.Stream // of rows, before each epoch

	r     *rollout
	laps  *laps // nil without Config.Rollouts
	index []int // rows of the rollout in the order of the minibatches
}

// rollout is one collection of steps.
type rollout struct {
	*learn.Rollout
	logProbs []float64 // of each action when it was taken
}

func newRollout(l *policy.Layout, envs, steps int) *rollout {
	width := learn.Width{Obs: l.Obs, Action: l.Action, Mask: l.MaskLen()}
	return &rollout{learn.NewRollout(width, envs, steps), make([]float64, envs*steps)}
}

// New starts a run: environments from make (numbered from 0), first weights from the seed.
// workers is over how many goroutines the environments are stepped; it does not change results.
func New(cfg Config, workers int, make func(i int) (env.Env, error)) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	src := rng.Source{Seed: cfg.Seed, Experiment: agent}
	l := &Learner{cfg: cfg, run: learn.Run{Agent: agent}, draws: src.Stream("act"), shuffle: src.Stream("shuffle")}
	if cfg.Noise == EachEpisode {
		l.noise = newSteady(cfg.Envs)
	}
	first, opened := l.noise.opened(make)
	var err error
	if l.envs, err = l.run.Open(learn.EnvConfig{Make: opened, N: cfg.Envs, Workers: workers, Seed: cfg.Seed,
		Gamma: cfg.Gamma, Alike: cfg.Rollouts}); err != nil {
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
	l.envs.Moments = l.policy.Moments // observations are scaled
	l.params = l.policy.Params()
	l.adam = nn.NewAdam(l.params, cfg.AdamEps) // detail 3: epsilon of Adam, 1e-5 by default
	if l.update, err = newLoss(l.policy, cfg, l.minibatchSize()); err != nil {
		return err
	}
	if cfg.NormReward {
		if l.norm, err = vec.NewNormalizer(l.envs.Vec, vec.NormalizerConfig{Reward: true,
			Gamma: cfg.Gamma}); err != nil {
			return err
		}
	}
	l.r = newRollout(&l.policy.Layout, cfg.Envs, cfg.Steps)
	l.index = make([]int, l.r.Rows())
	if cfg.Rollouts > 1 {
		l.laps = newLaps(cfg.Envs, l.r.Rows())
	}
	return nil
}

// minibatchSize is the number of rows of a minibatch; the last one of an epoch may have fewer.
func (l *Learner) minibatchSize() int {
	return (l.cfg.Envs*l.cfg.Steps + l.cfg.Minibatches - 1) / l.cfg.Minibatches
}

// Close closes the environments and frees the graph.
func (l *Learner) Close() error { return errors.Join(l.update.machine.Close(), l.envs.Close()) }

// Policy is the policy under training: it changes with each update. Fork it for a policy with
// memory of its own; save and load the learner to keep the weights.
func (l *Learner) Policy() *Policy { return l.policy }

// Done reports whether all updates were made.
func (l *Learner) Done() bool { return l.run.Updates >= l.cfg.Updates() }

// Train makes the updates that are left. watch receives the row of each; an error from watch ends
// training, between two updates.
func (l *Learner) Train(watch func(Row) error) error { return learn.Train(l, watch) }
