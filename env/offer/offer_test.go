package offer

import (
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

func config(t testing.TB, text string) Config {
	t.Helper()
	c := schedtest.Config(t, text, func(s *param.Set) Config { return Read(s, simulation.All(), ID) })
	c.Horizon = 0
	return c
}

func read(e *sim.Engine, n int) []sim.Record { return schedtest.Read(e, n) }

// play steps through an episode of a fresh environment and counts the questions.
func play(t testing.TB, c Config, window string, act schedenv.Actor) ([]sim.Record, int) {
	t.Helper()
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return schedtest.Play(t, e, window, act)
}

func always(x float64) schedenv.Actor {
	return func(_ []float64, _ []bool, action []float64) { action[0] = x }
}

// wild takes or declines depending on what it sees.
func wild(obs []float64, _ []bool, action []float64) {
	x := 0.0
	for i, o := range obs {
		x += o * float64(1+i%7)
	}
	action[0] = 0
	if math.Sin(x*17) > 0 {
		action[0] = 1
	}
}

// Always taking is Dally that does not wait, always declining is Dally that waits without end.
func TestLimitsAreDally(t *testing.T) {
	for _, text := range []string{"cluster=4x4x4,warm=0,horizon=120", "cluster=3x2x8,warm=0,horizon=60," +
		"workload=bursty,checkpoint_s=20,restore_s=5"} {
		c := config(t, text)
		for _, limit := range []struct {
			name   string
			take   float64
			leases float64
		}{{"always", 1, 0}, {"never", 0, math.Inf(1)}} {
			manual := c.Dally
			manual.Auto, manual.RackLeases, manual.NetLeases = false, limit.leases, limit.leases
			want := schedtest.Records(t, &c.Config, 1, dally.NewPolicy(manual, nil))
			got, steps := play(t, c, "window=1", always(limit.take))
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: the records differ from Dally's", text, limit.name)
			}
			if steps < 10 {
				t.Errorf("%s, %s: only %d questions", text, limit.name, steps)
			}
		}
	}
}

// The same agent outside and inside the loop gives the same run.
func TestAsPolicyIsTheEnvironment(t *testing.T) {
	for _, text := range []string{"cluster=2x2x4,warm=0,horizon=60", "cluster=2x2x4,warm=8,horizon=60," +
		"checkpoint_s=20,restore_s=5"} {
		c := config(t, text+",warmup=base") // episodes begin after it
		got, _ := play(t, c, "window=2", wild)
		p, err := AsPolicy(c, wild)
		if err != nil {
			t.Fatal(err)
		}
		if want := schedtest.Records(t, &c.Config, 2, p); !slices.Equal(got, want) {
			t.Errorf("%s: the records differ", text)
		}
	}
}

// The policy with an agent in it keeps the kernel's rules, starves no job even if it declines all
// it can, and can be resumed from a snapshot.
func TestConformance(t *testing.T) {
	for name, act := range map[string]schedenv.Actor{"wild": wild, "takes": always(1), "declines": always(0)} {
		t.Run(name, func(t *testing.T) {
			c := Config{Recheck: sim.Second}
			c.Dally = dally.Default()
			c.Dally.LeaseS = 60
			simtest.Policy(t, func() sim.Policy {
				p, err := AsPolicy(c, act)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}, simtest.Options{Seeds: 60})
		})
	}
}
