package parallelqueues

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/model"
	"tarry/env/scenario"
)

func made(t testing.TB, options string) *model.Env[*Play] {
	t.Helper()
	e, err := model.Make(ID, options, Read)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestConforms(t *testing.T) {
	for _, options := range []string{"jobs=80", "queues=3,buffer=2,observe=open,service=gamma,jobs=60,part=test",
		"observe=lengths,service=pareto,load=1.5,jobs=60", "protocol=published,jobs=50", "queues=1,jobs=20,ack=0"} {
		envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) { return made(t, options), nil },
			ResetOptions: []string{"window=2"}, Identity: func(e env.Env, sum env.Episode) error {
				m, _ := env.Find[*model.Env[*Play]](e)
				cost, err := m.Cost()
				if want := -cost * float64(sum.Steps); err == nil && math.Abs(sum.Return-want) > 1e-9*-want {
					t.Errorf("%s: rewards sum to %v, expected %v", options, sum.Return, want)
				}
				return err
			}})
	}
}

// played is the mean of an episode's cost and of its metrics under a rule.
func played(t *testing.T, options, rule string, windows int) (cost float64, metrics []float64) {
	t.Helper()
	e := made(t, options)
	if err := e.Follow(rule); err != nil {
		t.Fatal(err)
	}
	action, step := make([]float64, 1), env.Step{}
	metrics = make([]float64, 4)
	for range windows {
		_, _, err := e.Reset(nil, "")
		for step = (env.Step{}); err == nil && !step.Done(); {
			if err = e.Demonstrate(action); err == nil {
				step, err = e.Step(action)
			}
		}
		c, costErr := e.Cost()
		if err != nil || costErr != nil {
			t.Fatal(err, costErr)
		}
		cost += c / float64(windows)
		for i, x := range step.Info.Metrics {
			metrics[i] += x / float64(windows)
		}
	}
	return cost, metrics
}

// One queue without a bound is M/M/1, M/G/1 with the other laws: mean response by Pollaczek and
// Khinchine, of squared variation 1, 1/2 and 1/(a(a-2)).
func TestFormulas(t *testing.T) {
	const load = 0.5
	for service, squared := range map[string]float64{exponential: 1, gamma: 0.5, pareto: 1 / (exponent * (exponent - 2))} {
		_, m := played(t, "queues=1,buffer=1000,jobs=40000,load=0.5,service="+service, "jsq", 4)
		want := 1/fast + load/fast/(1-load)*(1+squared)/2
		if math.Abs(m[3]-want) > 0.08*want {
			t.Errorf("%s: mean response %v s, by formula %v", service, m[3], want)
		}
	}
}

// Rules that see the queues are better than rules that take turns. Ties of the expected delay to
// the shorter queue are better than ties to the faster one, by sight and by open jobs alike.
func TestRules(t *testing.T) {
	cost := map[string]float64{}
	for _, rule := range rules() {
		cost[rule.Name], _ = played(t, "jobs=1000", rule.Name, 30)
		t.Logf("%-14s %.2f", rule.Name, cost[rule.Name])
	}
	for _, order := range [][]string{{"jsq", "jsq2", "longest-ago", "round-robin"},
		{"sed-room", "sed-open-room", "sed", "sed-open", "longest-ago"}} {
		for i, rule := range order[1:] {
			if !(cost[order[i]] < cost[rule]) {
				t.Errorf("%s costs %v, %s %v", order[i], cost[order[i]], rule, cost[rule])
			}
		}
	}
}

// A queue's service times and acknowledgements do not depend on what the others get.
func TestDraws(t *testing.T) {
	times := func(other int) (out []int64) {
		e := made(t, "queues=3,jobs=9")
		if _, _, err := e.Reset(nil, "window=4"); err != nil {
			t.Fatal(err)
		}
		for range other {
			if _, err := e.Step([]float64{1}); err != nil {
				t.Fatal(err)
			}
		}
		for range 4 {
			out = append(out, e.Model().serviceUS(0))
		}
		return out
	}
	if a, b := times(0), times(5); !slices.Equal(a, b) {
		t.Errorf("%v and %v", a, b)
	}
}

func TestFaults(t *testing.T) {
	for options, want := range map[string]string{"protocol=pol": "protocol", "queues=0": "queues", "ack=2": "ack",
		"service=weibull": "service", "observe=all": "observe", "jobs=0": "jobs", "colour=red": "colour"} {
		if _, err := Make(scenario.Catalogues{}, options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", options, err)
		}
	}
}
