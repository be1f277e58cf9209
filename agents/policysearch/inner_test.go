package policysearch

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/env"
	"tarry/env/trait"
	"tarry/sim/rng"
)

func TestCompared(t *testing.T) {
	played := [][]result{{{cost: 1}, {cost: 2}, {cost: 2}}, {{cost: 8}, {cost: 2}, {cost: 4}}}
	for way, want := range map[string][]float64{Mean: {4.5, 2, 3}, Rank: {1, 0.75, 1.25},
		Log: {1.5 * math.Ln2, math.Ln2, 1.5 * math.Ln2}} {
		got, err := compared(way, played, 3)
		if err != nil || !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%s gives %v, %v, expected %v", way, got, err, want)
		}
	}
	if _, err := compared(Log, [][]result{{{cost: 1}, {cost: -3}}}, 2); err == nil ||
		err.Error() != "window 0 costs -3, expected more than 0 with cost=log: take mean or rank" {
		t.Errorf("the logarithm of a negative cost gives %v", err)
	}
}

// What is out of bounds is moved to them, in both units.
func TestDecode(t *testing.T) {
	s := spaceOf([]trait.Parameter{{Name: "a", Start: 1, Sigma: 2, Lo: math.Inf(-1), Hi: math.Inf(1)},
		{Name: "b", Start: 3, Sigma: 1, Lo: 2, Hi: 4}}, 0.5)
	x, z := make([]float64, 2), []float64{-3, 7}
	if s.decode(x, z); !slices.Equal(x, []float64{-2, 4}) || !slices.Equal(z, []float64{-3, 2}) {
		t.Errorf("decoded %v of %v, expected [-2 4] of [-3 2]", x, z)
	}
}

// listed is an environment with so many windows that notes which were asked for.
type listed struct {
	env.Env
	windows int
	asked   *[]string
}

func (e *listed) Part() trait.Part                           { return trait.Train }
func (e *listed) Windows(trait.Part) int                     { return e.windows }
func (e *listed) WindowHash(trait.Part, int) (string, error) { return "", nil }
func (e *listed) Reset(seed *uint64, o string) ([]float64, env.Info, error) {
	*e.asked = append(*e.asked, fmt.Sprint(o, *seed))
	return e.Env.Reset(seed, "")
}

// All vectors of a generation meet the same windows, each of which is another; the next generation
// meets others, or the same ones.
func TestCommonWindows(t *testing.T) {
	for _, fresh := range []bool{true, false} {
		cfg := Default()
		cfg.Generations, cfg.Population, cfg.Windows, cfg.FreshWindows = 2, 5, 3, fresh
		var asked [3][]string
		l, err := CMAES.New(cfg, 2, func(i int) (env.Env, error) {
			e, err := agenttest.Classic("classic/CartPole-v1")(i)
			return &listed{e, 40, &asked[i]}, err
		})
		agenttest.Train(t, l, err)
		l.Close()
		var first []string
		for i, a := range asked {
			if len(a) != 10 || len(slices.Compact(slices.Clone(a[:5]))) != 1 ||
				len(slices.Compact(slices.Clone(a[5:]))) != 1 {
				t.Fatalf("environment %d was asked for %v, expected one window for each generation of five", i, a)
			}
			if (a[0] != a[5]) != fresh {
				t.Errorf("fresh_windows=%v, and the generations had %s and %s", fresh, a[0], a[5])
			}
			first = append(first, strings.Split(a[0], "=")[1])
		}
		slices.Sort(first)
		if len(slices.Compact(first)) != 3 {
			t.Errorf("windows %v, expected three", first)
		}
	}
	cfg := Default()
	_, err := CMAES.New(cfg, 1, func(i int) (env.Env, error) {
		e, err := agenttest.Classic("classic/CartPole-v1")(i)
		return &listed{e, 4, new([]string)}, err
	})
	if want := "cmaes-policy: windows is 16, expected at most the 4 that part train of " +
		"classic/CartPole-v1 has"; err == nil || err.Error() != want {
		t.Errorf("too many windows give %v, expected %s", err, want)
	}
}

// Playing an episode allocates nothing beyond what the environment does.
func TestEpisodesDoNotAllocate(t *testing.T) {
	cfg := Default()
	cfg.Windows, cfg.Hidden = 1, []int{8}
	l, err := CMAES.New(cfg, 1, agenttest.Classic("classic/CartPole-v1"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	w := window{number: -1, seed: 3}
	a, e := l.actors[0], l.places[0].env
	action := make([]float64, 1)
	alone := testing.AllocsPerRun(50, func() {
		for _, _, err := e.Reset(&w.seed, ""); err == nil; {
			s, err := e.Step(action)
			if err != nil || s.Done() {
				break
			}
		}
	})
	got := testing.AllocsPerRun(50, func() {
		set(a.weights, l.x[0])
		if _, err := a.episode(e, &w, nil, nil); err != nil {
			t.Fatal(err)
		}
	})
	if got > alone {
		t.Errorf("an episode takes %g allocations, the environment alone %g", got, alone)
	}
}

// Mirrored pairs, and the best vector of random search, which stays until another beats it.
func TestStrategies(t *testing.T) {
	cfg := Default()
	cfg.Population = 4
	draws := rng.Source{Seed: 1}.Stream("x")
	z := [][]float64{{0, 0}, {0, 0}, {0, 0}, {0, 0}}
	OpenES.strategy(&cfg, 2).draw(z, draws)
	for k := 0; k < 4; k += 2 {
		if z[k][0] != -z[k+1][0] || z[k][1] != -z[k+1][1] || z[k][0] == 0 {
			t.Errorf("pair %v and %v, expected mirrored ones", z[k], z[k+1])
		}
	}
	s := Random.strategy(&cfg, 2)
	s.draw(z, draws)
	if !slices.Equal(z[0], []float64{0, 0}) {
		t.Errorf("the first vector is %v, expected the start", z[0])
	}
	second := slices.Clone(z[1])
	s.learn(z, []float64{5, 3, 4, 3})
	s.draw(z, draws)
	if !slices.Equal(z[0], second) || slices.Equal(z[1], second) {
		t.Errorf("the next generation begins with %v, expected the best so far, %v", z[0], second)
	}
	s.learn(z, []float64{1, 1, 1, 1})
	if !slices.Equal(s.mean(), second) {
		t.Error("the best so far was left for one that is no better")
	}
}

func TestValidate(t *testing.T) {
	c := Config{Population: 3, Cost: "man", Policy: "net", Sigma: -1, LearningRate: 11, Horizon: math.NaN(),
		Hidden: []int{0}}
	err := OpenES.Validate(&c)
	for _, want := range []string{"openai-es-policy: generations is 0, expected at least 1",
		"population is 3, expected an even number", "windows is 0",
		`cost is "man", expected one of mean, rank, log; did you mean "mean"?`,
		`policy is "net", expected one of auto, parameters, network`, "sigma is -1", "learning_rate is 11",
		"horizon is NaN", "hidden[0] is 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in\n%v", want, err)
		}
	}
	d := Default()
	for _, k := range []Kind{CMAES, OpenES, Random} {
		if err := k.Validate(&d); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []struct {
		set  func(*Config)
		want string
	}{{func(c *Config) { c.Policy = Parameters }, "policy is parameters, but classic/CartPole-v1 has none: expected " +
		"network or auto"}} {
		cfg := Default()
		c.set(&cfg)
		if _, err := CMAES.New(cfg, 1, agenttest.Classic("classic/CartPole-v1")); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, expected %s", err, c.want)
		}
	}
}
