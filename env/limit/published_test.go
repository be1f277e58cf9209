package limit

import (
	"fmt"
	"math"
	"testing"

	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/limit/spark"
	"tarry/env/model"
	"tarry/env/wrap"
	"tarry/sim/entry"
)

func decimaEnv(t testing.TB, options string) *model.Env[*published] {
	t.Helper()
	e, err := Make(entry.Catalogues{}, "protocol=decima,"+options)
	if err != nil {
		t.Fatal(err)
	}
	return e.(*model.Env[*published])
}

func TestDecimaConforms(t *testing.T) {
	for _, options := range []string{"list_jobs=8", "list_jobs=6,stages=4,part=test,windows=3",
		"list_jobs=9,stages=4,places=5,executors=3,interval=1"} {
		envtest.CheckEnv(t, envtest.Config{
			New:          func() (env.Env, error) { return wrap.OrderEnforcing(decimaEnv(t, options)), nil },
			ResetOptions: []string{"window=2"},
			Identity: func(e env.Env, sum env.Episode) error {
				m, _ := env.Find[*model.Env[*published]](e)
				p := m.Model()
				want := -p.Cost() * float64(len(p.jobs)) / 100
				if !(math.Abs(sum.Return-want) < 1e-9*math.Abs(want)) || p.err != nil {
					return fmt.Errorf("return %v, the times in the system %v, error %w", sum.Return, want, p.err)
				}
				return nil
			}})
	}
}

// demonstrated plays a window by a rule in the agent's actions, and gives the cost; look is called in
// each question.
func demonstrated(t testing.TB, e *model.Env[*published], rule string, window int,
	look func(p *published, obs []float64, mask []bool)) float64 {
	t.Helper()
	if err := e.Follow(rule); err != nil {
		t.Fatal(err)
	}
	obs, info, err := e.Reset(nil, fmt.Sprint("window=", window))
	for action, done := []float64{0}, false; !done; {
		if err != nil {
			t.Fatal(err)
		}
		look(e.Model(), obs, info.Mask)
		if err := e.Demonstrate(action); err != nil {
			t.Fatal(err)
		}
		var s env.Step
		s, err = e.Step(action)
		obs, info, done = s.Obs, s.Info, s.Done()
	}
	cost, wrong := e.Cost()
	if err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	return cost
}

// Rules play in the agent's actions what they play in the simulator: fair and shortest-left leave no
// executor idle where a stage may have it.
func TestRulesAreTheSimulators(t *testing.T) {
	for _, options := range []string{"list_jobs=15", "list_jobs=12,stages=4"} {
		for _, rule := range spark.Rules() {
			if rule.Name == "fifo" {
				continue // it leaves executors idle once a job was granted all
			}
			e := decimaEnv(t, options+",windows=10")
			for w := range 5 {
				got := demonstrated(t, e, rule.Name, w, func(*published, []float64, []bool) {})
				m := e.Model()
				s, answer, sum := spark.New(m.o.executors, delayMs), rule.Fresh(), 0.0
				for s.Start(m.jobs); !s.Done(); {
					if _, err := s.Step(answer(s)); err != nil {
						t.Fatal(err)
					}
				}
				for j := range m.jobs {
					sum += s.End(j) - s.Arrive(j)
				}
				if want := sum / float64(len(m.jobs)) / 1000; math.Abs(got-want) > 1e-9 {
					t.Errorf("%s, %s, window %d: %v s, in the simulator %v s", options, rule.Name, w, got, want)
				}
			}
		}
	}
}

// A limit is legal above what the job holds, less the free executors that are its own; the list shows
// what there is.
func TestDecimaMask(t *testing.T) {
	local, closed := 0, 0
	for _, options := range []string{"list_jobs=20", "list_jobs=15,stages=4"} {
		e := decimaEnv(t, options)
		demonstrated(t, e, "fair", 3, func(p *published, obs []float64, mask []bool) {
			for i := range p.o.places {
				row, legal := obs[i*publishedRow:][:publishedRow], mask[i*p.o.executors:][:p.o.executors]
				least := math.Round(20*row[1]) + 1
				if row[2] == 2 {
					local++
					least -= math.Round(20 * row[3])
				}
				some := false
				for l, ok := range legal {
					some = some || ok
					if ok && (row[0] == 0 || float64(l+1) < least) || !ok && legal[0] {
						t.Fatalf("limit %d of %v is legal: %v", l+1, row, ok)
					}
					if l > 0 && legal[l-1] && !ok {
						t.Fatalf("limits %v", legal)
					}
				}
				if row[0] == 1 && !some {
					closed++
				}
				if row[0] == 1 && (row[4] <= 0 || row[5] <= 0 || row[7] < row[4]+row[6]-1e-9) {
					t.Fatalf("work of a stage %v", row)
				}
			}
		})
	}
	if local < 20 || closed < 20 {
		t.Errorf("%d rows with executors of their job, %d closed ones", local, closed)
	}
}

// Fair shares with the shortest job first beat all rivals that Decima was compared with.
func TestDecimaStrongest(t *testing.T) {
	for _, options := range []string{"stages=1", "stages=4"} {
		cost := map[string]float64{}
		e := decimaEnv(t, options+",part=validation,windows=40")
		for _, rule := range e.Rules() {
			for w := range 40 {
				cost[rule] += demonstrated(t, e, rule, w, func(*published, []float64, []bool) {}) / 40
			}
		}
		for rule, c := range cost {
			if rule != "fair-short" && c < cost["fair-short"] {
				t.Errorf("%q: %s has %v s, fair-short %v", options, rule, c, cost["fair-short"])
			}
		}
	}
}
