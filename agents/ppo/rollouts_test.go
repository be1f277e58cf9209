package ppo

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/learn"
	"tarry/env"
)

// gradients returns the gradients of the policy in many updates with the weights as they are.
func gradients(t *testing.T, rollouts, updates int) [][]float64 {
	t.Helper()
	cfg := Default()
	cfg.Envs, cfg.Steps, cfg.Minibatches, cfg.Rollouts, cfg.Hidden = 16, 20, 1, rollouts, []int{4}
	cfg.Gamma, cfg.Lambda, cfg.EntropyCoef, cfg.NormAdvantage, cfg.Baseline = 1, 1, 0, false, ByNothing
	l, err := New(cfg, 2, agenttest.NewQueue)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for i := range l.index {
		l.index[i] = i
	}
	var out [][]float64
	for range updates {
		if err := l.collect(l.act); err != nil {
			t.Fatal(err)
		}
		l.estimate()
		l.update.load(l.r, l.index, 10)
		if _, err := l.update.machine.Run(); err != nil {
			t.Fatal(err)
		}
		var g []float64
		for _, w := range l.policy.Actor.Params() {
			g = append(g, w.Grad...)
		}
		out = append(out, g)
	}
	return out
}

// What rollouts of the same arrivals have in common is no merit of an action: taken away it leaves the
// mean of the gradient as it is, and little of its variance.
func TestRolloutsLowerVariance(t *testing.T) {
	const updates = 300
	plain, before := agenttest.Spread(gradients(t, 0, updates))
	compared, now := agenttest.Spread(gradients(t, 8, updates))
	if !(before > 50*now) {
		t.Errorf("variance of the gradient: %.3g alone, %.3g compared, expected less than a fiftieth", before, now)
	}
	distance, size := 0.0, 0.0
	for i, v := range compared {
		distance += (v - plain[i]) * (v - plain[i])
		size += v * v
	}
	if limit := 3 * math.Sqrt((before+now)/updates); !(math.Sqrt(distance) < limit) {
		t.Errorf("the means of the gradients are %g apart, expected less than %g", math.Sqrt(distance), limit)
	}
	if !(math.Sqrt(size) > 10*math.Sqrt(now/updates)) {
		t.Errorf("the mean gradient %g is noise of deviation %g", math.Sqrt(size), math.Sqrt(now/updates))
	}
}

// lapped is a rollout of three environments, the first two of a group of three steps each: times
// 0, 2, 5 and 0, 4; the second one's next episode has begun.
func lapped() *learn.Rollout {
	r := learn.NewRollout(learn.Width{}, 2, 4)
	set := func(env int, elapsed, advantages []float64, ends ...int) {
		for t := range elapsed {
			r.Elapsed[2*t+env], r.Advantages[2*t+env] = elapsed[t], advantages[t]
		}
		for _, t := range ends {
			r.Truncated[2*t+env] = true
		}
	}
	set(0, []float64{2, 3, 1, 9}, []float64{1, 2, 3, 4}, 2)
	set(1, []float64{4, 4, 5, 1}, []float64{10, 20, 30, 40}, 1)
	return r
}

// Advantages of the others are on the straight lines between their decisions and fall to 0 up to the
// end of the episode; without a critic episodes that the rollout cuts are left out.
func TestCompareByTime(t *testing.T) {
	for critic, want := range map[bool][]float64{
		// environment 0 at 0, 2, 5 of its first episode, which ends at 6, and 0 of the second
		// environment 1 at 0, 4 of its first, which ends at 8, and 0, 5 of the second
		true:  {1 - 10, 10 - 1, 2 - 15, 20 - (2 + 2.0/3), 3 - 15, 30 - 4, 4 - 30, 0},
		false: {1 - 10, 10 - 1, 2 - 15, 20 - (2 + 2.0/3), 3 - 15, 0, 0, 0},
	} {
		r := lapped()
		newLaps(2, 8).compare(r, 2, critic)
		for row, w := range want {
			if got := r.Advantages[row]; math.Abs(got-w) > 1e-12 {
				t.Errorf("critic %v: advantage of row %d is %v, expected %v", critic, row, got, w)
			}
		}
	}
}

// seeded notes the seeds of its episodes.
type seeded struct {
	env.Env
	seeds []uint64
}

func (s *seeded) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	s.seeds = append(s.seeds, *seed)
	return s.Env.Reset(seed, options)
}

// Rollouts that are compared play the same episodes, new ones in each update, and others other ones.
func TestRolloutsPlayTheSame(t *testing.T) {
	cfg := Default()
	cfg.Envs, cfg.Steps, cfg.Rollouts, cfg.Hidden = 4, 25, 2, []int{4}
	var envs []*seeded
	l, err := New(cfg, 1, func(i int) (env.Env, error) {
		e, err := agenttest.NewQueue(i)
		envs = append(envs, &seeded{Env: e})
		return envs[i], err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range 3 {
		if err := l.collect(l.act); err != nil {
			t.Fatal(err)
		}
	}
	all := map[uint64]bool{}
	for i, e := range envs {
		if !slices.Equal(e.seeds, envs[i-i%2].seeds) {
			t.Errorf("environment %d plays %d, its peer %d", i, e.seeds, envs[i-i%2].seeds)
		}
		for _, s := range e.seeds {
			all[s] = true
		}
	}
	if len(all) != 2*6 { // in 25 steps an episode of 20 and the start of another
		t.Errorf("%d episodes in 3 updates of 2 groups, expected 12", len(all))
	}
}

func TestRolloutsDivideEnvironments(t *testing.T) {
	cfg := Default()
	cfg.Envs, cfg.Rollouts = 4, 3
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "rollouts is 3, expected a number that "+
		"divides envs = 4") {
		t.Errorf("%v", err)
	}
}
