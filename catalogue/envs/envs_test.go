package envs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/delaytimer"
	"tarry/env/envtest"
	"tarry/env/replicas"
	"tarry/env/wrap"
)

// modelID reports whether an id is of an environment outside the simulator.
func modelID(id string) bool {
	return slices.ContainsFunc(models(), func(e Entry) bool { return e.ID == id })
}

// TestCatalogueConforms checks every environment that Make gives.
func TestCatalogueConforms(t *testing.T) {
	for _, e := range All() {
		text, steps, allocs := e.ID, 60, 0.0
		switch {
		case strings.HasPrefix(e.ID, "classic/"):
			steps = 520 // past every time limit
		case begins(e.ID): // it begins with an empty cluster
			text, steps, allocs = e.ID+":cluster=4x2x4,window_jobs=60,windows=4", 30, -1
		case modelID(e.ID):
			if text, steps = e.ID+":windows=4", 60; e.ID == replicas.ID { // a run begins anew in each episode
				allocs = -1
			}
		case strings.HasPrefix(e.ID, "tarry/"): // their own packages check them at length
			text, steps, allocs = e.ID+":cluster=4x2x4,warm=6,horizon=48,windows=4", 30, -1
		}
		if e.ID == delaytimer.ID {
			text += ",services=day-night,operator=least:lend=all"
		}
		t.Run(e.ID, func(t *testing.T) {
			envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) { return All().Make(simulation.All(), text) },
				Steps: steps, MaxAllocs: allocs})
		})
	}
}

func TestEntriesAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		made, err := All().Make(simulation.All(), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		s := made.Spec()
		if s.ID != e.ID || seen[e.ID] || e.Doc == "" || s.MaxSteps < e.MaxSteps {
			t.Errorf("entry %q: spec of %q with %d steps, seen before %v, doc %q", e.ID, s.ID, s.MaxSteps, seen[e.ID],
				e.Doc)
		}
		seen[e.ID] = true
		if _, err := e.New(simulation.All(), "no-such-option=1"); err == nil ||
			!strings.Contains(err.Error(), "no-such-option") {
			t.Errorf("%s took an unknown option: %v", e.ID, err)
		}
	}
}

// Gymnasium's limits and thresholds.
func TestLimitsAndThresholds(t *testing.T) {
	for id, want := range map[string][2]float64{
		"classic/CartPole-v1": {500, 475}, "classic/Pendulum-v1": {200, 0}, "classic/Acrobot-v1": {500, -100},
		"classic/MountainCar-v0": {200, -110},
	} {
		e, err := All().Make(simulation.All(), id)
		if err != nil {
			t.Fatal(err)
		}
		if s := e.Spec(); float64(s.MaxSteps) != want[0] || s.RewardThreshold != want[1] {
			t.Errorf("%s: %d steps, threshold %v, want %v", id, s.MaxSteps, s.RewardThreshold, want)
		}
	}
}

func TestUnknownNames(t *testing.T) {
	for text, want := range map[string]string{
		"classic/CartPole-v2":     "classic/CartPole-v1",
		"classic/Cartpole-v1":     `did you mean "classic/CartPole-v1"?`,
		"":                        "unknown",
		"classic/CartPole-v1:":    "nothing after the colon",
		"classic/CartPole-v1:g=9": "g",
	} {
		if _, err := All().Make(simulation.All(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// A spec that went through JSON makes the same environment again.
func TestFromSpec(t *testing.T) {
	for _, e := range All() {
		a, err := All().Make(simulation.All(), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		a = wrap.EpisodeStatistics(wrap.Flatten(a))
		data, err := json.Marshal(a.Spec())
		if err != nil {
			t.Fatal(err)
		}
		var spec env.Spec
		if err := json.Unmarshal(data, &spec); err != nil {
			t.Fatal(err)
		}
		b, err := All().FromSpec(simulation.All(), &spec)
		if err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(b.Spec())
		if err != nil || string(again) != string(data) {
			t.Errorf("made again as %s, want %s (error %v)", again, data, err)
		}
	}
	e, err := All().Make(simulation.All(), "classic/CartPole-v1")
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*env.Spec){
		"unknown":                                 func(s *env.Spec) { s.ID = "classic/CartPole-v0" },
		"colour":                                  func(s *env.Spec) { s.Options = "colour=red" },
		`wrapper "Blindfold": unknown`:            func(s *env.Spec) { s.Wrappers = []string{"Blindfold"} },
		"its spaces differ from the spec's":       func(s *env.Spec) { s.Action = env.Discrete{N: 3} },
		"the action is Discrete (2 choices), exp": func(s *env.Spec) { s.Wrappers = []string{"ClipAction"} },
	} {
		s := *e.Spec()
		change(&s)
		if _, err := All().FromSpec(simulation.All(), &s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func BenchmarkMade(b *testing.B) {
	for _, id := range []string{"classic/CartPole-v1", "classic/Pendulum-v1", "classic/Acrobot-v1",
		"classic/MountainCar-v0"} {
		b.Run(id, func(b *testing.B) {
			e, err := All().Make(simulation.All(), id)
			if err != nil {
				b.Fatal(err)
			}
			action, done := []float64{0}, true
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if done {
					if _, _, err := e.Reset(nil, ""); err != nil {
						b.Fatal(err)
					}
				}
				action[0] = float64(i & 1)
				s, err := e.Step(action)
				if err != nil {
					b.Fatal(err)
				}
				done = s.Done()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}

func ExampleCatalogue_Make() {
	e, err := All().Make(simulation.All(), "classic/CartPole-v1")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	seed := uint64(3)
	obs, info, err := e.Reset(&seed, "")
	sum, done := 0.0, false
	for err == nil && !done {
		action := []float64{0}
		if obs[2] > 0 { // push under the pole
			action[0] = 1
		}
		var s env.Step
		s, err = e.Step(action)
		obs, info, done = s.Obs, s.Info, s.Done()
		sum += s.Reward
	}
	fmt.Println(e.Spec().ID, sum > 20, info.Elapsed, err)
	// Output: classic/CartPole-v1 true 1 <nil>
}

// TestSettingsAreThoseOfTheHelp: the help has a line for each option that the code reads, in the
// same order, and no other.
func TestSettingsAreThoseOfTheHelp(t *testing.T) {
	for _, e := range All() {
		var want, got []string
		for line := range strings.SplitSeq(e.Help(), "\n") {
			if line != "" && line[0] != ' ' {
				key, _, _ := strings.Cut(line, " ")
				want = append(want, key)
			}
		}
		for _, s := range e.Settings(simulation.All()) {
			got = append(got, s.Key)
			if s.Range == "" {
				t.Errorf("%s: %s has no range", e.ID, s.Key)
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s reads %q, its help has %q", e.ID, got, want)
		}
	}
}
