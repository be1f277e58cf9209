package delaytimer

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
)

// regimes writes scenarios of two sizes, networks, loads and costs, and gives their paths.
func regimes(t testing.TB) []string { return lasting(t, "warm: 6, horizon: 24") }

// lasting is regimes with a warm-up and a horizon of the second scenario's own.
func lasting(t testing.TB, second string) []string {
	t.Helper()
	dir := t.TempDir()
	var out []string
	for name, text := range map[string]string{
		"a.yaml": "cluster: ethernet:2x2x4\nspeed: collective\ncuts: {workload: poisson, load: 1.3, windows: 4, " +
			"warm: 6, horizon: 24}\n",
		"b.yaml": "cluster: 1x2x4\nspeed: contended\ncosts: {restore_s: 20}\ncuts: {workload: bursty, load: 0.9, " +
			"windows: 5, " + second + "}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out = append(out, path)
	}
	slices.Sort(out)
	return out
}

func single(t testing.TB, options string) *schedenv.Env {
	t.Helper()
	e, err := schedtest.Over(simulation.All(), Make)(options)
	if err != nil {
		t.Fatal(err)
	}
	return e.(*schedenv.Env)
}

// trace is what an episode with a given window shows under fixed actions: observations, rewards and
// the sum of rewards.
func episode(t *testing.T, e *schedenv.Env, options string) []float64 {
	t.Helper()
	seed := uint64(3)
	obs, _, err := e.Reset(&seed, options)
	if err != nil {
		t.Fatal(err)
	}
	out := slices.Clone(obs)
	action := make([]float64, e.Spec().Action.Len())
	sum := 0.0
	for k := 0; ; k++ {
		for i := range action {
			action[i] = math.Sin(float64(7*k + i))
		}
		s, err := e.Step(action)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, s.Obs...), s.Reward, s.Info.Elapsed)
		if sum += s.Reward; s.Done() {
			break
		}
	}
	if err := e.Identity(sum); err != nil {
		t.Error(err)
	}
	return out
}

// Window 2k of the mixture is window k of its first scenario, 2k+1 of its second: observations and
// rewards are the same to the last bit.
func TestMixtureIsItsScenarios(t *testing.T) {
	files := lasting(t, "warm: 2, horizon: 17")
	for _, part := range []string{"train", "validation"} {
		mixed := single(t, "mixture="+strings.Join(files, "+")+",part="+part)
		if n := mixed.Windows(schedenv.Part(part)); n != 8 {
			t.Fatalf("%d windows, expected twice the four of the scenario with the fewest", n)
		}
		for r, file := range files {
			alone := single(t, "scenario="+file+",part="+part)
			for k := range 2 {
				number := []string{"window=0", "window=1", "window=2", "window=3"}
				got, want := episode(t, mixed, number[2*k+r]), episode(t, alone, number[k])
				if !slices.Equal(got, want) {
					t.Errorf("%s, scenario %d, window %d: the mixture shows another episode than the scenario", part,
						r, k)
				}
			}
		}
	}
}

// Drawn episodes are of every scenario, and a setting beside the mixture holds for all.
func TestMixtureDrawsAll(t *testing.T) {
	e := single(t, "mixture="+strings.Join(regimes(t), "+")+",load=0.8")
	sizes := map[int]int{}
	seed := uint64(1)
	for i := range 60 {
		given := &seed
		if i > 0 {
			given = nil
		}
		if _, _, err := e.Reset(given, ""); err != nil {
			t.Fatal(err)
		}
		sizes[e.Regime()]++
	}
	if sizes[0] < 15 || sizes[1] < 15 {
		t.Errorf("episodes by scenario are %v, expected about 30 each", sizes)
	}
	for i, r := range e.Config().Regimes {
		if r.Scenario.Cuts.Load != 0.8 {
			t.Errorf("scenario %d has load %v, expected 0.8", i, r.Scenario.Cuts.Load)
		}
	}
}

func TestCheckMixture(t *testing.T) {
	files := strings.Join(regimes(t), "+")
	envtest.CheckEnv(t, envtest.Config{New: func() (env.Env,
		error) {
		return schedtest.Over(simulation.All(), Make)("mixture=" + files)
	}, ResetOptions: []string{"window=3"}, Identity: schedtest.Identity})
}

func TestWrongMixture(t *testing.T) {
	files := lasting(t, "warm: 2, horizon: 17")
	other := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(other, []byte("cluster: 1x2x4\ncuts: {lease_s: 1800}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for options, want := range map[string]string{
		"mixture=" + files[0] + "+" + other: "c.yaml has lease_s of 1800 s, expected the value of ",
		"mixture=" + files[0] + "+" + files[1] + ",warmup=base": "scenario 1 of the mixture has a warm-up of 7200s, " +
			"expected the 21600s of the first",
		"mixture=" + files[0] + "+no.yaml": "mixture: open no.yaml: no such file or " +
			"directory",
		"mixture=" + files[0] + ",scenario=" + files[1]: "mixture and scenario are both given, " +
			"expected one of them",
		"mixture=" + files[0] + `,base="delay:wait_machine=600"`: "mixture with base delay:wait_machine=600, " +
			"expected base dally",
		"mixture=" + files[0] + "+" + files[1] + ",cluster=3x0x4":     "cluster",
		"mixture=" + files[0] + ",warm=-1":                            `warm is "-1"`,
		"mixture=" + files[0] + "+" + files[1] + ",speed=collective2": "speed",
	} {
		if _, err := schedtest.Over(simulation.All(), Make)(options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nerror %v\nexpected %s", options, err, want)
		}
	}
}
