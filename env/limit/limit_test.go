package limit_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/limit"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// small is a cluster of 8 GPUs that is busy.
const small = "cluster=1x2x4,window_jobs=25,windows=6,load=1.2"

func config(t testing.TB, text string) limit.Config {
	t.Helper()
	return schedtest.Config(t, text, func(s *param.Set) limit.Config { return limit.Read(s, simulation.All(), limit.ID) })
}

func made(t testing.TB, c limit.Config) *schedenv.Env {
	t.Helper()
	e, err := limit.New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// wild chooses by what it sees.
func wild(obs []float64, mask []bool, action []float64) {
	x := 0.0
	for i, o := range obs {
		x += o * float64(1+i%7)
	}
	for at := int(math.Abs(x)*1e4) % len(mask); ; at = (at + 1) % len(mask) {
		if mask[at] {
			action[0] = float64(at)
			return
		}
	}
}

func TestCheckEnv(t *testing.T) {
	for _, options := range []string{small, small + ",jobs=3,rule=fair,part=validation",
		"cluster=1x2x4,window_jobs=20,windows=4,rule=work-1.0,horizon=20"} {
		envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) {
			return schedtest.Over(simulation.All(), limit.Make)(options)
		}, ResetOptions: []string{"window=2"}, Identity: schedtest.Identity,
			MaxAllocs: 0.05}) // an episode that is the first on its window asks for curves
	}
}

func TestLevels(t *testing.T) {
	for gpus, want := range map[int][]int{1: {1}, 2: {1, 2}, 3: {1, 2, 3}, 4: {1, 2, 3, 4}, 8: {1, 2, 3, 4, 6, 8},
		16: {1, 2, 3, 4, 6, 8, 12, 16}, 20: {1, 2, 3, 4, 6, 8, 12, 16, 20}} {
		if got := limit.LevelsOf(gpus); !slices.Equal(got, want) {
			t.Errorf("limits of %d GPUs %v, expected %v", gpus, got, want)
		}
	}
}

// In every question each job that can have GPUs has distinct legal counts, its most possible one among
// them, and the row of a job agrees with the mask.
func TestMask(t *testing.T) {
	e := made(t, config(t, small+",jobs=5"))
	questions, full := 0, 0
	_, err := schedenv.Play(e, 1, "window=1", func(obs []float64, mask []bool, action []float64) {
		questions++
		n := len(limit.LevelsOf(8))
		for i := range 5 {
			row, legal := obs[len(obs)-5*limit.RowLen:][i*limit.RowLen:][:limit.RowLen], mask[i*n:][:n]
			if slices.Contains(legal, true) && (row[0] != 1 || row[1] != 1) {
				t.Fatalf("job %d of %v has legal limits %v", i, row, legal)
			}
			if row[0] == 0 && slices.Max(row) != 0 {
				t.Fatalf("an empty place has %v", row)
			}
		}
		if obs[len(obs)-limit.RowLen] == 1 {
			full++
		}
		wild(obs, mask, action)
	})
	if err != nil || questions < 50 || full < 5 {
		t.Errorf("%d questions, %d with a full list, error %v", questions, full, err)
	}
}

// Who follows a rule acts as the base policy with that rule does, record for record.
func TestFollowing(t *testing.T) {
	for _, rule := range limit.RuleNames() {
		c := config(t, small+",rule="+rule)
		e := made(t, config(t, small))
		got, steps := schedtest.Demonstrated(t, e, "window=1", rule)
		p, err := limit.ByRule(c)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, schedtest.Records(t, &c.Config, 1, p)) || steps < 20 {
			t.Errorf("%s: another run, %d questions", rule, steps)
		}
	}
	if err := made(t, config(t, small)).Follow("srft"); err == nil || !strings.Contains(err.Error(), `rule is "srft"`) {
		t.Errorf("error %v", err)
	}
}

// The same agent outside and inside the loop gives the same run.
func TestAsPolicyIsTheEnvironment(t *testing.T) {
	for _, text := range []string{small, small + ",jobs=4"} {
		c := config(t, text)
		schedtest.Inside(t, text, made(t, c), c, 2, wild, func(c limit.Config, act schedenv.Actor) (sim.Policy, error) {
			return limit.AsPolicy(c, len(limit.LevelsOf(8)), act)
		})
	}
}

// srtf serves in the order of the time left: on validation it is the rule with the least time in the
// system, and shares without regard to work the most.
func TestStrongest(t *testing.T) {
	sums := map[string]float64{}
	for _, rule := range []string{"srtf", "gain", "fair", "fifo"} {
		e := made(t, config(t, "windows=8,part=validation"))
		if err := e.Follow(rule); err != nil {
			t.Fatal(err)
		}
		for w := range 8 {
			sum, err := schedenv.Play(e, 1, fmt.Sprint("window=", w), func(_ []float64, _ []bool, action []float64) {
				if err := e.Demonstrate(action); err != nil {
					t.Fatal(err)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			sums[rule] += sum.Return / 8
		}
	}
	if s := sums["srtf"]; s < sums["gain"] || s < sums["fair"]*0.8 || sums["fair"] < sums["fifo"] {
		t.Errorf("returns %v", sums)
	}
}

// The policy with an agent in it keeps the kernel's rules, and can be resumed from a snapshot.
func TestConformance(t *testing.T) {
	for _, text := range []string{"jobs=6", "jobs=6,rule=fair"} {
		c := config(t, text)
		for name, fresh := range map[string]func() (sim.Policy, error){
			"agent": func() (sim.Policy, error) { return limit.AsPolicy(c, 5, wild) },
			"rule":  func() (sim.Policy, error) { return limit.ByRule(c) },
		} {
			t.Run(text+" "+name, func(t *testing.T) {
				simtest.Policy(t, func() sim.Policy {
					p, err := fresh()
					if err != nil {
						t.Fatal(err)
					}
					return p
				}, simtest.Options{Seeds: 12})
			})
		}
	}
}

// The policy of the catalogue is the environment's rule, or the network of a file.
func TestPolicy(t *testing.T) {
	c := config(t, small+",rule=gain")
	want, err := limit.ByRule(c)
	if err != nil {
		t.Fatal(err)
	}
	fresh := simtest.Build(t, "decima-like", limit.Policy, "rule=gain")
	if !slices.Equal(schedtest.Records(t, &c.Config, 1, fresh()), schedtest.Records(t, &c.Config, 1, want)) {
		t.Error("another run than the environment's rule")
	}
	for text, want := range map[string]string{"rule=best": "rule", "weights=/none": "/none", "jobs=0": "jobs",
		"lease_s=60": "expected it beside a network"} {
		if _, err := limit.Policy(param.Parse("policy decima-like", text), cluster.BestFit); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// What it declares is the estimate, which without a predictor is the work.
func TestKnows(t *testing.T) {
	c := config(t, small)
	p, err := limit.ByRule(c)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Knows(); got != know.Estimate|know.Work|know.Done|know.Speed {
		t.Errorf("it declares %v", got)
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"rule=srft":                 "rule",
		"jobs=0":                    "jobs",
		"stages=4":                  "stages belongs to protocol=decima",
		"protocol=spark":            "protocol",
		"hide_work=true":            "work is hidden",
		"protocol=decima,stages=2":  "stages are 2, expected 1 or 4",
		"protocol=decima,windows=0": "windows",
		"protocol=decima,load=2":    "load",
	} {
		if _, err := limit.Make(simulation.All(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}
