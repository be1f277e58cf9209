package sac_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/sac"
	"tarry/env"
	"tarry/env/probe"
)

// TestPendulum is a third of the published run: a policy that acts at random gets about -1200.
// TestValidate goes all the way.
func TestPendulum(t *testing.T) {
	cfg, _ := sac.Tuned(pendulum)
	cfg.TotalSteps, cfg.Batch, cfg.Hidden, cfg.LearningRate, cfg.Gamma = 4_000, 64, []int{32, 32}, 3e-3, 0.95
	l, rows := train(t, cfg, 1, agenttest.Classic(pendulum))
	defer l.Close()
	last := rows[len(rows)-1]
	if last.Steps != 4_000 || last.Update != 4 || !(last.ValueLoss > 0) || !(l.Alpha() < 1) || !(last.Entropy < 0.7) {
		t.Errorf("last row is %+v with temperature %g, expected 4 updates of 1000 steps and a temperature that fell", last, l.Alpha())
	}
	if got := agenttest.Return(t, l.Policy(), pendulum, 20); !(got > -500) {
		t.Errorf("the learnt policy earns %.1f, expected more than -500", got)
	}
}

// short are runs of each sort, small enough to repeat: what is learnt does not matter. The buffer
// is smaller than the run, so that the ring goes round.
func short() map[string]struct {
	cfg  sac.Config
	make func(int) (env.Env, error)
} {
	type run = struct {
		cfg  sac.Config
		make func(int) (env.Env, error)
	}
	base := sac.Default()
	base.Envs, base.Steps, base.TotalSteps, base.Buffer, base.LearningStarts = 3, 20, 8*60, 200, 70
	base.TrainEvery, base.Batch, base.Hidden = 7, 8, []int{8}
	rich := base
	rich.NormReward, rich.NSteps, rich.AutoAlpha, rich.Alpha, rich.MaxGradNorm, rich.GradientSteps = true, 3, false, 0.2, 1, 2
	runs := map[string]run{
		"plain": {base, agenttest.Classic(pendulum)},
		"rich":  {rich, agenttest.Classic(pendulum)},
	}
	for _, p := range probe.All() {
		if p.ID == "probe/Target-v0" {
			runs[p.ID] = run{rich, func(int) (env.Env, error) { return p.New(), nil }}
		}
	}
	return runs
}

func save(t *testing.T, l *sac.Learner) []byte {
	t.Helper()
	b, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// same compares rows, NaN equal to itself; numbers are printed with all their digits.
func same(a, b []sac.Row) bool { return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b) }

// A run that is saved and resumed after any update ends in the bytes of the run that was left
// alone, and tells the same of each update.
func TestResumeIsExact(t *testing.T) {
	for name, c := range short() {
		t.Run(name, func(t *testing.T) {
			whole, want := train(t, c.cfg, 1, c.make)
			defer whole.Close()
			final := save(t, whole)
			l, err := sac.New(c.cfg, 2, c.make)
			if err != nil {
				t.Fatal(err)
			}
			var rows []sac.Row
			for !l.Done() { // lose the process before every update
				saved := save(t, l)
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				if l, err = sac.Resume(c.cfg, 1+len(rows)%3, c.make, saved); err != nil {
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
			if !same(rows, want) || len(rows) != 8 {
				t.Errorf("the resumed run told\n%+v\nthe whole one\n%+v", rows, want)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Processors and workers move nothing; the seed moves everything.
func TestSameBytesForAnyParallelism(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	cfg := short()["plain"].cfg
	cfg.Hidden, cfg.Batch = []int{64, 64}, 64
	run := func(procs, workers int, seed uint64) []byte {
		runtime.GOMAXPROCS(procs)
		c := cfg
		c.Seed = seed
		l, _ := train(t, c, workers, agenttest.Classic(pendulum))
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
			p, err := sac.LoadPolicy(saved, e.Spec())
			if err != nil {
				t.Fatal(err)
			}
			seed := uint64(5)
			obs, info, err := e.Reset(&seed, "")
			a, b := make([]float64, 1), make([]float64, 1)
			for range 50 {
				if err := errors.Join(err, p.Act(a, obs, info.Mask, nil), l.Policy().Fork().Act(b, obs, info.Mask, nil)); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(a, b) {
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

// Acting allocates nothing.
func TestActAllocatesNothing(t *testing.T) {
	for name, c := range short() {
		l, err := sac.New(c.cfg, 1, c.make)
		if err != nil {
			t.Fatal(err)
		}
		p := l.Policy()
		e, err := c.make(0)
		if err != nil {
			t.Fatal(err)
		}
		obs, info, err := e.Reset(nil, "")
		if err != nil {
			t.Fatal(err)
		}
		r, dst := stream("act"), make([]float64, 1)
		if n := testing.AllocsPerRun(100, func() {
			err = errors.Join(p.Act(dst, obs, info.Mask, r), p.Act(dst, obs, info.Mask, nil))
		}); n != 0 || err != nil {
			t.Errorf("%s: %g allocations, error %v", name, n, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
