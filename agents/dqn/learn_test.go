package dqn_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/dqn"
	"tarry/env"
	"tarry/env/probe"
)

const cartPole = "classic/CartPole-v1"

// TestCartPole is a short run with settings that learn fast: a policy that acts at random gets
// about 22. TestValidate goes all the way of the published benchmark.
func TestCartPole(t *testing.T) {
	cfg := dqn.Default()
	cfg.TotalSteps, cfg.LearningStarts, cfg.TrainEvery, cfg.Batch, cfg.Hidden = 12_000, 1000, 4, 64, []int{64, 64}
	cfg.LearningRate, cfg.EpsPart, cfg.TargetEvery = 1e-3, 0.3, 200
	l, rows := train(t, cfg, 1, agenttest.Classic(cartPole))
	defer l.Close()
	if last := rows[len(rows)-1]; !(last.Return > 60) || last.Steps != 12_000 || last.Update != 12 || !(last.ValueLoss > 0) {
		t.Errorf("last row is %+v, expected a return above 60 after 12000 steps", last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 100) {
		t.Errorf("the learnt policy earns %.1f, expected more than 100", got)
	}
}

// short are runs of each sort, small enough to repeat: what is learnt does not matter. The buffer
// is smaller than the run, so that the ring goes round.
func short() map[string]struct {
	cfg  dqn.Config
	make func(int) (env.Env, error)
} {
	type run = struct {
		cfg  dqn.Config
		make func(int) (env.Env, error)
	}
	base := dqn.Default()
	base.Envs, base.Steps, base.TotalSteps, base.Buffer, base.LearningStarts = 3, 20, 8*60, 200, 70
	base.TrainEvery, base.Batch, base.TargetEvery, base.Hidden = 7, 8, 50, []int{8}
	rich := base
	rich.Duel, rich.Huber, rich.NormReward, rich.NSteps, rich.Tau, rich.MaxGradNorm = true, true, true, 3, 0.3, 1
	set := rich
	set.Candidates = &dqn.Candidates{Features: 1}
	runs := map[string]run{
		"discrete": {base, agenttest.Classic(cartPole)},
		"rich":     {rich, agenttest.Classic("classic/MountainCar-v0")},
	}
	for _, p := range probe.All() {
		make := func(int) (env.Env, error) { return p.New(), nil }
		switch p.ID {
		case "probe/Masked-v0", "probe/Waiting-v0", "probe/Endless-v0":
			runs[p.ID] = run{rich, make}
		case "probe/Slots-v0":
			runs[p.ID] = run{set, make}
		}
	}
	return runs
}

func save(t *testing.T, l *dqn.Learner) []byte {
	t.Helper()
	b, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// same compares rows, NaN equal to itself; numbers are printed with all their digits.
func same(a, b []dqn.Row) bool { return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b) }

// A run that is saved and resumed after any update ends in the bytes of the run that was left
// alone, and tells the same of each update.
func TestResumeIsExact(t *testing.T) {
	for name, c := range short() {
		t.Run(name, func(t *testing.T) {
			whole, want := train(t, c.cfg, 1, c.make)
			defer whole.Close()
			final := save(t, whole)
			l, err := dqn.New(c.cfg, 2, c.make)
			if err != nil {
				t.Fatal(err)
			}
			var rows []dqn.Row
			for !l.Done() { // lose the process before every update
				saved := save(t, l)
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				if l, err = dqn.Resume(c.cfg, 1+len(rows)%3, c.make, saved); err != nil {
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
	cfg := short()["discrete"].cfg
	cfg.Hidden, cfg.Batch = []int{64, 64}, 128
	run := func(procs, workers int, seed uint64) []byte {
		runtime.GOMAXPROCS(procs)
		c := cfg
		c.Seed = seed
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
			p, err := dqn.LoadPolicy(saved, e.Spec())
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

// What one kernel learnt about candidates serves environments with more or fewer of them: the
// largest number is still the one to choose.
func TestCandidatesOfAnotherSize(t *testing.T) {
	cfg := quick()
	cfg.TotalSteps, cfg.Candidates = 6_000, &dqn.Candidates{Features: 1}
	for _, p := range probe.All() {
		if p.ID != "probe/Slots-v0" {
			continue
		}
		l, _ := train(t, cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
		defer l.Close()
		saved := save(t, l)
		for _, slots := range []int{3, 5, 8} {
			spec := env.Spec{ID: "test/Slots-v0", Observation: env.NewBox(0, 1, slots), Action: env.Discrete{N: slots}}
			policy, err := dqn.LoadPolicy(saved, &spec)
			if err != nil {
				t.Fatal(err)
			}
			obs, action := make([]float64, slots), []float64{0}
			for i := range obs {
				obs[i] = float64((i+2)%slots) / float64(slots-1)
			}
			if err := policy.Act(action, obs, nil, nil); err != nil || int(action[0]) != slots-3 {
				t.Errorf("%d slots: the choice on %v is %v, want %d, error %v", slots, obs, action, slots-3, err)
			}
		}
		spec := env.Spec{ID: "test/Slots-v0", Observation: env.NewBox(0, 1, 5), Action: env.Discrete{N: 4}}
		if _, err := dqn.LoadPolicy(saved, &spec); err == nil {
			t.Error("5 candidates for 4 choices were accepted")
		}
	}
}

// Acting and judging allocate nothing, whatever the sort of network.
func TestActAllocatesNothing(t *testing.T) {
	for name, c := range short() {
		l, err := dqn.New(c.cfg, 1, c.make)
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
			p.Value(obs, info.Mask)
		}); n != 0 || err != nil {
			t.Errorf("%s: %g allocations, error %v", name, n, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
