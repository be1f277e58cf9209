package pairs

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/score"
	"tarry/baselines/typed"
	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/layout"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/env/trait"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// small is a cluster of two types, whose jobs are in one another's way.
const small = "cluster=testdata/duo.yaml,warm=8,horizon=60,load=1.1"

func config(t testing.TB, text string) Config {
	t.Helper()
	c := schedtest.Config(t, text, func(s *param.Set) Config { return Read(s, simulation.All(), ID) })
	c.Horizon = 0
	return c
}

func made(t testing.TB, c Config) *Env {
	t.Helper()
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// policy is one of the catalogue.
func policy(t testing.TB, name string) sim.Policy {
	t.Helper()
	return schedtest.Policy(t, policies.All(), name)
}

// wild scores by what it sees.
func wild(obs []float64, _ []bool, action []float64) {
	x := 0.0
	for i, o := range obs {
		x += o * float64(1+i%7)
	}
	for i := range action {
		action[i] = math.Sin(x*17 + float64(i*i))
	}
}

func TestCheckEnv(t *testing.T) {
	for _, options := range []string{"cluster=testdata/duo.yaml,windows=4,warm=6,horizon=24,jobs=24",
		"cluster=testdata/duo.yaml,windows=3,warm=6,horizon=30,checkpoint_s=30,restore_s=10," +
			"reward=relative,part=validation,jobs=5,load=1.2",
		"cluster=2x2x4,windows=4,warm=6,horizon=24,jobs=24,eager=false,speed=contended,price=1"} {
		t.Run(options, func(t *testing.T) {
			envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) {
				return schedtest.Over(simulation.All(), Make)(options)
			}, ResetOptions: []string{"window=2"}, Identity: schedtest.Identity})
		})
	}
}

// Before the agent is asked, and without an answer, it is typed.
func TestBaseIsTyped(t *testing.T) {
	for _, own := range []string{"", "price=1,elsewhere=0.5", "eager=false,round=900", "exact=true"} {
		c := config(t, strings.TrimSuffix(small+",checkpoint_s=20,"+own, ","))
		want := schedtest.Records(t, &c.Config, 1, policy(t, strings.TrimSuffix("typed:"+own, ":")))
		c.Warm, c.WarmBase = 1e9*sim.Second, true
		p, err := AsPolicy(c, wild)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(schedtest.Records(t, &c.Config, 1, p), want) {
			t.Errorf("%s: the records differ from those of typed", own)
		}
		if got := schedtest.Records(t, &c.Config, 1, policy(t, made(t, c).Base())); !slices.Equal(got, want) {
			t.Errorf("%s: the base is called %s", own, made(t, c).Base())
		}
	}
}

// An agent that follows typed with other weights is that policy.
func TestFollowing(t *testing.T) {
	for _, baseline := range []string{"typed", "typed:price=2,edge=0.5,rank=0.7,age=-0.1",
		"typed:slower=3,elsewhere=1,running=-0.5,pressure_gpus=0.2"} {
		c := config(t, strings.Replace(small, "warm=8", "warm=0", 1))
		e := made(t, c)
		got, steps := schedtest.Demonstrated(t, e.Env, "window=1", baseline)
		if !slices.Equal(got, schedtest.Records(t, &c.Config, 1, policy(t, baseline))) {
			t.Errorf("%s: the records differ", baseline)
		}
		if steps < 50 {
			t.Errorf("%s: only %d questions", baseline, steps)
		}
	}
	for _, other := range []string{"las", "typed:exact=true"} {
		if err := made(t, config(t, small)).Follow(other); err == nil || !strings.Contains(err.Error(), "expected typed") {
			t.Errorf("%s gives %v", other, err)
		}
	}
}

// The same agent outside and inside the loop gives the same run.
func TestAsPolicyIsTheEnvironment(t *testing.T) {
	for _, text := range []string{small, small + ",jobs=5", small + ",checkpoint_s=20,restore_s=5,eager=false"} {
		c := config(t, text+",warmup=base") // episodes begin after it
		schedtest.Inside(t, text, made(t, c).Env, c, 2, wild, AsPolicy)
	}
}

// With the list too short, an agent that scores as typed is typed all the same where jobs have one
// pair: the jobs that are not in it come after the others, in the order of typed.
func TestShortList(t *testing.T) {
	for _, jobs := range []string{"1", "3", "9"} {
		c := config(t, "cluster=2x3x4,warm=0,horizon=60,load=1.2,jobs="+jobs)
		e, full := made(t, c), 0
		v := starts(e)
		got, _ := schedtest.Play(t, e.Env, "window=1", func(obs []float64, _ []bool, action []float64) {
			if e.Items(nil)[len(action)-1] >= 0 {
				full++
			}
			if err := e.Answer(action, obs, v); err != nil {
				t.Fatal(err)
			}
		})
		if full < 20 || !slices.Equal(got, schedtest.Records(t, &c.Config, 1, policy(t, "typed"))) {
			t.Errorf("%s jobs: the list was full %d times; the records differ from those of typed, or it never was", jobs,
				full)
		}
	}
}

