package reinforce_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/reinforce"
	"tarry/env"
	"tarry/env/probe"
	"tarry/internal/actor"
	"tarry/internal/learn"
)

// TestCartPole learns for a while: a policy that acts at random gets about 22.
func TestCartPole(t *testing.T) {
	cfg, _ := reinforce.Tuned(cartPole)
	cfg.TotalSteps = 30_000
	l, rows := train(t, cfg, 1, agenttest.Classic(cartPole))
	defer l.Close()
	last := rows[len(rows)-1]
	if before := rows[len(rows)-2]; !(last.Return > 60) || last.Steps < 30_000 || before.Steps >= 30_000 || last.Update != len(rows) || last.Episodes != 16*len(rows) {
		t.Errorf("the last rows are %+v and %+v, expected a return above 60 and the last one to reach 30000 steps", before, last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 100) {
		t.Errorf("the learnt policy earns %.1f, expected more than 100", got)
	}
}

type run = struct {
	cfg  reinforce.Config
	make func(int) (env.Env, error)
}

// short are runs of each sort, small enough to repeat: what is learnt does not matter.
func short() map[string]run {
	base := reinforce.Default()
	base.Sequences, base.Rollouts, base.Hidden, base.TotalSteps = 3, 2, []int{8}, 500
	base.EntropyCoef, base.LeaveOneOut = 0.01, true
	norm := base
	norm.NormObs, norm.Anneal, norm.TotalSteps, norm.Horizon = true, true, 3000, 77
	squash := norm
	squash.Squash, squash.Baseline = true, reinforce.Time
	set := base
	set.Candidates, set.TotalSteps = &actor.Candidates{Features: 1}, 30
	probes := base
	probes.TotalSteps = 40
	runs := map[string]run{
		"discrete":   {base, agenttest.Classic(cartPole)},
		"normalised": {norm, agenttest.Classic("classic/MountainCar-v0")},
		"continuous": {squash, agenttest.Classic("classic/Pendulum-v1")},
	}
	for _, p := range probe.All() {
		make := func(int) (env.Env, error) { return p.New(), nil }
		switch p.ID {
		case "probe/Masked-v0", "probe/Pair-v0", "probe/Waiting-v0":
			runs[p.ID] = run{probes, make}
		case "probe/Slots-v0":
			runs[p.ID] = run{set, make}
		}
	}
	return runs
}

func save(t *testing.T, l *reinforce.Learner) []byte {
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
			l, err := reinforce.New(c.cfg, 2, c.make)
			if err != nil {
				t.Fatal(err)
			}
			var rows []learn.Row
			for !l.Done() { // lose the process before every update
				saved := save(t, l)
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				if l, err = reinforce.Resume(c.cfg, 1+len(rows)%3, c.make, saved); err != nil {
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

// Processors and workers move nothing; the seed moves everything.
func TestSameBytesForAnyParallelism(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	run := func(procs, workers int, seed uint64) []byte {
		runtime.GOMAXPROCS(procs)
		c := reinforce.Default()
		c.TotalSteps, c.Seed, c.NormObs = 2000, seed, true
		l, _ := train(t, c, workers, agenttest.Classic(cartPole))
		defer l.Close()
		return save(t, l)
	}
	want := run(1, 1, 1)
	if !bytes.Equal(run(2, 1, 1), want) {
		t.Error("two processors gave other bytes than one")
	}
	if !bytes.Equal(run(2, 3, 1), want) || !bytes.Equal(run(2, 9, 1), want) {
		t.Error("several workers gave other bytes than one")
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
			p, err := reinforce.LoadPolicy(saved, e.Spec())
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
