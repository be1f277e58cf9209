package a2c_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"tarry/agents/a2c"
	"tarry/agents/agenttest"
	"tarry/env"
	"tarry/env/probe"
	"tarry/internal/actor"
	"tarry/internal/learn"
)

// TestCartPole is the start of the published benchmark: a policy that acts at random gets
// about 22. TestValidate goes all the way.
func TestCartPole(t *testing.T) {
	cfg := a2c.Default()
	cfg.TotalSteps = 40_000
	l, rows := train(t, cfg, 1, agenttest.Classic(cartPole))
	defer l.Close()
	if last := rows[len(rows)-1]; !(last.Return > 60) || last.Steps != 40_000 || last.Update != 40 {
		t.Errorf("last row is %+v, expected a return above 60 after 40000 steps", last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 100) {
		t.Errorf("the learnt policy earns %.1f, expected more than 100", got)
	}
}

type run = struct {
	cfg  a2c.Config
	make func(int) (env.Env, error)
}

// short are runs of each sort, small enough to repeat: what is learnt does not matter.
func short() map[string]run {
	base := a2c.Default()
	base.Envs, base.Steps, base.Rollouts, base.Hidden = 3, 5, 4, []int{8}
	base.TotalSteps = 6 * 60
	norm := base
	norm.NormObs, norm.NormReward, norm.Anneal, norm.Optimizer = true, true, true, "rmsprop_tf"
	squash := norm
	squash.Squash, squash.Optimizer, squash.EntropyCoef, squash.NormAdvantage = true, "adam", 0.01, true
	set := base
	set.Candidates = &actor.Candidates{Features: 1}
	runs := map[string]run{
		"discrete":   {base, agenttest.Classic(cartPole)},
		"normalised": {norm, agenttest.Classic("classic/MountainCar-v0")},
		"continuous": {squash, agenttest.Classic("classic/Pendulum-v1")},
	}
	for _, p := range probe.All() {
		make := func(int) (env.Env, error) { return p.New(), nil }
		switch p.ID {
		case "probe/Masked-v0", "probe/Pair-v0", "probe/Waiting-v0":
			runs[p.ID] = run{base, make}
		case "probe/Slots-v0":
			runs[p.ID] = run{set, make}
		}
	}
	return runs
}

func save(t *testing.T, l *a2c.Learner) []byte {
	t.Helper()
	b, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A run that is saved and resumed after any update ends in the bytes of the run that was
// left alone, and tells the same of each update.
func TestResumeIsExact(t *testing.T) {
	for name, c := range short() {
		t.Run(name, func(t *testing.T) {
			whole, want := train(t, c.cfg, 1, c.make)
			defer whole.Close()
			final := save(t, whole)
			l, err := a2c.New(c.cfg, 2, c.make)
			if err != nil {
				t.Fatal(err)
			}
			var rows []learn.Row
			for !l.Done() { // lose the process before every update
				saved := save(t, l)
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				if l, err = a2c.Resume(c.cfg, 1+len(rows)%3, c.make, saved); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(save(t, l), saved) {
					t.Fatalf("update %d: a resumed run saves other bytes", len(rows))
				}
				row, err := l.Update()
				if err != nil {
					t.Fatal(err)
				}
				rows = append(rows, row)
			}
			if !bytes.Equal(save(t, l), final) {
				t.Error("the resumed run ended in other bytes")
			}
			if a, b := fmt.Sprintf("%+v", rows), fmt.Sprintf("%+v", want); a != b { // NaN equals itself in print
				t.Errorf("the resumed run told\n%s\nthe whole one\n%s", a, b)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Processors and workers move nothing, nor does how many rollouts are told at once; the seed moves
// everything.
func TestSameBytesForAnyParallelism(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	run := func(procs, workers int, seed uint64) []byte {
		runtime.GOMAXPROCS(procs)
		c := a2c.Default()
		c.TotalSteps, c.Seed = 2000, seed
		l, _ := train(t, c, workers, agenttest.Classic(cartPole))
		defer l.Close()
		return save(t, l)
	}
	want := run(1, 1, 1)
	if !bytes.Equal(run(2, 1, 1), want) {
		t.Error("two processors gave other bytes than one")
	}
	if !bytes.Equal(run(2, 3, 1), want) {
		t.Error("three workers gave other bytes than one")
	}
	if bytes.Equal(run(1, 1, 2), want) {
		t.Error("another seed gave the same bytes")
	}
	values := map[float64]bool{}
	for _, rollouts := range []int{1, 5, 50} {
		c := a2c.Default()
		c.TotalSteps, c.Rollouts, c.Anneal = 2000, rollouts, true
		l, _ := train(t, c, 1, agenttest.Classic(cartPole))
		values[l.Policy().Value(make([]float64, 4), nil)] = true
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(values) != 1 {
		t.Errorf("other numbers of rollouts in an update gave other weights: %v", values)
	}
}

// A policy out of a checkpoint acts as the one in the run, and acting changes nothing.
func TestLoadPolicy(t *testing.T) {
	for name, c := range short() {
		t.Run(name, func(t *testing.T) {
			l, _ := train(t, c.cfg, 1, c.make)
			defer l.Close()
			saved := save(t, l)
			e, err := c.make(0)
			if err != nil {
				t.Fatal(err)
			}
			p, err := a2c.LoadPolicy(saved, e.Spec())
			if err != nil {
				t.Fatal(err)
			}
			seed := uint64(5)
			obs, info, err := e.Reset(&seed, "")
			a, b := make([]float64, e.Spec().Action.Len()), make([]float64, e.Spec().Action.Len())
			for range 50 {
				if err := errors.Join(err, p.Act(a, obs, info.Mask, nil), l.Policy().Fork().Act(b, obs, info.Mask, nil)); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(a, b) || p.Value(obs, info.Mask) != l.Policy().Value(obs, info.Mask) {
					t.Fatalf("actions on %v are %v and %v", obs, a, b)
				}
				var s env.Step
				if s, err = e.Step(a); s.Done() {
					obs, info, err = e.Reset(nil, "")
				} else {
					obs, info = s.Obs, s.Info
				}
			}
			if !bytes.Equal(save(t, l), saved) {
				t.Error("acting changed the learner")
			}
		})
	}
}
