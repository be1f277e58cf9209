package place

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/model"
	"tarry/env/place/deepshare"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/env/trait"
	"tarry/env/wrap"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

const small = "cluster=2x2x4,windows=4,warm=6,horizon=24,load=1.2"

func TestCheckEnv(t *testing.T) {
	for _, options := range []string{small, small + ",candidates=1,part=validation,reward=relative",
		"cluster=2x2x4,windows=4,warm=0,horizon=24,load=1.2,speed=collective,reward=slowdown",
		small + ",faults.machine_mtbf_s=72000,faults.machine_mttr_s=7200"} {
		t.Run(options, func(t *testing.T) {
			// The model of speeds remembers the places that it was asked about.
			envtest.CheckEnv(t, envtest.Config{MaxAllocs: 1, New: func() (env.Env, error) {
				return schedtest.Over(simulation.All(), Make)(options)
			}, ResetOptions: []string{"window=2"}, Identity: schedtest.Identity})
		})
	}
	for _, options := range []string{"", ",acts=many,jobs=60", ",mask=false,jobs=40", ",part=test,mask=false,jobs=30",
		",slips=false,acts=one,w1=0.5,w2=0.5,data_seed=3"} {
		t.Run("deepshare"+options, func(t *testing.T) {
			envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) {
				e, err := Make(simulation.All(), "protocol=deepshare"+options)
				if err != nil {
					return nil, err
				}
				return wrap.OrderEnforcing(e), nil
			}, ResetOptions: []string{"window=2"}})
		})
	}
}

func config(t testing.TB, text string) Config {
	t.Helper()
	return schedtest.Config(t, text, func(s *param.Set) Config { return Read(s, simulation.All(), ID) })
}

func made(t testing.TB, c Config) *schedenv.Env {
	t.Helper()
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// An agent that follows a rule is the policy with the rule, record for record; the rules differ.
func TestFollowing(t *testing.T) {
	seen := map[string][]sim.Record{}
	for _, r := range rules() {
		text := "deepshare:rule=" + r.name
		c := config(t, strings.Replace(small, "warm=6", "warm=0", 1))
		want := schedtest.Records(t, &c.Config, 1, simtest.Build(t, policyName, Policy, "rule="+r.name)())
		for _, follow := range []string{r.name, text} {
			e := made(t, c)
			if err := e.Follow(follow); err != nil {
				t.Fatal(err)
			}
			got, steps := schedtest.Play(t, e, "window=1", func(_ []float64, _ []bool, action []float64) {
				if err := e.Demonstrate(action); err != nil {
					t.Fatal(err)
				}
			})
			n := 0
			for i := range got {
				if got[i].Start == want[i].Start {
					n++
				}
			}
			if steps < 20 || n < 20 {
				t.Errorf("%s: %d of %d jobs start as under the policy, %d questions", follow, n, len(got), steps)
			}
		}
		seen[r.name] = want
	}
	for a := range seen {
		for b := range seen {
			if a < b && slices.Equal(seen[a], seen[b]) {
				t.Logf("%s and %s are alike on this window", a, b)
			}
		}
	}
	if err := made(t, config(t, small)).Follow("srtf"); err == nil ||
		!strings.Contains(err.Error(), "srtf cannot be followed, expected one of first, spread") {
		t.Errorf("error %v", err)
	}
}

// Under the published protocol a rule's episode is the rule's run: the same means.
func TestPublishedRules(t *testing.T) {
	e, err := Make(simulation.All(), "protocol=deepshare,acts=many,jobs=80,part=validation")
	if err != nil {
		t.Fatal(err)
	}
	m := e.(*model.Env[*rounds])
	if err := m.Follow("first"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Reset(nil, "window=3"); err != nil {
		t.Fatal(err)
	}
	w := deepshare.New(deepshare.Own(), true)
	w.Reset(m.Model().list)
	for w.Live() {
		deepshare.Rules()[2].Play(w, nil)
	}
	action, sum, steps := make([]float64, 1), 0.0, 0
	for {
		if err := m.Demonstrate(action); err != nil {
			t.Fatal(err)
		}
		s, err := m.Step(action)
		if err != nil {
			t.Fatal(err)
		}
		sum += s.Info.Elapsed
		if steps++; s.Done() {
			break
		}
	}
	cost, err := m.Cost()
	if got := m.Model().Means(); err != nil || got != w.Means() || cost != got.TrainedS || sum != float64(w.Round) {
		t.Errorf("%+v in %v rounds, the rule has %+v in %d (%v)", got, sum, w.Means(), w.Round, err)
	}
	if math.IsNaN(sum) || steps < w.Round {
		t.Errorf("%d steps in %d rounds", steps, w.Round)
	}
}

// As published an agent acts once in a round in training, and as often as it places jobs in other parts,
// of whatever part the environment was made.
func TestActs(t *testing.T) {
	e, err := Make(simulation.All(), "protocol=deepshare,jobs=40")
	if err != nil {
		t.Fatal(err)
	}
	first := e.(*model.Env[*rounds])
	for part, want := range map[trait.Part]float64{trait.Train: 1, trait.Validation: 0, trait.Test: 0} {
		one, err := first.Another(part)
		if err != nil {
			t.Fatal(err)
		}
		m := one.(*model.Env[*rounds])
		if _, _, err := m.Reset(nil, "window=1"); err != nil {
			t.Fatal(err)
		}
		s, err := m.Step([]float64{float64(deepshare.First(m.Model().World))})
		if err != nil || s.Info.Elapsed != want {
			t.Errorf("part %s: an action takes %v rounds, expected %v (%v)", part, s.Info.Elapsed, want, err)
		}
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"candidates=0":                      "candidates",
		"slips=false":                       "slips belongs to protocol=deepshare",
		"protocol=deepshare,cluster=1x1x8":  "cluster",
		"protocol=deepshare,tables=/none":   "/none",
		"protocol=deepshare,acts=three":     "acts",
		"protocol=deepsha":                  "protocol",
		"protocol=deepshare,part=tset":      "part",
		"protocol=deepshare,w1=-1":          "w1",
		"protocol=deepshare,mask=perhaps":   "mask",
		"protocol=deepshare,jobs=0":         "jobs",
		"protocol=deepshare,no-such-option": "no-such-option",
	} {
		if _, err := Make(simulation.All(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	for _, text := range []string{"protocol=deepshare", "protocol=deepshare,acts=many"} {
		b.Run(text, func(b *testing.B) {
			e, err := Make(simulation.All(), text)
			if err != nil {
				b.Fatal(err)
			}
			m := e.(*model.Env[*rounds])
			action, done := make([]float64, 1), true
			b.ReportAllocs()
			for b.Loop() {
				if done {
					if _, _, err := m.Reset(nil, ""); err != nil {
						b.Fatal(err)
					}
				}
				action[0] = float64(deepshare.First(m.Model().World))
				s, err := m.Step(action)
				if err != nil {
					b.Fatal(err)
				}
				done = s.Done()
			}
		})
	}
}

func BenchmarkFair(b *testing.B) {
	e := made(b, config(b, small))
	b.ReportAllocs()
	mask := []bool(nil)
	seed, done := uint64(1), true
	for b.Loop() {
		if done {
			_, info, err := e.Reset(&seed, "")
			if err != nil {
				b.Fatal(err)
			}
			mask = info.Mask
		}
		action := []float64{float64(slices.Index(mask[1:], true) + 1)}
		s, err := e.Step(action)
		if err != nil {
			b.Fatal(err)
		}
		mask, done = s.Info.Mask, s.Done()
	}
}
