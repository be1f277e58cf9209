package train

import (
	"context"
	"errors"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env"
	"tarry/env/trait"
)

// With validate_start the start is measured before the first update, so that the best is never
// worse than it: a network that is perturbed far too much loses to the network that it began with.
// An interrupted run ends in the same bytes.
func TestStartMayBeBest(t *testing.T) {
	const on = "tarry/DelayTimer-v1:cluster=ethernet:2x4x8,load=1.1,windows=4,warm=0,horizon=24,regime=true"
	var best [2]float64
	dirs := [2]string{t.TempDir(), t.TempDir()}
	set := []string{"generations=3", "population=4", "windows=1", "validate_every=1", "validate_episodes=3", "sigma=16"}
	for i, start := range []string{"false", "true"} {
		cfg, err := Resolve(shipped.All(), on, "cmaes-policy", 1, settings(append(set, "validate_start="+start)))
		if err != nil {
			t.Fatal(err)
		}
		out, err := Run(context.Background(), cfg, Options{Out: dirs[i]})
		if err != nil {
			t.Fatal(err)
		}
		if best[i] = out.Best; i == 0 {
			continue
		}
		v, err := newValidator(&cfg)
		if err != nil {
			t.Fatal(err)
		}
		l, err := cfg.agent.New(1, func(int) (env.Env, error) { return cfg.make(trait.Train) })
		if err != nil {
			t.Fatal(err)
		}
		first, err := v.mean(l.Policy())
		if err := errors.Join(err, l.Close(), v.close()); err != nil {
			t.Fatal(err)
		}
		if out.Best != max(first, best[0]) || (out.BestUpdate == 0) != (first >= best[0]) {
			t.Errorf("best %v after update %d, without the start %v, which has %v", out.Best, out.BestUpdate, best[0],
				first)
		}
		again := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		if _, err := Run(ctx, cfg, Options{Out: again, Watch: func(Progress) { cancel() }}); !errors.Is(err,
			ErrInterrupted) {
			t.Fatal(err)
		}
		if _, err := Run(context.Background(), cfg, Options{Out: again, Resume: true}); err != nil {
			t.Fatal(err)
		}
		same(t, "resumed", contents(t, dirs[1]), contents(t, again))
	}
}
