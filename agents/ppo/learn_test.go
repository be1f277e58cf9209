package ppo_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/ppo"
	"tarry/env"
	"tarry/env/delaytimer"
	"tarry/env/probe"
)

const cartPole = "classic/CartPole-v1"

// TestCartPole is the start of the published benchmark: a policy that acts at random gets
// about 22. TestValidate goes all the way.
func TestCartPole(t *testing.T) {
	cfg := ppo.Default()
	cfg.TotalSteps = 30_720
	l, rows := train(t, cfg, 1, agenttest.Classic(cartPole))
	defer l.Close()
	if last := rows[len(rows)-1]; !(last.Return > 120) || last.Steps != 30_720 || last.Update != 60 {
		t.Errorf("last row is %+v, expected a return above 120 after 30720 steps", last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 150) {
		t.Errorf("the learnt policy earns %.1f, expected more than 150", got)
	}
}

// short are runs of each sort, small enough to repeat: what is learnt does not matter.
func short() map[string]struct {
	cfg  ppo.Config
	make func(int) (env.Env, error)
} {
	type run = struct {
		cfg  ppo.Config
		make func(int) (env.Env, error)
	}
	base := ppo.Default()
	base.Envs, base.Steps, base.Epochs, base.Minibatches, base.Hidden = 3, 20, 2, 4, []int{8}
	base.TotalSteps = 8 * 60
	norm := base
	norm.NormObs, norm.NormReward, norm.Anneal, norm.AnnealClip = true, true, false, true
	squash := norm
	squash.Squash, squash.TargetKL = true, 1e-4
	average := norm
	average.AverageReward, average.AverageWeight, average.NormObs = true, 0.2, false
	set := base
	set.Candidates = &ppo.Candidates{Features: 1}
	runs := map[string]run{
		"discrete":   {base, agenttest.Classic(cartPole)},
		"normalised": {norm, agenttest.Classic("classic/MountainCar-v0")},
		"continuous": {squash, agenttest.Classic("classic/Pendulum-v1")},
	}
	classes := base
	classes.Encoder, classes.Candidates = "classes", &ppo.Candidates{Global: 12, Features: 14, Each: 2}
	asked := classes
	asked.Candidates = &ppo.Candidates{Global: 12, Features: 14, Each: 21}
	const jobs = "cluster=2x2x4,windows=4,warm=4,horizon=12"
	runs["classes"] = run{classes, func(int) (env.Env, error) { return delaytimer.Make(jobs) }}
	runs["class asked"] = run{asked, func(int) (env.Env, error) { return delaytimer.MakeDiscrete(jobs) }}
	for _, p := range probe.All() {
		make := func(int) (env.Env, error) { return p.New(), nil }
		switch p.ID {
		case "probe/Masked-v0", "probe/Pair-v0", "probe/Waiting-v0":
			runs[p.ID] = run{base, make}
		case "probe/Paced-v0":
			runs["average"] = run{average, make}
		case "probe/Slots-v0":
			runs[p.ID] = run{set, make}
		}
	}
	return runs
}

func save(t *testing.T, l *ppo.Learner) []byte {
	t.Helper()
	b, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// same compares rows, NaN equal to itself; numbers are printed with all their digits.
func same(a, b []ppo.Row) bool {
	return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b) && len(a) == len(b)
}

// A run that is saved and resumed after any update ends in the bytes of the run that was
// left alone, and tells the same of each update.
func TestResumeIsExact(t *testing.T) {
	for name, c := range short() {
		t.Run(name, func(t *testing.T) {
			whole, want := train(t, c.cfg, 1, c.make)
			defer whole.Close()
			final := save(t, whole)
			l, err := ppo.New(c.cfg, 2, c.make)
			if err != nil {
				t.Fatal(err)
			}
			var rows []ppo.Row
			for !l.Done() { // lose the process before every update
				saved := save(t, l)
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				if l, err = ppo.Resume(c.cfg, 1+len(rows)%3, c.make, saved); err != nil {
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
			if !same(rows, want) {
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
	cfg := ppo.Default()
	cfg.TotalSteps = 4 * 512
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
			p, err := ppo.LoadPolicy(saved, e.Spec())
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

// What one kernel learnt about candidates serves environments with more or fewer of them:
// the largest number is still the one to choose.
func TestCandidatesOfAnotherSize(t *testing.T) {
	cfg := quick()
	cfg.TotalSteps, cfg.Candidates = 3_840, &ppo.Candidates{Features: 1}
	for _, p := range probe.All() {
		if p.ID != "probe/Slots-v0" {
			continue
		}
		l, _ := train(t, cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
		defer l.Close()
		saved := save(t, l)
		for _, slots := range []int{3, 5, 12} {
			spec := env.Spec{ID: "test/Slots-v0", Observation: env.NewBox(0, 1, slots), Action: env.Discrete{N: slots}}
			policy, err := ppo.LoadPolicy(saved, &spec)
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
		if _, err := ppo.LoadPolicy(saved, &spec); err == nil {
			t.Error("5 candidates for 4 choices were accepted")
		}
	}
}

// Acting and judging allocate nothing, whatever the sort of policy.
func TestActAllocatesNothing(t *testing.T) {
	for name, c := range short() {
		l, err := ppo.New(c.cfg, 1, c.make)
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
		r, dst := stream("act"), make([]float64, e.Spec().Action.Len())
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

// balance is a known policy for CartPole: push towards where the pole falls.
func balance(_ int, obs []float64, _ []bool, dst []float64) error {
	dst[0] = 0
	if obs[2]+0.3*obs[3]+0.02*obs[0]+0.1*obs[1] > 0 {
		dst[0] = 1
	}
	return nil
}

// After a warm start the policy does what it was shown, and training goes on from there.
func TestImitate(t *testing.T) {
	cfg := ppo.Default()
	cfg.TotalSteps = 10 * 512
	l, err := ppo.New(cfg, 1, agenttest.Classic(cartPole))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var rows []ppo.Row
	warm := ppo.Imitation{Updates: 20, Epochs: 4, LearningRate: 3e-3}
	if err := l.Imitate(warm, balance, func(r ppo.Row) error { rows = append(rows, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if first, last := rows[0], rows[len(rows)-1]; !last.Imitation || !(last.PolicyLoss < 0.5*first.PolicyLoss) {
		t.Errorf("imitation went from %+v to %+v, expected half the loss", first, last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 300) {
		t.Errorf("the imitated policy earns %.1f, expected more than 300", got)
	}
	l2, err := ppo.Resume(cfg, 1, agenttest.Classic(cartPole), save(t, l))
	if err != nil {
		t.Fatal(err)
	}
	defer l2.Close()
	a, err1 := l.Update()
	b, err2 := l2.Update()
	if err1 != nil || err2 != nil || !same([]ppo.Row{a}, []ppo.Row{b}) {
		t.Errorf("after a warm start the resumed run told %+v, the other %+v, errors %v, %v", b, a, err1, err2)
	}
	if err := l.Imitate(warm, balance, nil); err == nil {
		t.Error("imitation after an update was accepted")
	}
}

// Demonstrations of continuous actions are followed, with and without tanh.
func TestImitateContinuous(t *testing.T) {
	for _, squash := range []bool{false, true} {
		cfg := quick()
		cfg.Squash = squash
		for _, p := range probe.All() {
			if p.ID != "probe/Target-v0" {
				continue
			}
			l, err := ppo.New(cfg, 1, func(int) (env.Env, error) { return p.New(), nil })
			if err != nil {
				t.Fatal(err)
			}
			err = l.Imitate(ppo.Imitation{Updates: 20, Epochs: 5, LearningRate: 0.01}, func(_ int, obs []float64, _ []bool, dst []float64) error {
				dst[0] = obs[0] / 2
				return nil
			}, func(ppo.Row) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			got := []float64{0}
			if err := l.Policy().Act(got, []float64{1}, nil, nil); err != nil || math.Abs(got[0]-0.5) > 0.05 {
				t.Errorf("squash %v: action is %v, want 0.5, error %v", squash, got, err)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
