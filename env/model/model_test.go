package model_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/layout"
	"tarry/env/model"
	"tarry/env/trait"
	"tarry/env/wrap"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// queue is a toy: of two queues one is served; jobs come as the instance draws them.
type queue struct {
	r     *rng.Stream
	long  [2]float64
	steps int
	cost  float64
}

func (q *queue) Start(r *rng.Stream) error {
	*q = queue{r: r, long: [2]float64{float64(r.IntN(4)), float64(1 + r.IntN(4))}, cost: 1}
	return nil
}

func (q *queue) Observe(obs []float64, mask []bool) {
	for i, n := range q.long {
		obs[i] = n
		mask[i] = n > 0 || q.long[1-i] == 0
	}
}

func (q *queue) Act(a []float64) model.Outcome {
	i := int(a[0])
	q.long[i] = max(0, q.long[i]-1)
	for k := range q.long {
		if q.r.Float64() < 0.4 {
			q.long[k] = min(20, q.long[k]+1)
		}
	}
	q.steps++
	q.cost += q.long[0] + q.long[1]
	return model.Outcome{Reward: -q.long[0] - q.long[1], Elapsed: 1, Terminated: q.steps == 30}
}

func (q *queue) Metrics(dst []float64) { dst[0] = q.long[0] + q.long[1] }
func (q *queue) Cost() float64         { return q.cost }

func config(s *param.Set) model.Config[*queue] {
	always := func(q *queue, action []float64) {
		if action[0] = 0; q.long[0] == 0 && q.long[1] > 0 {
			action[0] = 1
		}
	}
	return model.Config[*queue]{Settings: model.ReadSettings(s), CostName: "jobs",
		New: func() *queue { return new(queue) },
		Spec: env.Spec{ID: "toy/Queues-v0", Masked: true, Action: env.Discrete{N: 2}, Observation: env.NewBox(0, 20, 2),
			Metrics: []string{"jobs"},
			Layout: layout.Observation{Segments: []layout.Segment{{Name: "queue", Doc: "a queue", Items: 2,
				Features: layout.Features("jobs  0..20  jobs  how many wait")}}},
			Guide: layout.Guide{Action: layout.Features("0..1  serve that queue"), Reward: "minus the jobs",
				Ends: "terminated after 30"}},
		Rules: []model.Rule[*queue]{
			{Name: "first", Doc: "the first queue that has a job",
				Fresh: func(*rng.Stream) func(*queue, []float64) { return always }},
			{Name: "turns", Doc: "in turn, at random where both have jobs", Fresh: func(r *rng.Stream) func(*queue, []float64) {
				return func(q *queue, action []float64) {
					if always(q, action); q.long[0] > 0 && q.long[1] > 0 {
						action[0] = float64(r.IntN(2))
					}
				}
			}},
		}}
}

func made(t testing.TB, options string) *model.Env[*queue] {
	t.Helper()
	e, err := model.Make("toy/Queues-v0", options, config)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestConforms(t *testing.T) {
	for _, options := range []string{"", "part=test,windows=3,data_seed=7"} {
		envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) { return wrap.OrderEnforcing(made(t, options)), nil },
			ResetOptions: []string{"window=2"}})
	}
}

// The same window of a part is the same instance for all agents; other parts and seeds draw others.
func TestInstances(t *testing.T) {
	first := func(options, reset string) [2]float64 {
		e := made(t, options)
		if _, _, err := e.Reset(nil, reset); err != nil {
			t.Fatal(err)
		}
		return e.Model().long
	}
	same, seen := 0, map[string]bool{}
	for i := range 20 {
		w := "window=" + string(rune('0'+i%10))
		if first("windows=10", w) != first("windows=10", w) {
			t.Error("a window is drawn twice, differently")
		}
		if first("windows=10", w) == first("windows=10,part=test", w) {
			same++
		}
	}
	if same > 10 {
		t.Errorf("%d of 20 test windows begin like those of training", same)
	}
	e := made(t, "windows=5,part=test")
	for _, p := range []trait.Part{trait.Train, trait.Validation, trait.Test} {
		for i := range 5 {
			h, err := e.WindowHash(p, i)
			if err != nil || seen[h] {
				t.Errorf("hash %q, %v", h, err)
			}
			seen[h] = true
		}
	}
	a, _ := e.WindowHash(trait.Train, 1)
	b, _ := made(t, "windows=5,part=train").WindowHash(trait.Train, 1)
	if _, err := e.WindowHash(trait.Test, 5); a != b || err == nil {
		t.Errorf("hashes %s and %s, and of a window that is not there %v", a, b, err)
	}
}

