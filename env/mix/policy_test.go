package mix_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/env/mix"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// built makes aset-like.
func built(t testing.TB, text string) (sim.Policy, error) {
	t.Helper()
	s := param.Parse("policy aset-like", text)
	p, err := mix.NewPolicy(policies.All().Build)(s, cluster.BestFit)
	if err == nil {
		err = s.Err()
	}
	return p, err
}

// on is an environment like the policy, with windows from the first job to the last.
func on(t testing.TB, options string) mix.Config {
	t.Helper()
	s := param.Parse("test", "cluster=2x2x4,windows=3,warm=0,horizon=0,load=1.2,observe=cluster,"+options)
	c := mix.Read(s, simulation.All(), mix.ID)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

// drawnNet writes a network with random weights, and gives it.
func drawnNet(t testing.TB, inputs, choices int) (string, *netfile.Net) {
	t.Helper()
	r := rng.Source{Seed: 3}.Stream("weights")
	f := netfile.Form{Obs: inputs, Sizes: []int{choices}, First: []int{0}, Hidden: []int{8},
		Activation: netfile.Relu}
	var all []netfile.Matrix
	for _, m := range f.Matrices() {
		m.W = make([]float64, m.Rows*m.Cols)
		for i := range m.W {
			m.W[i] = 2 * r.NormFloat64()
		}
		all = append(all, m)
	}
	net, err := netfile.New(f, all)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "net.txt")
	file, err := os.Create(path)
	if err == nil {
		err = net.Write(file)
	}
	if err != nil || file.Close() != nil {
		t.Fatal(err)
	}
	return path, net
}

// The policy is the environment with its rule or its network in the agent's place, to the last record.
func TestPolicyIsTheEnvironment(t *testing.T) {
	const members = "members=fifo+las+dally-nowait"
	path, net := drawnNet(t, len(schedenv.ClusterFeatures()), 3)
	turn, asked := 0, map[float64]int{}
	for text, act := range map[string]schedenv.Actor{
		"rule=demand": func(obs []float64, _ []bool, action []float64) {
			action[0] = 0 // GPUs that waiting jobs ask for, over the GPUs, are obs / (1 - obs)
			if obs[8] >= 0.5 {
				action[0] = 1
			}
			if obs[8] >= 2./3 {
				action[0] = 2
			}
			asked[action[0]]++
		},
		"weights=" + param.Quote(path): func(obs []float64, mask []bool, action []float64) {
			net.Act(action, obs, mask)
			asked[action[0]+10]++
		},
		"rule=turns,every_s=1800": nil,
	} {
		every := ",every=0.25"
		if act == nil {
			every = ",every=0.5"
		}
		c := on(t, members+every)
		got, err := built(t, members+","+text)
		if err != nil {
			t.Fatal(err)
		}
		var want []sim.Record
		if act == nil {
			want = followed(t, c, &turn)
		} else {
			p, err := mix.AsPolicy(c, act)
			if err != nil {
				t.Fatal(err)
			}
			want = schedtest.Records(t, &c.Config, 1, p)
		}
		if records := schedtest.Records(t, &c.Config, 1, got); !slices.Equal(records, want) {
			t.Errorf("%s differs from the environment", text)
		}
	}
	if len(asked) < 5 || turn < 50 {
		t.Errorf("members are chosen %v times, all in turn %d times: too little to compare", asked, turn)
	}
}

// followed are the records of the demonstration in which all take turns.
func followed(t testing.TB, c mix.Config, turns *int) []sim.Record {
	t.Helper()
	e, err := mix.New(c, "")
	if err == nil {
		err = e.Follow("turns")
	}
	if err != nil {
		t.Fatal(err)
	}
	records, _ := schedtest.Play(t, e.Env, "window=1", func(_ []float64, _ []bool, action []float64) {
		if err := e.Demonstrate(action); err != nil {
			t.Fatal(err)
		}
		*turns++
	})
	return records
}

// What is wrong is an error with the setting, and with what is expected.
func TestPolicyFaults(t *testing.T) {
	wide, _ := drawnNet(t, len(schedenv.ClusterFeatures()), 3)
	short, _ := drawnNet(t, 5, 2)
	for text, want := range map[string]string{
		"members=fifo":                  "members: 1, expected 2 or more",
		"members=fifo+lass":             `members: policy "lass"`,
		"members=fifo+gavel":            "gavel cannot take over a run from another policy",
		"rule=best":                     `rule is "best", expected turns, demand`,
		"every_s=0":                     `every_s is "0"`,
		"weights=none.txt":              "none.txt",
		"weights=" + param.Quote(wide):  "12 numbers and 3 choices, expected 12 and one for each of 2 members",
		"weights=" + param.Quote(short): "5 numbers and 2 choices, expected 12",
		"members=fifo+las+srtf,rule=turns,weights=" + param.Quote(wide): "rule and weights are both given",
	} {
		if _, err := built(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q", text, err, want)
		}
	}
}
