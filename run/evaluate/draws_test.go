package evaluate

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/agents/registry"
	"tarry/catalogue/shipped"
	"tarry/env/schedenv"
	"tarry/run/train"
	"tarry/run/trial"
	"tarry/sim"
)

// mixed trains a mixture of orders for a moment, and gives the folder.
func mixed(t *testing.T) string {
	t.Helper()
	cfg, err := train.Resolve(shipped.All(), "tarry/Mix-v0:cluster=2x2x4,windows=8,warm=2,horizon=12", "mixture", 3,
		[]registry.Setting{{Key: "total_steps", Value: "50"}, {Key: "sequences", Value: "1"},
			{Key: "rollouts", Value: "1"}, {Key: "validate_episodes", Value: "2"}})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := train.Run(context.Background(), cfg, train.Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// drawn gives the first 60 draws of a policy, as it acts in one window of a Setup.
func drawn(t *testing.T, s *Setup, window int) (got []float64) {
	t.Helper()
	on := s.Agents[0].env
	keep := on.policy
	on.policy = func(act schedenv.Actor) sim.Policy {
		action := []float64{0}
		for range 60 {
			act([]float64{1}, nil, action)
			got = append(got, action[0])
		}
		return nil
	}
	if _, err := s.Trials[window].Policy(); err != nil {
		t.Fatal(err)
	}
	on.policy = keep
	return got
}

// An agent that draws has draws of its own in each window over the simulator, which are the same
// whatever ran before.
func TestEachWindowHasItsDraws(t *testing.T) {
	s, err := Build(shipped.All(), Request{Checkpoints: []string{mixed(t)}, Which: "last", Part: schedenv.Test,
		Windows: 3})
	if err != nil {
		t.Fatal(err)
	}
	first := drawn(t, s, 0)
	for w := 1; w < 3; w++ {
		got := drawn(t, s, w)
		if slices.Equal(got, first) {
			t.Errorf("windows 0 and %d have the same draws: %v", w, got)
		}
		if again := drawn(t, s, w); !slices.Equal(got, again) {
			t.Errorf("window %d has %v, then %v", w, got, again)
		}
	}
	if again := drawn(t, s, 0); !slices.Equal(first, again) {
		t.Errorf("window 0 has %v before the others, %v after them", first, again)
	}
}

// Completion times of a mixture are the same for any number of workers, any number of windows and any
// order of trials.
func TestDrawsDoNotDependOnOtherRuns(t *testing.T) {
	dir, r := mixed(t), rand.New(rand.NewPCG(1, 2))
	jct := map[string]float64{}
	for k, n := range []int{4, 2, 3} {
		s, err := Build(shipped.All(), Request{Checkpoints: []string{dir}, Which: "last", Part: schedenv.Test, Windows: n,
			Untrained: true})
		if err != nil {
			t.Fatal(err)
		}
		r.Shuffle(len(s.Trials), func(i, j int) { s.Trials[i], s.Trials[j] = s.Trials[j], s.Trials[i] })
		done, err := trial.Run(context.Background(), s.Trials, trial.Options{Workers: 1 + k})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range done {
			of := d.Row.Keys.Policy + string(rune('0'+d.Row.Keys.Replicate))
			if was, ok := jct[of]; ok && was != d.Row.JCTMean {
				t.Errorf("%s has %v with %d windows, %v with 4", of, d.Row.JCTMean, n, was)
			}
			jct[of] = d.Row.JCTMean
		}
	}
	if len(jct) != 8 {
		t.Errorf("%d runs of 2 policies, expected 4 windows each", len(jct))
	}
}

// Agents that name who decides have the bounds of turns behind the others; names choose among all.
func TestBoundsOfTurns(t *testing.T) {
	r := Request{Checkpoints: []string{mixed(t)}, Which: "last", Part: schedenv.Test, Windows: 2, Bounds: true}
	s, err := Build(shipped.All(), r)
	if err != nil {
		t.Fatal(err)
	}
	done, err := trial.Run(context.Background(), s.Trials, trial.Options{})
	if err := errors.Join(err, s.Err()); err != nil {
		t.Fatal(err)
	}
	rows, err := s.Summarise(done)
	if err != nil {
		t.Fatal(err)
	}
	last := rows[len(rows)-4:]
	for i, name := range []string{"hindsight:member", "placebo:member", "hindsight:turns", "placebo:turns"} {
		if last[i].Policy != name || !strings.Contains(s.JSON, name) {
			t.Errorf("row %d is %s, expected %s, which the request names", i, last[i].Policy, name)
		}
	}
	if a, b := mean(last[0]), mean(last[2]); !(b <= a) {
		t.Errorf("the best sequence has %v, the best member %v", b, a)
	}
	r.BoundsNamed = []string{"member"}
	if s, err = Build(shipped.All(), r); err != nil {
		t.Fatal(err)
	}
	if got := s.Policies[1:]; !slices.Equal(got, []string{"hindsight:member", "placebo:member"}) ||
		strings.Contains(s.JSON, "clairvoyant") {
		t.Errorf("of the bounds %v, expected those of members", got)
	}
}