// A rule demonstrates what it would do; its memory does not depend on the actions, and after a restore.
func TestFollow(t *testing.T) {
	e := made(t, "windows=4")
	if err := e.Demonstrate(make([]float64, 1)); err == nil {
		t.Error("demonstrates without a rule")
	}
	if err := e.Follow("turn"); err == nil || !strings.Contains(err.Error(), `"turn": unknown, expected one of first, turns`) {
		t.Errorf("error %v", err)
	}
	play := func(restore bool) (advice []float64, cost float64) {
		e := made(t, "windows=4")
		if err := e.Follow("turns"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := e.Reset(nil, "window=3"); err != nil {
			t.Fatal(err)
		}
		a := make([]float64, 1)
		for step := 0; ; step++ {
			if err := e.Demonstrate(a); err != nil {
				t.Fatal(err)
			}
			advice = append(advice, a[0])
			if restore && step == 9 {
				data, err := e.Snapshot()
				if err != nil {
					t.Fatal(err)
				}
				e = made(t, "windows=4")
				if err := e.Follow("turns"); err != nil {
					t.Fatal(err)
				}
				if _, err := e.Restore(data); err != nil {
					t.Fatal(err)
				}
			}
			s, err := e.Step(a)
			if err != nil {
				t.Fatal(err)
			}
			if s.Done() {
				cost, err := e.Cost()
				if err != nil {
					t.Fatal(err)
				}
				return advice, cost
			}
			if _, err := e.Cost(); err == nil {
				t.Fatal("a cost before the end")
			}
		}
	}
	a, x := play(false)
	b, y := play(true)
	if len(a) != 30 || x != y || !equal(a, b) {
		t.Errorf("%v for %v, after a restore %v for %v", a, x, b, y)
	}
}

func equal(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

func TestFaults(t *testing.T) {
	for options, want := range map[string]string{"part=tset": "part", "windows=0": "windows", "window=3": "window",
		"data_seed=-1": "data_seed"} {
		if _, err := model.Make("toy/Queues-v0", options, config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", options, err)
		}
	}
	c := config(param.Parse("", ""))
	c.Rules = append(c.Rules, c.Rules[0])
	if _, err := model.New(c, ""); err == nil || !strings.Contains(err.Error(), `a rule has the name "first"`) {
		t.Errorf("error %v", err)
	}
	e := made(t, "windows=2")
	if _, _, err := e.Reset(nil, "window=2"); err == nil {
		t.Error("a window that is not there")
	}
	if _, err := e.Step([]float64{0}); !errors.Is(err, env.ErrResetNeeded) {
		t.Errorf("error %v", err)
	}
}

// bad has rewards and costs that are no numbers.
type bad struct{ queue }

func (b *bad) Act(a []float64) model.Outcome {
	return model.Outcome{Reward: math.NaN(), Elapsed: 1, Terminated: true}
}
func (b *bad) Cost() float64 { return math.Inf(1) }

func TestNumbers(t *testing.T) {
	c := config(param.Parse("", ""))
	e, err := model.New(model.Config[*bad]{Settings: c.Settings, Spec: c.Spec, CostName: "x",
		New: func() *bad { return new(bad) }}, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.Reset(nil, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Step([]float64{1}); err == nil || !strings.Contains(err.Error(), "reward is NaN") {
		t.Errorf("error %v", err)
	}
	if _, err := e.Cost(); err == nil || !strings.Contains(err.Error(), "x is +Inf") {
		t.Errorf("error %v", err)
	}
}
