package classic

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/env"
	"tarry/sim/rng"
)

func all() []env.Env { return []env.Env{CartPole(), Pendulum(), Acrobot(), MountainCar()} }

func TestStartsAreWhereTheyShouldBe(t *testing.T) {
	for _, c := range []struct {
		e       env.Env
		options string
		ok      func(obs []float64) bool
	}{
		{CartPole(), "", func(o []float64) bool { return largest(o) <= 0.05 }},
		{CartPole(), "low=0.1,high=0.1", func(o []float64) bool { return o[0] == 0.1 && o[3] == 0.1 }},
		{Acrobot(), "", func(o []float64) bool {
			return o[0] >= math.Cos(0.1) && o[2] >= math.Cos(0.1) && math.Abs(o[4]) <= 0.1 && math.Abs(o[5]) <= 0.1
		}},
		{Acrobot(), "low=3.1,high=3.1", func(o []float64) bool { return o[0] == math.Cos(3.1) && o[5] == 3.1 }},
		{MountainCar(), "", func(o []float64) bool { return o[0] >= -0.6 && o[0] <= -0.4 && o[1] == 0 }},
		{MountainCar(), "low=0.2,high=0.3", func(o []float64) bool { return o[0] >= 0.2 && o[0] <= 0.3 && o[1] == 0 }},
		{Pendulum(), "", func(o []float64) bool {
			return math.Abs(math.Hypot(o[0], o[1])-1) < 1e-12 && math.Abs(o[2]) <= 1
		}},
		{Pendulum(), "x_init=0.1,y_init=0", func(o []float64) bool { return o[0] >= math.Cos(0.1) && o[2] == 0 }},
	} {
		for range 200 {
			obs, info, err := c.e.Reset(nil, c.options)
			if err != nil {
				t.Fatal(err)
			}
			if !c.ok(obs) || !c.e.Spec().Observation.Contains(obs) || info.Elapsed != 0 {
				t.Fatalf("%s started with %q at %v", c.e.Spec().ID, c.options, obs)
			}
		}
	}
}

func largest(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}

func TestBadOptionsAreToldAllAtOnce(t *testing.T) {
	for _, c := range []struct {
		e       env.Env
		options string
		want    []string
	}{
		{CartPole(), "low=9,hihg=0", []string{`low is "9"`, "hihg"}},
		{MountainCar(), "low=0.5,high=0.1", []string{"low is 0.5, expected <= high"}},
		{Pendulum(), "x_init=7,y_init=x", []string{`x_init is "7"`, `y_init is "x"`}},
	} {
		_, _, err := c.e.Reset(nil, c.options)
		for _, w := range c.want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: options %q give %v, want an error with %q", c.e.Spec().ID, c.options, err, w)
			}
		}
		if _, err := c.e.Step([]float64{0}); !errors.Is(err, env.ErrResetNeeded) {
			t.Errorf("%s: a step after a failed reset gives %v", c.e.Spec().ID, err)
		}
	}
}

// A random agent's mean return is known from the literature: CartPole about 22, Pendulum about
// -1200, Acrobot near -500, MountainCar -200.
func TestRandomAgentScoresAsPublished(t *testing.T) {
	limits := []int{500, 200, 500, 200}
	spans := [][2]float64{{19, 26}, {-1400, -1050}, {-500, -480}, {-200, -200}}
	for k, e := range all() {
		s := rng.Source{Seed: 1}.Stream("random agent")
		action := make([]float64, 1)
		const episodes = 60
		sum := 0.0
		for range episodes {
			if _, _, err := e.Reset(nil, ""); err != nil {
				t.Fatal(err)
			}
			for range limits[k] {
				if err := e.Spec().Action.Sample(action, s, nil); err != nil {
					t.Fatal(err)
				}
				out, err := e.Step(action)
				if err != nil {
					t.Fatal(err)
				}
				sum += out.Reward
				if out.Terminated {
					break
				}
			}
		}
		if mean := sum / episodes; !(mean >= spans[k][0] && mean <= spans[k][1]) {
			t.Errorf("%s: a random agent's mean return is %v, want one in %v", e.Spec().ID, mean, spans[k])
		}
	}
}

// A pole is easily balanced by a line through its angle and velocity; a car gets over the hill by
// always pushing the way it moves.
func TestKnownPoliciesSolve(t *testing.T) {
	for _, c := range []struct {
		e     env.Env
		limit int
		act   func(obs []float64) float64
		want  float64
	}{
		{CartPole(), 500, func(o []float64) float64 {
			if o[2]+0.5*o[3]+0.05*o[0]+0.1*o[1] > 0 {
				return 1
			}
			return 0
		}, 500},
		{MountainCar(), 200, func(o []float64) float64 {
			if o[1] >= 0 {
				return 2
			}
			return 0
		}, -130},
	} {
		for range 20 {
			obs, _, err := c.e.Reset(nil, "")
			sum := 0.0
			for n := 0; n < c.limit && err == nil; n++ {
				var s env.Step
				s, err = c.e.Step([]float64{c.act(obs)})
				obs, sum = s.Obs, sum+s.Reward
				if s.Terminated {
					break
				}
			}
			if err != nil || sum < c.want {
				t.Errorf("%s: return %v (error %v), want at least %v", c.e.Spec().ID, sum, err, c.want)
			}
		}
	}
}

func TestStepsAllocateNothing(t *testing.T) {
	for _, e := range all() {
		if _, _, err := e.Reset(nil, ""); err != nil {
			t.Fatal(err)
		}
		action := []float64{1}
		if n := testing.AllocsPerRun(5, func() {
			if _, err := e.Step(action); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations per step, want 0", e.Spec().ID, n)
		}
	}
}

func Example() {
	e := CartPole()
	seed := uint64(7)
	if _, _, err := e.Reset(&seed, "low=0,high=0"); err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range []float64{1, 1, 0} {
		s, err := e.Step([]float64{a})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("push %v: position %.4f, angle %+.4f, reward %v\n", a, s.Obs[0], s.Obs[2], s.Reward)
	}
	// Output:
	// push 1: position 0.0000, angle +0.0000, reward 1
	// push 1: position 0.0039, angle -0.0059, reward 1
	// push 0: position 0.0117, angle -0.0176, reward 1
}
