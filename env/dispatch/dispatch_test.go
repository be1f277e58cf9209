package dispatch

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/model"
	"tarry/env/wrap"
	"tarry/internal/netfile"
	"tarry/sim/entry"
	"tarry/sim/service/dispatch"
)

func made(t testing.TB, options string) *model.Env[*Model] {
	t.Helper()
	e, err := Make(entry.Catalogues{}, options)
	if err != nil {
		t.Fatal(err)
	}
	return e.(*model.Env[*Model])
}

func TestConforms(t *testing.T) {
	for _, options := range []string{"slots=30", "protocol=kais,slots=60,load=2",
		"turns=2,load=5,slots=20,part=test,windows=3"} {
		fresh := func() (env.Env, error) { return wrap.OrderEnforcing(made(t, options)), nil }
		envtest.CheckEnv(t, envtest.Config{New: fresh,
			ResetOptions: []string{"window=2"}, Identity: func(e env.Env, sum env.Episode) error {
				m, _ := env.Find[*model.Env[*Model]](e)
				return returns(m.Model(), sum.Return)
			}})
	}
}

// returns holds a return of protocol=fair against the requests missed.
func returns(m *Model, sum float64) error {
	if want := -float64(m.missed) / m.expected; m.cfg.Protocol == fair && !(math.Abs(sum-want) < 1e-9) {
		return fmt.Errorf("rewards sum to %v, the missed requests to %v", sum, want)
	}
	return nil
}

// play plays a window by a rule; look is called at each question, with the outcome of the last.
func play(t *testing.T, e *model.Env[*Model], rule, reset string, look func(m *Model, s env.Step)) (served,
	cost float64) {
	t.Helper()
	if err := e.Follow(rule); err != nil {
		t.Fatal(err)
	}
	obs, info, err := e.Reset(nil, reset)
	if err != nil {
		t.Fatal(err)
	}
	s, a := env.Step{Obs: obs, Info: info}, []float64{0}
	for !s.Done() {
		look(e.Model(), s)
		if err := e.Demonstrate(a); err != nil {
			t.Fatal(err)
		}
		if s, err = e.Step(a); err != nil {
			t.Fatal(err)
		}
	}
	look(e.Model(), s)
	cost, err = e.Cost()
	if err != nil {
		t.Fatal(err)
	}
	return s.Info.Metrics[3], cost
}

// Rules play in the environment what they play in the world of the shared runs, slot by slot: counts
// and, with protocol=kais, rewards.
func TestRulesAreTheWorlds(t *testing.T) {
	for _, options := range []string{"slots=100,windows=2", "slots=100,windows=2,protocol=kais"} {
		for _, rule := range dispatch.Rules() {
			e := made(t, options)
			var before, sum float64
			first := true
			play(t, e, rule.Name, "window=1", func(m *Model, s env.Step) {
				if first { // what passed before the first question is of no step
					first, before = false, s.Info.Metrics[0]
				}
				sum += s.Reward
			})
			m := e.Model()
			set := m.cfg.setting()
			w, err := dispatch.New(set, m.requests)
			if err != nil {
				t.Fatal(err)
			}
			choose, done, missed, reward := rule.New(w), 0, 0, 0.0
			for w.Slot() < m.world.Slot() {
				for _, _, ok := w.Next(); ok; _, _, ok = w.Next() {
					if err := w.Hand(choose()); err != nil {
						t.Fatal(err)
					}
				}
				at := float64(w.Slot())
				s := w.Close()
				for c := range clusters {
					done, missed = done+s.Done[c], missed+s.Missed[c]
					if at >= before {
						reward += s.Reward[c]
					}
				}
			}
			if m.cfg.Protocol == fair {
				reward = -float64(missed) / m.expected
			}
			if done != m.done || missed != m.missed || done == 0 || math.Abs(reward-sum) > 1e-9 {
				t.Errorf("%s, %s: %d done, %d missed for %v; in the world %d, %d, %v", options, rule.Name, m.done, m.missed, sum,
					done, missed, reward)
			}
		}
	}
}

// Time stands between the questions of a slot: its last one has the reward and the time.
func TestTimeStands(t *testing.T) {
	for _, options := range []string{"slots=80", "slots=80,protocol=kais,load=2"} {
		e := made(t, options)
		slot, total := -1.0, 0.0
		play(t, e, "least-delay", "window=3", func(_ *Model, s env.Step) {
			now := s.Info.Metrics[0]
			if slot >= 0 && now-slot != s.Info.Elapsed || s.Info.Elapsed == 0 && s.Reward != 0 {
				t.Fatalf("from slot %v to %v: %v elapsed, reward %v", slot, now, s.Info.Elapsed, s.Reward)
			}
			slot, total = now, total+s.Info.Elapsed
		})
		if total < 70 {
			t.Errorf("%v slots elapsed", total)
		}
	}
}

