package power

import (
	"math"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
)

func TestHide(t *testing.T) {
	schedtest.Hides(t, func(options string) (env.Env, error) {
		c, err := configOf(priced + options)
		if err != nil {
			return nil, err
		}
		return New(c, options)
	}, ",load=2", groups(), func(k int, _ []bool, action []float64) {
		for i := range action {
			action[i] = math.Sin(float64(k*7 + i))
		}
	})
}

// follows plays a window under a rule and gives the return, and the energy and cost in all.
func follows(t *testing.T, c Config, rule string, part schedenv.Part,
	window string) (sum env.Episode, kWh, cost, over float64) {
	t.Helper()
	c.Part = part
	e := made(t, c)
	if err := e.Follow(rule); err != nil {
		t.Fatal(err)
	}
	seed := uint64(1)
	_, _, err := e.Reset(&seed, "window="+window)
	action := make([]float64, numActions)
	for done := false; err == nil && !done; {
		if err = e.Demonstrate(action); err != nil {
			break
		}
		if err = env.Explain(e.Spec().Action, action); err != nil {
			break
		}
		var s env.Step
		s, err = e.Step(action)
		done = s.Done()
		sum.Return += s.Reward
		sum.Steps++
		kWh, cost, over = kWh+s.Info.Metrics[4], cost+s.Info.Metrics[5], over+s.Info.Metrics[7]
	}
	if err != nil {
		t.Fatalf("%s: %v", rule, err)
	}
	if err := e.Identity(sum.Return); err != nil {
		t.Error(err)
	}
	return sum, kWh, cost, over
}

// Each rule does what it is for, beside machines that stay on.
func TestRules(t *testing.T) {
	c := config(t, "cluster=2x4x4,windows=4,warm=2,horizon=40,load=0.5,base=fifo-fit,energy_price=cost")
	_, always, alwaysCost, alwaysOver := follows(t, c, "always-on", schedenv.Train, "1")
	for _, rule := range Rules() {
		_, kWh, cost, over := follows(t, c, rule, schedenv.Train, "1")
		switch rule {
		case "timer", "break-even", "least-energy":
			if kWh >= always {
				t.Errorf("%s: %v kWh, expected less than %v", rule, kWh, always)
			}
		case "cap":
			if over >= alwaysOver {
				t.Errorf("cap: %v kWh beyond it, expected less than %v", over, alwaysOver)
			}
		case "cheap":
			if cost/kWh >= alwaysCost/always {
				t.Errorf("cheap: %v per kWh, expected less than %v", cost/kWh, alwaysCost/always)
			}
		}
	}
	even, _, _, _ := follows(t, c, "break-even", schedenv.Train, "1")
	same, _, _, _ := follows(t, c, "timer:s=127", schedenv.Train, "1") // (20 000 + 300 x 120) / 440
	if even.Return != same.Return {
		t.Errorf("break-even gives %v, its timer %v", even.Return, same.Return)
	}
	for text, want := range map[string]string{"tmer": `did you mean "timer"?`, "cap:s=1": "s", "timer:s=x": "x"} {
		if err := made(t, c).Follow(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", text, err, want)
		}
	}
}

// The clock of least energy is the least of a fine search.
func TestLeastEnergy(t *testing.T) {
	c := config(t, priced)
	e, _, err := c.Engine(c.Part, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.own(); err != nil {
		t.Fatal(err)
	}
	v, _, err := e.Next()
	if err != nil {
		t.Fatal(err)
	}
	s := newScheduler(&c)
	spec := c.Power.Spec(0)
	for i := range classes {
		for _, phi := range []float64{0.05, 0.3, 0.5, 0.9, 1} {
			s.classes[i].gpus, s.classes[i].compute = 3, 3*phi
			got := s.leastEnergy(v, i)
			at := func(f float64) float64 {
				return spec.OnW(4)/4*(phi/f+1-phi) + spec.BusyW(f)*phi/f
			}
			for f := 0.5; f <= 1; f += 0.001 {
				if near := math.Round(f*20) / 20; at(near) < at(got)-1e-9 {
					t.Fatalf("compute %v: clock %v takes %v J, %v takes %v", phi, got, at(got), near, at(near))
				}
			}
		}
	}
}
