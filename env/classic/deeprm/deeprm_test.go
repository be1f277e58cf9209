package deeprm

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/classic/deeprm/slots"
	"tarry/env/envtest"
	"tarry/env/model"
	"tarry/env/scenario"
	"tarry/internal/netfile"
	"tarry/sim/param"
	"tarry/sim/rng"
)

func made(t testing.TB, options string) *model.Env[*Play] {
	t.Helper()
	e, err := model.Make(ID, options, Read)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Every return is minus the sum of slowdowns, whatever is done, but for the trap.
func TestConforms(t *testing.T) {
	for _, options := range []string{"steps=40,rate=0.7", "steps=60,horizon=50,slots=3,part=test",
		"observe=image,steps=30", "protocol=deeprm", "protocol=deeprm,observe=image,rate=1"} {
		envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) { return made(t, options), nil }, Steps: 2000,
			ResetOptions: []string{"window=2"}, Identity: func(e env.Env, sum env.Episode) error {
				m, _ := env.Find[*model.Env[*Play]](e)
				cost, err := m.Cost()
				if want := -cost * float64(len(m.Model().jobs)); err == nil && !m.Model().Lingers &&
					math.Abs(sum.Return-want) > 1e-9*-want {
					t.Errorf("%s: rewards sum to %v, expected %v", options, sum.Return, want)
				}
				return err
			}})
	}
}

// A rule that is followed gives what the machine gives it alone.
func TestFollow(t *testing.T) {
	for _, options := range []string{"steps=80,rate=0.5", "protocol=deeprm"} {
		for _, rule := range slots.Rules() {
			e := made(t, options)
			if err := e.Follow(strings.ToLower(rule.Name)); err != nil {
				t.Fatal(err)
			}
			if _, _, err := e.Reset(nil, "window=7"); err != nil {
				t.Fatal(err)
			}
			action, step, sum := make([]float64, 1), env.Step{}, 0.0
			for !step.Done() {
				err := e.Demonstrate(action)
				if err == nil {
					step, err = e.Step(action)
				}
				if err != nil {
					t.Fatal(err)
				}
				sum += step.Reward
			}
			alone, want := slots.New(e.Model().Config), 0.0
			if err := alone.Begin(e.Model().jobs); err != nil {
				t.Fatal(err)
			}
			for !alone.Ended() {
				r, _ := alone.Act(rule.Choose(alone))
				want += r
			}
			if sum != want || step.Info.Metrics[0] != float64(alone.Now) || step.Info.Metrics[3] != float64(len(alone.Jobs)) {
				t.Errorf("%s, %s: rewards %v, expected %v; metrics %v, end %d", options, rule.Name, sum, want,
					step.Info.Metrics, alone.Now)
			}
		}
	}
}

// Jobs are drawn as the paper draws them.
func TestInstances(t *testing.T) {
	p := newPlay(defaults("fair"))
	jobs, short, first := 0.0, 0.0, 0.0
	for w := range 400 {
		if err := p.Start(rng.Source{Seed: uint64(w)}.Stream("instance")); err != nil {
			t.Fatal(err)
		}
		for _, j := range p.Jobs {
			jobs++
			low, high := min(j.Need[0], j.Need[1]), max(j.Need[0], j.Need[1])
			if low < 1 || low > 2 || high < 5 || high > 10 || j.Length > 3 && j.Length < 10 || j.Length > 15 {
				t.Fatalf("a job %+v", j)
			}
			if j.Length <= 3 {
				short++
			}
			if j.Need[0] > j.Need[1] {
				first++
			}
		}
	}
	if n := 400 * 199 * 0.4; math.Abs(jobs-n) > 0.02*n || math.Abs(short/jobs-0.8) > 0.01 ||
		math.Abs(first/jobs-0.5) > 0.015 {
		t.Errorf("%v jobs, %v of them short, %v of the first resource", jobs, short/jobs, first/jobs)
	}
}