// A row has what is known of a pair, by hand: two jobs on a cluster of two types.
func TestRows(t *testing.T) {
	c := config(t, "cluster=testdata/pair.yaml,warm=0,jobs=3")
	c.Source = fixed{[]sim.Job{{ID: "a", GPUs: 2, Work: 1000 * sim.Second, Model: "ResNet50"},
		{ID: "b", GPUs: 6, Work: 9000 * sim.Second, Model: "ResNet50"}}}
	e := made(t, c)
	obs, _, err := e.Reset(nil, "window=0")
	if err != nil {
		t.Fatal(err)
	}
	names := layout.Names(e.Spec().Layout.Segments[1].Features)
	at := func(place int, name string) float64 {
		return obs[len(obs)-(6-place)*rowLen+slices.Index(names, name)]
	}
	v100 := slices.Index(e.View().Topology().Types(), "V100")
	k80 := 1 - v100
	gap := at(k80, "slower") // of both jobs: they have one model, and price is a mean over one that has a choice
	for _, x := range []struct {
		place int
		name  string
		want  float64
	}{
		{0, "present", 1}, {1, "present", 1}, {2, "present", 1}, {3, "present", 0}, {4, "present", 0},
		{v100, "gpus", math.Ln2}, {2, "gpus", math.Log(6)}, {v100, "wide", 0}, {2, "wide", 1}, {2, "price", 0},
		{v100, "slower", 0}, {v100, "price", 0}, {k80, "price", -gap}, {v100, "edge", -gap}, {k80, "edge", gap},
		{v100, "best", at(k80, "best")}, {v100, "elsewhere", 0},
	} {
		if got := at(x.place, x.name); math.Abs(got-x.want) > 1e-12 {
			t.Errorf("place %d: %s is %v, expected %v", x.place, x.name, got, x.want)
		}
	}
	if gap < 0.5 {
		t.Errorf("a K80 is as fast as a V100 but for %v", gap)
	}
}

// starts is where a search begins.
func starts(e *Env) (v []float64) {
	for _, p := range e.Parameters() {
		v = append(v, p.Start)
	}
	return v
}

// fixed is one window for all parts.
type fixed struct{ jobs []sim.Job }

func (fixed) Windows(schedenv.Part) int { return 1 }

func (f fixed) Window(schedenv.Part, int) (*sim.Workload, error) {
	return sim.NewWorkload("fixed", slices.Clone(f.jobs))
}

// Items name the pairs that are shown, each by a number of its own for as long as its job is there.
func TestItems(t *testing.T) {
	e := made(t, config(t, small+",jobs=12"))
	on, ok := env.Find[trait.Itemised](env.Env(e))
	if !ok {
		t.Fatal("it is not trait.Itemised")
	}
	if got := on.Items([]int{7}); len(got) != 25 || got[0] != 7 || slices.Max(got[1:]) != -1 {
		t.Errorf("before the first reset %v, expected no pair", got)
	}
	obs, _, err := e.Reset(nil, "window=1")
	gpus, lasted, before := map[int]float64{}, 0, []int(nil)
	for step := 0; err == nil && step < 100; step++ {
		items := on.Items(nil)
		for i, x := range items {
			row := obs[len(obs)-(24-i)*rowLen:][:rowLen]
			if (x >= 0) != (row[0] == 1) || x >= 0 && (slices.Index(items, x) != i || x%2 != i%2) {
				t.Fatalf("place %d of %v: pair %d where present is %v", i, items, x, row[0])
			}
			asked := row[1+int(score.GPUs)]
			if was, known := gpus[x]; x >= 0 && known && was != asked { // what a job asks for does not change
				t.Fatalf("pair %d asks for exp(%v) GPUs, then for exp(%v)", x, was, asked)
			} else if x >= 0 {
				gpus[x] = asked
			}
			if x >= 0 && slices.Contains(before, x) {
				lasted++
			}
		}
		before = items
		var s env.Step
		s, err = e.Step(make([]float64, 24))
		if obs = s.Obs; s.Done() {
			break
		}
	}
	if err != nil || lasted < 100 || len(gpus) < 20 {
		t.Errorf("%d pairs, %d seen again, error %v", len(gpus), lasted, err)
	}
}

// The policy with an agent in it keeps the kernel's rules, and can be resumed from a snapshot.
func TestConformance(t *testing.T) {
	c := config(t, "cluster=v100:1x2x4+k80:1x2x4,law_median_s=20,law_spread=1,jobs=6,round=5")
	c.Warm = 0
	for _, eager := range []bool{true, false} {
		c.Typed.Eager = eager
		simtest.Policy(t, func() sim.Policy {
			p, err := AsPolicy(c, wild)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}, simtest.Options{Seeds: 12})
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"features=rank+rnak": `the feature "rnak" is unknown`,
		"features=rank+rank": "there twice",
		"weights=/none":      "/none",
		"jobs=0":             "jobs",
		"price=101":          "price",
		"cost=x":             "cost",
	} {
		if _, err := Make(simulation.All(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	if n := len(typed.TermNames()); n != typed.NumTerms {
		t.Errorf("%d terms, expected %d", n, typed.NumTerms)
	}
}
