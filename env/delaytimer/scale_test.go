package delaytimer

import (
	"fmt"
	"slices"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim"
)

// One agent fits all clusters: the spaces do not depend on size, law or lease.
func TestSpacesDoNotDependOnTheCluster(t *testing.T) {
	for _, build := range []func(string) (env.Env, error){
		schedtest.Over(simulation.All(), Make), schedtest.Over(simulation.All(), MakeDiscrete)} {
		var first *env.Spec
		for _, options := range []string{"cluster=1x1x8,horizon=6,warm=1",
			"cluster=4x4x4,workload=philly,lease_s=60,warm=1", "cluster=nvlink-4096,workload=helios,warm=1,horizon=1"} {
			e, err := build(options)
			if err != nil {
				t.Fatal(err)
			}
			s := e.Spec()
			if first == nil {
				first = s
			}
			if !env.EqualSpaces(s.Observation, first.Observation) || !env.EqualSpaces(s.Action, first.Action) {
				t.Errorf("%s: the spaces differ from those of %s", s.Options, first.Options)
			}
		}
	}
}

// slower multiplies every time of a source.
type slower struct {
	schedenv.Source
	by sim.Time
}

func (s slower) Window(p schedenv.Part, i int) (*sim.Workload, error) {
	w, err := s.Source.Window(p, i)
	if err != nil {
		return nil, err
	}
	jobs := slices.Clone(w.Jobs)
	for k := range jobs {
		jobs[k].Submit *= s.by
		jobs[k].Work *= s.by
	}
	return sim.NewWorkload(w.Name, jobs)
}

// Observations and rewards depend on no absolute time: when jobs and leases are three times as
// long, an agent sees and earns the same.
func TestScaleOfTimeDoesNotShow(t *testing.T) {
	trace := func(by sim.Time) []string {
		c := config(t, "cluster=2x2x4,windows=3,warm=6,horizon=40,load=0.95,speed=counting")
		c.Discrete = true
		c.Source = slower{c.Source, by}
		c.Dally.LeaseS *= float64(by)
		c.Warm, c.Horizon, c.Every = c.Warm*by, c.Horizon*by, c.Every*by
		e, err := New(c, "")
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		seed := uint64(4)
		obs, _, err := e.Reset(&seed, "")
		for done := false; !done; {
			if err != nil {
				t.Fatal(err)
			}
			action := []float64{float64(len(seen) * 5 % 21)}
			var s env.Step
			s, err = e.Step(action)
			seen = append(seen, fmt.Sprintf("%.9f %.9f %.9f", obs, s.Reward, s.Info.Elapsed))
			obs, done = s.Obs, s.Done()
		}
		return seen
	}
	one, three := trace(1), trace(3)
	if len(one) < 100 {
		t.Fatalf("only %d steps", len(one))
	}
	if i := slices.Compare(one, three); i != 0 {
		for k := range min(len(one), len(three)) {
			if one[k] != three[k] {
				t.Fatalf("step %d:\n%s\nthree times as long:\n%s", k, one[k], three[k])
			}
		}
		t.Fatalf("%d steps, three times as long %d", len(one), len(three))
	}
}

func TestEncodeAndDecode(t *testing.T) {
	const lease = 3600 * sim.Second
	for _, c := range []struct {
		leases float64
		want   sim.Time
	}{{0, 0}, {1. / 60, 0}, {0.5, 1800 * sim.Second}, {1, lease}, {6, 6 * lease}, {12, 12 * lease}, {60, 60 * lease},
		{1000, 60 * lease}} {
		if got := decode(Encode(c.leases), lease); got != c.want {
			t.Errorf("%v leases become %v, expected %v", c.leases, got, c.want)
		}
	}
	for i, p := range Pairs() {
		if p[0] > p[1] || Pair(p[0], p[1]) != i {
			t.Errorf("pair %d is %v and has the number %d", i, p, Pair(p[0], p[1]))
		}
	}
	if Pair(12, 6) != -1 {
		t.Error("a pair with T_rack above T_net has a number")
	}
	for g, want := range map[int]int{1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 8: 2, 9: 3, 16: 3, 32: 4, 33: 5, 512: 5} {
		if got := class(g, 8); got != want {
			t.Errorf("%d GPUs are in class %d, expected %d", g, got, want)
		}
	}
}
