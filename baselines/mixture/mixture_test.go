package mixture_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/mixture"
	"tarry/catalogue/policies"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// made builds a policy of the catalogue.
func made(spec string, rule cluster.Rule) (sim.Policy, error) {
	return policies.All().Build(spec, rule)
}

// takers are policies that can take over, with how long turns are such that a policy that hands over
// to itself is the policy alone.
func takers() map[string]string {
	return map[string]string{"fifo": "7", "fifo-fit": "3", "sjf": "5", "qssf": "11", "srtf": "7", "srsf": "3",
		"gittins": "5", "las:quantum_s=20": "20", "dally-nowait:lease=4": "13", "dally-consolidated:lease=4": "9",
		"dally-manual:lease=4,t_rack=1,t_net=2": "17", "ranked:lease=4": "11"}
}

// A policy that hands over to itself is the policy alone, to the last record.
func TestHandingOverToItself(t *testing.T) {
	for name, every := range takers() {
		for seed := range uint64(60) {
			cfg := hand.Tiny(t, rand.New(rand.NewPCG(seed, 5)))
			alone, err := made(name, cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			turns, err := mixture.New(made)(param.Parse("mixture", fmt.Sprintf(`members="%s+%s",every_s=%s,seed=%d`, name, name,
				every, seed)), cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			got, want := hand.Records(t, cfg, turns), hand.Records(t, cfg, alone)
			if !slices.Equal(got, want) {
				t.Errorf("%s, seed %d: turns give\n%+v\nalone\n%+v", name, seed, got, want)
				break
			}
		}
	}
}

// Members of all kinds hand over to one another.
func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 40, Allocates: true, MayStarve: true}
	var all []string
	for name := range takers() {
		all = append(all, name)
	}
	slices.Sort(all)
	simtest.Conform(t, "mixture", mixture.New(made), o.Named([][2]string{
		{"default", "every_s=20"},
		{"timers", "members=las+dally-consolidated+dally-nowait,every_s=30"},
		{"all", `members="` + strings.Join(all, "+") + `",every_s=15,seed=3`},
		{"one", "members=fifo+srtf,theta=3+-3,every_s=5"},
	}))
}

// A member with all of the weight decides alone.
func TestOneMember(t *testing.T) {
	for member, theta := range map[string]string{"fifo": "900+0+0", "srtf": "0+900+0", "las": "-900+-900+0"} {
		for seed := range uint64(20) {
			cfg := hand.Tiny(t, rand.New(rand.NewPCG(seed, 6)))
			alone, err := made(member, cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			mixed := simtest.Build(t, "mixture", mixture.New(made), "members=fifo+srtf+las,theta="+theta+",every_s=4")()
			if got, want := hand.Records(t, cfg, mixed), hand.Records(t, cfg, alone); !slices.Equal(got, want) {
				t.Errorf("%s, seed %d: the mixture gives\n%+v\nalone\n%+v", member, seed, got, want)
			}
		}
	}
}

// By hand, one GPU, turns of 10 s: job 0 runs, job 1 is shorter. Under fifo job 1 waits; srtf, which
// is drawn at 10 s, has it go first at once, and job 0 returns when it is done.
func TestTakeOverByHand(t *testing.T) {
	cfg := sim.Config{Topology: hand.Topology(t, 1, 1, 1, 1), Speed: simtest.Counting{},
		Workload: hand.Numbered(t, hand.Job(0, 1, 30), hand.Job(1, 1, 5))}
	const fifo = "0s job 0 on [0]\n30s job 1 on [0]"
	const srtf = "0s job 0 on [0]\n1s preempt job 0\n1s job 1 on [0]\n6s job 0 on [0]"
	const over = "0s job 0 on [0]\n10s preempt job 0\n10s job 1 on [0]\n15s job 0 on [0]"
	seen := map[string]int{}
	for seed := range 40 {
		p := simtest.Build(t, "mixture", mixture.New(made), fmt.Sprintf("members=fifo+srtf,every_s=10,seed=%d", seed))()
		seen[hand.Starts(t, cfg, p)]++
	}
	// fifo three times in a row 1/8, srtf at first 1/2, fifo and then srtf 1/4.
	if seen[over] < 4 || seen[fifo] < 1 || seen[srtf] < 12 || len(seen) != 4 {
		t.Errorf("starts of each kind:\n%v", seen)
	}
}

func TestSettings(t *testing.T) {
	for text, want := range map[string]string{
		"members=fifo+none":            "none",
		"members=fifo+elasticflow":     "elasticflow cannot take over a run from another policy",
		"members=fifo+sjf:place=delay": "cannot take over",
		"members=las+fifo,theta=1":     "1 numbers, expected 2",
		"members=las+fifo,theta=1+x":   `"x", expected a number`,
		"members=las+fifo,theta=1+nan": `"nan", expected a number`,
		"every_s=0":                    "every_s",
	} {
		_, err := mixture.New(made)(param.Parse("policy mixture", text), cluster.BestFit)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
}
