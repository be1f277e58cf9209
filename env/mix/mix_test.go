package mix_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/mix"
	"tarry/env/mix/queues"
	"tarry/env/model"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/env/wrap"
	"tarry/sim"
	"tarry/sim/param"
)

const small = "cluster=2x2x4,windows=4,warm=6,horizon=24,load=1.2"

func made(t testing.TB, options string) env.Env {
	t.Helper()
	e, err := mix.Make(simulation.All(), options)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestConforms(t *testing.T) {
	for _, options := range []string{small, small + ",observe=cluster,members=las+dally-nowait+dally-consolidated",
		"protocol=improper,slots=30", "protocol=improper,members=serve1+serve2+longest,observe=queues,slots=40,part=test"} {
		c := envtest.Config{New: func() (env.Env, error) { return wrap.OrderEnforcing(made(t, options)), nil },
			ResetOptions: []string{"window=2"}}
		if strings.HasPrefix(options, small) {
			c.Identity, c.MaxAllocs = schedtest.Identity, 40 // who takes over begins anew
		}
		envtest.CheckEnv(t, c)
	}
}

// An agent that names one member in every turn is that member alone, to the last record.
func TestOneMemberIsItself(t *testing.T) {
	members := strings.Split("fifo+sjf+las+srtf+dally-nowait", "+")
	s := param.Parse("test", "cluster=2x2x4,windows=3,warm=0,horizon=0,load=1.2,members="+strings.Join(members, "+"))
	c := mix.Read(s, simulation.All(), mix.ID)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	e, err := mix.New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range members {
		alone := schedtest.Records(t, &c.Config, 1, schedtest.Policy(t, policies.All(), name))
		act := func(_ []float64, _ []bool, action []float64) { action[0] = float64(i) }
		played, asked := schedtest.Play(t, e.Env, "window=1", act)
		p, err := mix.AsPolicy(c, act)
		if err != nil {
			t.Fatal(err)
		}
		if frozen := schedtest.Records(t, &c.Config, 1, p); !slices.Equal(played, alone) || !slices.Equal(frozen, alone) ||
			asked < 50 {
			t.Errorf("%s: an agent that names it differs from it (%d questions)", name, asked)
		}
	}
}

// Window 2k of a mixture is window k of its first scenario, 2k+1 of its second: an agent that names
// members in turn is asked and rewarded as there, to the last bit.
func TestMixtureIsItsScenarios(t *testing.T) {
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml")}
	for i, text := range []string{
		"cluster: ethernet:2x2x4\nspeed: collective\ncuts: {load: 1.3, windows: 4, warm: 0, horizon: 12}\n",
		"cluster: 1x2x4\ncuts: {workload: bursty, load: 0.9, windows: 4, warm: 2, horizon: 17}\n"} {
		if err := os.WriteFile(files[i], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	play := func(options, window string) []float64 {
		e := made(t, options+",observe=cluster,members=fifo+las+dally-nowait")
		seed := uint64(3)
		out, _, err := e.Reset(&seed, "window="+window)
		if err != nil {
			t.Fatal(err)
		}
		out = slices.Clone(out)
		for k := 0; ; k++ {
			s, err := e.Step([]float64{float64(k % 3)})
			if err != nil {
				t.Fatal(err)
			}
			if out = append(append(out, s.Obs...), s.Reward); s.Done() {
				return out
			}
		}
	}
	for w, name := range []string{"0", "1", "2", "3"} {
		mixed := play("mixture="+strings.Join(files, "+"), name)
		alone := play("scenario="+files[w%2], []string{"0", "1"}[w/2])
		if !slices.Equal(mixed, alone) || len(mixed) < 100 {
			t.Errorf("window %d of the mixture is another episode than that of its scenario (%d numbers)", w, len(mixed))
		}
	}
}

// An agent that names members at random is asked at each multiple of `every`, and is as a policy what
// it is as an environment.
func TestTurns(t *testing.T) {
	s := param.Parse("test", "cluster=2x2x4,windows=3,warm=0,horizon=0,load=1.2,observe=cluster,every=0.5")
	c := mix.Read(s, simulation.All(), mix.ID)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	e, err := mix.New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	actor := func() schedenv.Actor {
		r := rand.New(rand.NewPCG(1, 2))
		return func(_ []float64, _ []bool, action []float64) { action[0] = float64(r.IntN(4)) }
	}
	act, early := actor(), 0
	played, _ := schedtest.Play(t, e.Env, "window=0", func(obs []float64, mask []bool, action []float64) {
		if at := e.View().Now() % (1800 * sim.Second); at != 0 {
			early++ // a turn that begins with the first job after an empty system
		}
		act(obs, mask, action)
	})
	p, err := mix.AsPolicy(c, actor())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(played, schedtest.Records(t, &c.Config, 0, p)) || early > 12 {
		t.Errorf("the policy differs from the episode, or %d questions are off the grid", early)
	}
}

// Demonstrations name the member, or all in turn.
func TestDemonstrations(t *testing.T) {
	for rule, want := range map[string]string{"las": "22222222", "fifo": "00000000", "turns": "0123"} {
		e := made(t, small).(*mix.Env)
		if err := e.Follow(rule); err != nil {
			t.Fatal(err)
		}
		if _, _, err := e.Reset(nil, "window=0"); err != nil {
			t.Fatal(err)
		}
		got, action := "", []float64{0}
		for range 8 {
			if err := e.Demonstrate(action); err != nil {
				t.Fatal(err)
			}
			got += string(rune('0' + int(action[0])))
			if _, err := e.Step(action); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, expected %s", rule, got, want)
		}
	}
	err := made(t, small).(*mix.Env).Follow("dally")
	if err == nil || !strings.Contains(err.Error(), "expected one of fifo, sjf, las, srtf, turns") {
		t.Error(err)
	}
}

// Episodes of two queues cost what the chain has, each member alone and the even mixture.
func TestQueuesAgainstTheChain(t *testing.T) {
	const options = "protocol=improper,members=serve1+serve2+longest,arrivals=0.3+0.6,windows=600,slots=120,part=test"
	e := made(t, options).(*model.Env[*mix.Queues])
	spec := queues.Spec{Arrival: [2]float64{0.3, 0.6}, Buffer: 25}
	var rules []queues.Rule
	for _, name := range queues.Rules() {
		rule, err := queues.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, rule)
	}
	for rule, mixture := range map[string][]float64{"serve1": {1, 0, 0}, "serve2": {0, 1, 0}, "longest": {0, 0, 1},
		"uniform": {1. / 3, 1. / 3, 1. / 3}} {
		if err := e.Follow(rule); err != nil {
			t.Fatal(err)
		}
		sum, squares, action := 0.0, 0.0, []float64{0}
		const n = 600
		for w := range n {
			_, _, err := e.Reset(nil, "window="+itoa(w))
			for done := false; err == nil && !done; {
				if err = e.Demonstrate(action); err == nil {
					var s env.Step
					s, err = e.Step(action)
					done = s.Done()
				}
			}
			cost, wrong := e.Cost()
			if err != nil || wrong != nil {
				t.Fatal(err, wrong)
			}
			sum, squares = sum+cost, squares+cost*cost
		}
		mean, want := sum/n, spec.Values(rules, mixture, 0.9)[0]
		if off := 4 * math.Sqrt((squares/n-mean*mean)/n); math.Abs(mean-want) > off {
			t.Errorf("%s: %v, the chain has %v, within %v", rule, mean, want, off)
		}
	}
}

func itoa(n int) string {
	return string([]byte{byte('0' + n/100), byte('0' + n/10%10), byte('0' + n%10)})
}

func TestRefusals(t *testing.T) {
	for options, want := range map[string]string{
		"members=fifo":                           "among 1 members",
		"members=fifo+none":                      "none",
		"members=fifo+elasticflow":               "elasticflow cannot take over",
		"slots=3":                                "slots is given, expected it with protocol=improper alone",
		"observe=queues":                         "observe is queues, expected it with protocol=improper alone",
		"protocol=improper,every=2":              "every is given, expected it with protocol=fair alone",
		"protocol=improper,observe=cluster":      "observe is cluster, expected it with protocol=fair alone",
		"protocol=improper,members=fifo+serve1":  `rule "fifo", expected one of`,
		"protocol=improper,arrivals=0.5":         "arrivals are 0.5, expected two numbers",
		"protocol=improper,arrivals=0.5+1.5":     "arrivals are 1.5 per slot",
		"protocol=improper,cluster=2x2x4":        "cluster",
		"protocol=other":                         "protocol",
		"protocol=improper,discount=1,windows=3": "discount",
	} {
		if _, err := mix.Make(simulation.All(), options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", options, err, want)
		}
	}
}
