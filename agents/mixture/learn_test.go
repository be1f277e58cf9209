package mixture_test

import (
	"math"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/mixture"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/mix"
)

// mixtureOf trains on two queues and gives the probabilities of the members.
func mixtureOf(t *testing.T, options string, set func(*mixture.Config)) []float64 {
	t.Helper()
	cfg := mixture.Default()
	cfg.TotalSteps, cfg.Sequences, cfg.Gamma = 120_000, 8, 0.9
	set(&cfg)
	l, err := mixture.New(cfg, 2, func(int) (env.Env, error) { return mix.Make(simulation.All(), options) })
	agenttest.Train(t, l, err)
	defer l.Close()
	p := make([]float64, l.Policy().Sizes[0])
	l.Policy().Probabilities(p, []float64{1}, nil)
	return p
}

// gradients are the three, with steps that suit them.
func gradients() map[string]func(*mixture.Config) {
	return map[string]func(*mixture.Config){
		"spsa": func(c *mixture.Config) { c.Gradient, c.LearningRate, c.Perturb = mixture.SPSA, 0.3, 0.3 },
		"ac":   func(c *mixture.Config) { c.LearningRate = 1 },
		"nac":  func(c *mixture.Config) { c.Gradient, c.LearningRate = mixture.Natural, 0.3 },
	}
}

// Two queues of which no member alone is good: the best mixture of (0.3, 0.6) serves the second queue
// seven times of ten (exact values: fidelity/improperref).
func TestFindsTheMixture(t *testing.T) {
	for name, set := range gradients() {
		p := mixtureOf(t, "protocol=improper,arrivals=0.3+0.6,slots=60", set)
		if !(math.Abs(p[1]-0.7) < 0.1) {
			t.Errorf("%s: mixture %v, expected about 0.3 and 0.7", name, p)
		}
	}
}

// Where a member is best alone, the weight goes to it.
func TestFindsTheMember(t *testing.T) {
	for name, set := range gradients() {
		p := mixtureOf(t, "protocol=improper,arrivals=0.4+0.4,slots=60,members=serve1+serve2+longest", set)
		if !(p[2] > 0.8) {
			t.Errorf("%s: mixture %v, expected nearly all for the longest queue", name, p)
		}
	}
}

// Acting draws members as the mixture states, and a fork draws the same.
func TestActingDraws(t *testing.T) {
	l, err := mixture.New(mixture.Default(), 1, func(int) (env.Env, error) {
		return mix.Make(simulation.All(), "protocol=improper")
	})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p, f, counts, a, b := l.Policy(), l.Policy().Fork(), [2]int{}, []float64{0}, []float64{0}
	for range 2000 {
		if err := p.Act(a, []float64{1}, nil, nil); err != nil {
			t.Fatal(err)
		}
		if err := f.Act(b, []float64{1}, nil, nil); err != nil || a[0] != b[0] {
			t.Fatal(a, b, err)
		}
		counts[int(a[0])]++
	}
	if p.Begin(1); p.Act(a, []float64{1}, nil, nil) == nil {
		same := 0
		for f.Begin(2); same < 100; same++ {
			if p.Act(a, []float64{1}, nil, nil) != nil || f.Act(b, []float64{1}, nil, nil) != nil || a[0] != b[0] {
				break
			}
		}
		if same == 100 {
			t.Error("two episodes have the same draws")
		}
	}
	if math.Abs(float64(counts[0])-1000) > 120 {
		t.Errorf("%v draws of two members with equal weights", counts)
	}
}

func TestValidateNamesAllFaults(t *testing.T) {
	c := mixture.Default()
	c.Sequences, c.Gamma, c.Gradient, c.LearningRate, c.Perturb, c.Ridge, c.Rollouts = 0, 2, "sps", 0, 0, -1, 0
	err := c.Validate()
	for _, want := range []string{"mixture: sequences is 0", "gamma is 2", `gradient is "sps", expected one of spsa, ac, nac`,
		"learning_rate is 0", "perturb is 0", "ridge is -1", "rollouts is 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}
