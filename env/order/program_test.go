package order

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/rltune"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/schedtest"
	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// mixed is a cluster of two GPU types under the program, with jobs of users whose run times are
// predicted.
const mixed = "cluster=testdata/types.yaml,speed=collective,places=program,workload=recur,predict=ridge,load=1.3," +
	"warm=0,horizon=90"

func TestCheckMapped(t *testing.T) {
	unpredicted := strings.Replace(mixed, "predict=ridge,", "", 1) // a predictor that learns needs memory
	for _, options := range []string{
		strings.Replace(unpredicted, "horizon=90", "horizon=24,windows=4,jobs=12", 1),
		strings.Replace(unpredicted, "warm=0,horizon=90", "warm=6,horizon=24,windows=3", 1) +
			",rule=f1,front=4,weigh=rank,size=1,jobs=3,checkpoint_s=30,reward=relative,part=validation",
	} {
		t.Run(options, func(t *testing.T) {
			envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) {
				return schedtest.Over(simulation.All(), Make)(options)
			}, ResetOptions: []string{"window=2"}, Identity: schedtest.Identity})
		})
	}
}

func mapped(t *testing.T, options string) (Config, *Mapped) {
	t.Helper()
	c := config(t, options)
	e, err := NewMapped(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return c, e
}

// Without answers, and with an agent that scores as a rule does, it is rltune-like with that rule: in
// episodes and as a policy.
func TestMappedIsItsRule(t *testing.T) {
	for _, rule := range rltune.Rules() {
		c, e := mapped(t, mixed+",jobs=4096,rule="+rule)
		want := schedtest.Records(t, &c.Config, 1, rltune.NewPolicy(c.Mapping.Settings, c.Mapping.Rule, cluster.BestFit))
		got, steps := schedtest.Demonstrated(t, e.Env, "window=1", "rltune-like:rule="+rule)
		if !slices.Equal(got, want) || steps < 20 {
			t.Errorf("%s: %d steps, records differ from rltune-like's: %v", rule, steps, !slices.Equal(got, want))
		}
		other, _ := schedtest.Play(t, e.Env, "window=1", wildScores)
		if slices.Equal(got, other) {
			t.Errorf("%s: other scores change nothing", rule)
		}
	}
}

// wildScores scores by what it sees.
func wildScores(obs []float64, _ []bool, action []float64) {
	x := 0.0
	for i, o := range obs {
		x += o * float64(1+i%7)
	}
	for i := range action {
		action[i] = 3 * math.Sin(x*17+float64(i*i))
	}
}

// network is a small network of scores for lists of so many jobs, as text.
func network(t *testing.T, c *Config) *netfile.Net {
	t.Helper()
	spec := c.spec("")
	global := len(c.segments()[0].Features)
	f := netfile.Form{Obs: spec.Observation.Len(), Sizes: []int{c.Jobs}, First: []int{0}, Scores: true,
		Activation: netfile.Tanh, Hidden: []int{3}, Set: &netfile.Set{Global: global, Slots: c.Jobs, Features: c.rowLen(),
			Each: 1, Present: 1}}
	all := f.Matrices()
	for i := range all {
		for k := range all[i].Rows * all[i].Cols {
			all[i].W = append(all[i].W, math.Sin(float64(1+i*31+k*k)))
		}
	}
	n, err := netfile.New(f, all)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The policy with a file of weights is the environment with that network.
func TestWeightsAreTheAgent(t *testing.T) {
	c, e := mapped(t, mixed+",jobs=12,median_s=600,spread=1")
	n := network(t, &c)
	var text bytes.Buffer
	if err := n.Write(&text); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "w.txt")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Policy(param.Parse("rltune-like", "weights="+path+",median_s=600,spread=1"), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	act := func(obs []float64, _ []bool, action []float64) { n.Act(action, obs, nil) }
	want, _ := schedtest.Play(t, e.Env, "window=1", act)
	clone := p.(interface{ Clone() sim.Policy }).Clone()
	for name, p := range map[string]sim.Policy{"the policy": p, "its copy": clone, "the agent": e.AsPolicy(act)} {
		if got := schedtest.Records(t, &c.Config, 1, p); !slices.Equal(got, want) {
			t.Errorf("%s has other records than the episode", name)
		}
	}
	rule := schedtest.Records(t, &c.Config, 1, rltune.NewPolicy(c.Mapping.Settings, c.Mapping.Rule, cluster.BestFit))
	if slices.Equal(rule, want) {
		t.Error("the network changes nothing")
	}
	for settings, fault := range map[string]string{
		"rule=f1,weights=" + path: "rule and weights are both given",
		"spread=1":                "spread belongs to weights",
		"weights=../../examples/weights/kais.txt":   "the network makes choices, expected scores",
		"weights=nothing.txt":                       "nothing.txt",
		"front=-1":                                  "front",
		"rule=longest":                              `rule`,
		"weights=../../examples/weights/timers.txt": "tarry network 1",
	} {
		if _, err := Policy(param.Parse("rltune-like", settings), cluster.BestFit); err == nil ||
			!strings.Contains(err.Error(), fault) {
			t.Errorf("%s: error %v, expected %q", settings, err, fault)
		}
	}
	for options, fault := range map[string]string{
		"front=4":                     "front belongs to places=program",
		"places=program,globals=true": "globals is true with places=program",
		"places=program,rollout=4":    "a planner",
	} {
		if _, err := schedtest.Over(simulation.All(), Make)(small + "," + options); err == nil ||
			!strings.Contains(err.Error(), fault) {
			t.Errorf("%s: error %v, expected %q", options, err, fault)
		}
	}
}

// BenchmarkMapped steps an environment of 20 GPUs of two types.
func BenchmarkMapped(b *testing.B) {
	c := config(b, mixed+",jobs=32")
	e, err := NewMapped(c, "")
	if err != nil {
		b.Fatal(err)
	}
	schedtest.BenchmarkStep(b, e.Env, make([]float64, c.Jobs))
}
