package delaytimer

import (
	"context"
	"math"
	"slices"
	"testing"

	"tarry/baselines/dally"
	envc "tarry/env/cluster"
	"tarry/internal/param"
	"tarry/sim"
)

// config reads settings over small defaults.
func config(t testing.TB, text string) Config {
	t.Helper()
	s := param.Parse("test", text)
	c := Read(s)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

const small = "cluster=2x2x4,windows=6,warm=0,horizon=40,load=0.95"

// wholeEpisodes is the same with episodes that end with the last job, out of the same windows.
func wholeEpisodes(t testing.TB, text string) Config {
	c := config(t, text)
	c.Horizon = 0
	return c
}

// records of a run of a policy over a window.
func records(t testing.TB, c Config, window int, p sim.Policy) []sim.Record {
	t.Helper()
	w, err := c.Source.Window(c.Part, window)
	if err != nil {
		t.Fatal(err)
	}
	speed, err := c.Speed()
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: c.Topology, Speed: speed, Costs: c.Costs}, p)
	if err != nil {
		t.Fatal(err)
	}
	return read(e, len(w.Jobs))
}

func read(e *sim.Engine, n int) []sim.Record {
	list := make([]sim.Record, n)
	for j := range list {
		list[j] = e.Record(sim.JobID(j))
	}
	return list
}

// play steps through an episode with an actor and gives the records and the sum of rewards.
func play(t testing.TB, e *envc.Env, options string, act envc.Actor) ([]sim.Record, float64) {
	t.Helper()
	seed := uint64(1)
	obs, info, err := e.Reset(&seed, options)
	action, sum := make([]float64, e.Spec().Action.Len()), 0.0
	for done := false; err == nil && !done; {
		if !e.Spec().Observation.Contains(obs) {
			t.Fatalf("observation %v is outside its space", obs)
		}
		act(obs, info.Mask, action)
		s, stepErr := e.Step(action)
		obs, info, err, done = s.Obs, s.Info, stepErr, s.Done()
		sum += s.Reward
	}
	if err != nil {
		t.Fatal(err)
	}
	return read(e.Engine(), len(e.Workload())), sum
}

func constant(rack, net float64) envc.Actor {
	return func(_ []float64, _ []bool, action []float64) {
		for i := range Classes {
			action[2*i], action[2*i+1] = Encode(rack), Encode(net)
		}
	}
}

// An agent that always sets 6 and 12 leases is Dally with manual timers of 6 and 12 leases; one that
// sets 0 is Dally that does not wait.
func TestConstantActionsAreManualTimers(t *testing.T) {
	for _, settings := range []string{small, small + ",checkpoint_s=30,restore_s=20", "cluster=3x2x8,windows=6,warm=0,horizon=240,load=0.95,workload=bursty,lease_s=600"} {
		for _, timers := range [][2]float64{{6, 12}, {0, 0}, {1, 3}} {
			c := wholeEpisodes(t, settings)
			manual := c.Dally
			manual.Auto, manual.RackLeases, manual.NetLeases = false, timers[0], timers[1]
			want := records(t, c, 2, dally.NewPolicy(manual, nil))
			e, err := New(c, "")
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := play(t, e, "window=2", constant(timers[0], timers[1])); !slices.Equal(got, want) {
				t.Errorf("%s: timers %v: the records differ from Dally's", settings, timers)
			}
			c.Discrete = true
			if e, err = New(c, ""); err != nil {
				t.Fatal(err)
			}
			pair := func(_ []float64, _ []bool, a []float64) { a[0] = float64(Pair(timers[0], timers[1])) }
			if got, _ := play(t, e, "window=2", pair); !slices.Equal(got, want) {
				t.Errorf("%s: timers %v: the records of the discrete twin differ from Dally's", settings, timers)
			}
		}
	}
}

// wild is an agent whose actions depend on what it sees.
func wild(obs []float64, _ []bool, action []float64) {
	x := 0.0
	for i, o := range obs {
		x += o * float64(1+i%7)
	}
	for i := range action {
		action[i] = math.Sin(x * float64(i+3))
	}
}

func wildPair(obs []float64, mask []bool, action []float64) {
	wild(obs, mask, action)
	action[0] = math.Floor((action[0] + 1) / 2.001 * 21)
}

// The same agent outside and inside the loop gives the same run, with and without a warm-up.
func TestAsPolicyIsTheEnvironment(t *testing.T) {
	for _, settings := range []string{small, "cluster=2x2x4,windows=6,warm=10,horizon=40,load=0.95,checkpoint_s=30"} {
		for _, discrete := range []bool{false, true} {
			c := wholeEpisodes(t, settings)
			act := wild
			if c.Discrete = discrete; discrete {
				act = wildPair
			}
			e, err := New(c, "")
			if err != nil {
				t.Fatal(err)
			}
			got, _ := play(t, e, "window=3", act)
			p, err := AsPolicy(c, act)
			if err != nil {
				t.Fatal(err)
			}
			if want := records(t, c, 3, p); !slices.Equal(got, want) {
				t.Errorf("%s, discrete %v: the records differ", settings, discrete)
			}
		}
	}
}