// Who only lets steps pass has 4 x steps of them; then SJF plays the rest.
func TestLimit(t *testing.T) {
	e := made(t, "steps=20,rate=0.5")
	_, _, err := e.Reset(nil, "window=1")
	n, sum, step := 0, 0.0, env.Step{}
	for ; err == nil && !step.Done(); n++ {
		step, err = e.Step([]float64{0})
		sum += step.Reward
	}
	cost, costErr := e.Cost()
	if want := cost * float64(len(e.Model().jobs)); err != nil || costErr != nil || n != 80 || !step.Terminated ||
		step.Info.Elapsed < 2 || math.Abs(sum+want) > 1e-9*want {
		t.Errorf("%d steps, rewards %v, expected %v; the last took %v; %v, %v", n, sum, -want, step.Info.Elapsed, err,
			costErr)
	}
}

// What is seen of a small machine, by hand: a job with a place in the future, one with none.
func TestObserve(t *testing.T) {
	c := defaults("fair")
	c.machine.Slots, c.machine.Steps = 3, 10
	p := newPlay(c)
	if err := p.Begin([]slots.Job{{Arrive: 1, Length: 4, Need: [2]int{8, 1}},
		{Arrive: 2, Length: 2, Need: [2]int{5, 2}}}); err != nil {
		t.Fatal(err)
	}
	for _, action := range []float64{0, 1, 0} {
		p.Act([]float64{action})
	}
	obs, mask := make([]float64, 2*20+3+3*7), make([]bool, 4)
	p.Observe(obs, mask)
	want := []float64{0, 0, 0.8, 1, 0.1, 0.5, 0.2, 0, 3. / 20, 0, 0, 0, 0, 0, 0, 0, 0}
	for i, x := range want {
		if got := obs[40+i]; math.Abs(got-x) > 1e-15 {
			t.Errorf("number %d is %v, expected %v", 40+i, got, x)
		}
	}
	if obs[0] != 0.2 || obs[1] != 0.9 || obs[5] != 0.9 || obs[6] != 1 {
		t.Errorf("the machine is %v", obs[:8])
	}
	if !mask[0] || !mask[1] || mask[2] || mask[3] {
		t.Errorf("mask %v", mask)
	}
}

func TestFaults(t *testing.T) {
	for options, want := range map[string]string{"protocol=paper": "protocol", "rate=2": "rate", "horizon=15": "horizon",
		"slots=0": "slots", "colour=red": "colour", "observe=all": "observe", "steps=1": "steps"} {
		if _, err := Make(scenario.Catalogues{}, options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", options, err)
		}
	}
	s := param.Parse(ID, "protocol=deeprm")
	if Read(s); s.Err() != nil {
		t.Error(s.Err())
	}
}

// The shipped network has lower slowdowns than SJF on the first test windows.
func TestShippedWeights(t *testing.T) {
	net, err := netfile.Load("../../../examples/weights/deeprm.txt")
	if err != nil {
		t.Fatal(err)
	}
	const windows = 6
	agent, sjf := made(t, "part=test"), made(t, "part=test")
	if err := sjf.Follow("sjf"); err != nil {
		t.Fatal(err)
	}
	var byNet, bySJF float64
	for w := range windows {
		byNet += cost(t, agent, w, func(a, obs []float64, mask []bool) error { net.Act(a, obs, mask); return nil })
		bySJF += cost(t, sjf, w, func(a, _ []float64, _ []bool) error { return sjf.Demonstrate(a) })
	}
	if t.Log(byNet/windows, bySJF/windows); byNet >= bySJF {
		t.Errorf("the network has a slowdown of %v, SJF %v", byNet/windows, bySJF/windows)
	}
}

// cost plays a window and gives what it costs.
func cost(t *testing.T, e *model.Env[*Play], window int, act func(a, obs []float64, mask []bool) error) float64 {
	t.Helper()
	obs, info, err := e.Reset(nil, fmt.Sprint("window=", window))
	a, step := make([]float64, 1), env.Step{Obs: obs, Info: info}
	for err == nil && !step.Done() {
		if err = act(a, step.Obs, step.Info.Mask); err == nil {
			step, err = e.Step(a)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Cost()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func BenchmarkEpisode(b *testing.B) {
	e, action := made(b, ""), make([]float64, 1)
	if err := e.Follow("sjf"); err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		_, _, err := e.Reset(nil, "window=1")
		for done := false; err == nil && !done; n++ {
			var s env.Step
			if err = e.Demonstrate(action); err == nil {
				s, err = e.Step(action)
			}
			done = s.Done()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "steps/s")
}
