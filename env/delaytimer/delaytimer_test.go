package delaytimer

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tarry/baselines/dally"
	"tarry/catalogue/simulation"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// config reads settings over small defaults.
func config(t testing.TB, text string) Config {
	t.Helper()
	return schedtest.Config(t, text, func(s *param.Set) Config { return Read(s, simulation.All(), ID) })
}

const small = "cluster=2x2x4,windows=6,warm=0,horizon=40,load=0.95"

// wholeEpisodes is the same with episodes that end with the last job, out of the same windows.
func wholeEpisodes(t testing.TB, text string) Config {
	c := config(t, text)
	c.Horizon = 0
	return c
}

// records of a run of a policy over a window.
// play steps through an episode with an actor and gives the records.
func play(t testing.TB, e *schedenv.Env, options string, act schedenv.Actor) []sim.Record {
	t.Helper()
	list, _ := schedtest.Play(t, e, options, act)
	return list
}

func constant(rack, net float64) schedenv.Actor {
	return func(_ []float64, _ []bool, action []float64) {
		for i := range Classes {
			action[2*i], action[2*i+1] = Encode(rack), Encode(net)
		}
	}
}

// An agent that always sets 6 and 12 leases is Dally with manual timers of 6 and 12 leases; one
// that sets 0 is Dally that does not wait.
func TestConstantActionsAreManualTimers(t *testing.T) {
	for _, settings := range []string{small, small + ",checkpoint_s=30,restore_s=20",
		"cluster=3x2x8,windows=6,warm=0,horizon=240,load=0.95,workload=bursty,lease_s=600"} {
		for _, timers := range [][2]float64{{6, 12}, {0, 0}, {1, 3}} {
			c := wholeEpisodes(t, settings)
			manual := c.Dally
			manual.Auto, manual.RackLeases, manual.NetLeases = false, timers[0], timers[1]
			want := schedtest.Records(t, &c.Config, 2, dally.NewPolicy(manual, nil))
			e, err := New(c, "")
			if err != nil {
				t.Fatal(err)
			}
			if got := play(t, e, "window=2", constant(timers[0], timers[1])); !slices.Equal(got, want) {
				t.Errorf("%s: timers %v: the records differ from Dally's", settings, timers)
			}
			c.Discrete = true
			if e, err = New(c, ""); err != nil {
				t.Fatal(err)
			}
			pair := func(_ []float64, _ []bool, a []float64) { a[0] = float64(Pair(timers[0], timers[1])) }
			if got := play(t, e, "window=2", pair); !slices.Equal(got, want) {
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
	for _, settings := range []string{small, "cluster=2x2x4,windows=6,warm=10,horizon=40,load=0.95,checkpoint_s=30",
		"cluster=2x2x4,windows=6,warm=10,horizon=40,load=0.95,speed=contended",
		"cluster=2x2x4,windows=6,warm=10,horizon=40,load=0.5,services=\"steady:weekend=0,start_h=115\"," +
			"operator=\"least:lend=all,least=0\""} {
		for _, discrete := range []bool{false, true} {
			c := wholeEpisodes(t, settings+",warmup=base")
			act := wild
			if c.Discrete = discrete; discrete {
				act = wildPair
			}
			e, err := New(c, "")
			if err != nil {
				t.Fatal(err)
			}
			schedtest.Inside(t, fmt.Sprintf("%s, discrete %v", settings, discrete), e, c, 3, act, AsPolicy)
		}
	}
}

// The policy with an agent in it keeps the kernel's rules, and can be resumed from a snapshot.
func TestConformance(t *testing.T) {
	for _, act := range []struct {
		name     string
		act      schedenv.Actor
		discrete bool
	}{{"continuous", wild, false}, {"discrete", wildPair, true}} {
		t.Run(act.name, func(t *testing.T) {
			c := Config{Every: 2 * sim.Second, Discrete: act.discrete}
			c.Dally = dally.Default()
			c.Dally.LeaseS = 60 // longer than any cost, or no job would make progress
			simtest.Policy(t, func() sim.Policy {
				p, err := AsPolicy(c, act.act)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}, simtest.Options{Seeds: 60})
		})
	}
}