// By hand: the numbers of the released demo at the beginning of a slot.
func TestPublishedObservation(t *testing.T) {
	e := made(t, "protocol=kais,slots=40,load=3")
	if n := e.Spec().Observation.Len(); n != 88 {
		t.Fatalf("%d numbers, expected 88", n)
	}
	second := 0
	play(t, e, "shortest-with-cloud", "window=1", func(m *Model, s env.Step) {
		own, r, ok := m.world.Next()
		o := s.Obs
		cpu, mem := m.world.Free(1)
		switch {
		case !ok:
			t.Fatal("no question")
		case o[1] != 1 || o[0] != 0 || o[5*12+11] != 1:
			t.Fatalf("pods %v", o[:72])
		case o[72] != float64(m.world.Held(own)-1):
			t.Fatalf("%v held, the cluster has %d", o[72], m.world.Held(own))
		case math.Abs(o[78]-cpu*200) > 1e-9 || o[79] != 200 || math.Abs(o[84]-mem*6) > 1e-9 || o[85] != 6:
			t.Fatalf("second node %v of %v, %v of %v", o[78], o[79], o[84], o[85])
		case !s.Info.Mask[6] || s.Info.Mask[0] != (r.Type == 1 || r.Type == 6 || r.Type == 7):
			t.Fatalf("mask %v for type %d", s.Info.Mask, r.Type)
		}
		if own == 1 {
			second++ // its nodes' queues stand as before the first cluster handed one on
			for i, n := range []int{3, 4, 5} {
				if o[73+i] != float64(m.waits[n]) {
					t.Fatalf("queues %v, at the beginning %v", o[73:76], m.waits)
				}
			}
		}
	})
	if second == 0 {
		t.Error("the second cluster was never asked")
	}
}

// The target that least-delay takes can be read off the observation: agents and rules have the same
// information.
func TestFairObservation(t *testing.T) {
	e := made(t, "slots=60")
	a, n := []float64{0}, 0
	play(t, e, "least-delay", "window=2", func(_ *Model, s env.Step) {
		if s.Done() {
			return
		}
		rows := s.Obs[len(s.Obs)-7*8:]
		best, at := math.Inf(1), 0
		for i := range 7 {
			row := rows[8*i:][:8]
			if row[0] == 0 {
				continue
			}
			late := 0.0
			if row[6] < 0 {
				late = 1
			}
			if x := 100*(row[7]/max(1e-9, 1-row[7])+late) + row[5]; x < best-1e-9 {
				best, at = x, i
			}
		}
		if err := e.Demonstrate(a); err != nil {
			t.Fatal(err)
		}
		if n++; int(a[0]) != at {
			t.Errorf("question %d: takes %v, by the observation %d", n, a[0], at)
		}
	})
	if n < 100 {
		t.Errorf("%d questions", n)
	}
}

// least-delay serves the most, and no rule more than what could be served.
func TestStrongest(t *testing.T) {
	served := map[string]float64{}
	for _, rule := range dispatch.Rules() {
		for w := range 5 {
			e := made(t, "windows=5,part=validation")
			possible := 0.0
			s, cost := play(t, e, rule.Name, "window="+string(rune('0'+w)), func(_ *Model, s env.Step) {
				possible = s.Info.Metrics[4]
			})
			if served[rule.Name] += s / 5; s > possible || math.Abs(1-s-cost) > 0.001 {
				t.Errorf("%s: %v served at a cost of %v, %v could be", rule.Name, s, cost, possible)
			}
		}
	}
	for name, s := range served {
		if name != "least-delay" && s > served["least-delay"]-0.005 {
			t.Errorf("%s serves %v, least-delay %v", name, s, served["least-delay"])
		}
	}
	t.Log(served)
}

func TestFaults(t *testing.T) {
	for options, want := range map[string]string{"protocol=kai": "protocol", "load=-1": "load", "turns=0.5": "turns",
		"slots=0": "slots", "windows=0": "windows", "speed=tiers": "speed"} {
		if _, err := Make(entry.Catalogues{}, options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", options, err)
		}
	}
}

// The shipped network of an agent misses fewer requests than taking turns, and at most a tenth more than
// least-delay. It reads what stands behind the critic's numbers.
func TestShippedWeights(t *testing.T) {
	net, err := netfile.Load("../../examples/weights/kais.txt")
	if err != nil {
		t.Fatal(err)
	}
	e := made(t, "windows=3,part=test")
	seen := e.Spec().Observation.Len() - e.Spec().Layout.CriticOnly()
	if net.In() != seen || net.Out() != 7 || !net.Masked() {
		t.Fatalf("the network reads %d numbers, expected %d", net.In(), seen)
	}
	var agent, turns, least float64
	for w := range 3 {
		reset := fmt.Sprint("window=", w)
		obs, info, err := e.Reset(nil, reset)
		if err != nil {
			t.Fatal(err)
		}
		a := []float64{0}
		for done := false; !done; {
			net.Act(a, obs[len(obs)-seen:], info.Mask)
			s, err := e.Step(a)
			if err != nil {
				t.Fatal(err)
			}
			obs, info, done = s.Obs, s.Info, s.Done()
		}
		cost, err := e.Cost()
		if err != nil {
			t.Fatal(err)
		}
		none := func(*Model, env.Step) {}
		_, byTurns := play(t, made(t, "windows=3,part=test"), "round-robin", reset, none)
		_, byLeast := play(t, made(t, "windows=3,part=test"), "least-delay", reset, none)
		agent, turns, least = agent+cost/3, turns+byTurns/3, least+byLeast/3
	}
	if t.Log(agent, turns, least); agent >= turns || agent > 1.1*least {
		t.Errorf("misses %v, taking turns %v, least-delay %v", agent, turns, least)
	}
}
