package place_test

import (
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/place"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
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
				return schedtest.Over(simulation.All(), place.Make)(options)
			}, ResetOptions: []string{"window=2"}, Identity: schedtest.Identity})
		})
	}
	for _, options := range []string{"", ",acts=many,jobs=60", ",mask=false,jobs=40", ",part=test,mask=false,jobs=30",
		",slips=false,acts=one,w1=0.5,w2=0.5,data_seed=3"} {
		t.Run("deepshare"+options, func(t *testing.T) {
			envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) {
				e, err := place.Make(simulation.All(), "protocol=deepshare"+options)
				if err != nil {
					return nil, err
				}
				return wrap.OrderEnforcing(e), nil
			}, ResetOptions: []string{"window=2"}})
		})
	}
}

func config(t testing.TB, text string) place.Config {
	t.Helper()
	return schedtest.Config(t, text, func(s *param.Set) place.Config { return place.Read(s, simulation.All(), place.ID) })
}

func made(t testing.TB, c place.Config) *schedenv.Env {
	t.Helper()
	e, err := place.New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// An agent that follows a rule is the policy with the rule, record for record; the rules differ.
func TestFollowing(t *testing.T) {
	seen := map[string][]sim.Record{}
	for _, r := range []string{"first", "spread", "pack", "quiet", "small"} {
		text := "deepshare:rule=" + r
		c := config(t, strings.Replace(small, "warm=6", "warm=0", 1))
		want := schedtest.Records(t, &c.Config, 1, simtest.Build(t, "deepshare", place.Policy, "rule="+r)())
		for _, follow := range []string{r, text} {
			e := made(t, c)
			got, steps := schedtest.Demonstrated(t, e, "window=1", follow)
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
		seen[r] = want
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

// Under contended kept is 1 whatever runs on the links of a set.
func TestKept(t *testing.T) {
	e := made(t, config(t, "cluster=2x4x4,windows=4,warm=6,horizon=48,load=1.2"))
	schedtest.Kept(t, e, "candidate", "beside")
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"candidates=0":                      "candidates",
		"slips=false":                       "slips belongs to protocol=deepshare",
		"protocol=deepshare,cluster=1x1x8":  "cluster",
		"protocol=deepshare,tables=/none":   "/none",
		"protocol=deepshare,cost=money":     "cost",
		"protocol=deepshare,acts=three":     "acts",
		"protocol=deepsha":                  "protocol",
		"protocol=deepshare,part=tset":      "part",
		"protocol=deepshare,w1=-1":          "w1",
		"protocol=deepshare,mask=perhaps":   "mask",
		"protocol=deepshare,jobs=0":         "jobs",
		"protocol=deepshare,no-such-option": "no-such-option",
	} {
		if _, err := place.Make(simulation.All(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
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
