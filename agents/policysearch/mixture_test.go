package policysearch_test

import (
	"fmt"
	"math"
	"testing"

	"tarry/agents/policy"
	"tarry/agents/policysearch"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/delaytimer"
	"tarry/env/trait"
	"tarry/internal/effort"
	"tarry/internal/stats"
)

// mixed is an environment of a mixture: its options are not part of what it is.
type mixed struct {
	env.Env
	spec env.Spec
}

func (m *mixed) Spec() *env.Spec { return &m.spec }
func (m *mixed) Unwrap() env.Env { return m.Env }

// regimes are loads of a cluster with a slow network, where the best timers are others.
func regimes() []string {
	const on = "cluster=ethernet:4x4x8,speed=collective,windows=40,warm=6,horizon=0,load="
	return []string{on + "0.8", on + "1.3"}
}

// timers makes DelayTimer in one regime of the mixture.
func timers(t *testing.T, i int, part string) env.Env {
	t.Helper()
	e, err := delaytimer.Make(simulation.All(), regimes()[i%len(regimes())]+",part="+part)
	if err != nil {
		t.Fatal(err)
	}
	m := &mixed{e, *e.Spec()}
	m.spec.Options = ""
	return m
}

// TestTimersOverAMixture searches one policy for the delay timers over two loads, with a
// perturbation per episode, and holds it to Dally's own timers on windows of validation. It takes
// minutes.
func TestTimersOverAMixture(t *testing.T) {
	effort.Need(t, "takes minutes")
	cfg := policysearch.Default()
	e := timers(t, 0, "train")
	list, err := e.Spec().List()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Generations, cfg.Population, cfg.Windows, cfg.Hidden = 12, 12, 8, []int{2}
	cfg.Encoder, cfg.Candidates = "classes", candidatesOf(list.Global, list.Features, list.Each)
	l, err := policysearch.CMAES.New(cfg, 2, func(i int) (env.Env, error) { return timers(t, i, "train"), nil })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for !l.Done() {
		row, err := l.Update()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("generation %d: best cost %.4f, step size %.3f", row.Update, row.PolicyLoss, row.LearningRate)
	}
	for i, regime := range regimes() {
		var ratio []float64
		e := timers(t, i, "validation")
		demo, _ := env.Find[trait.Demonstrator](e)
		if err := demo.Follow("dally"); err != nil {
			t.Fatal(err)
		}
		for w := range 12 {
			own := play(t, e, w, func(dst, obs []float64) error { return l.Policy().Act(dst, obs, nil, nil) })
			ratio = append(ratio, own/play(t, e, w, func(dst, _ []float64) error { return demo.Demonstrate(dst) }))
		}
		mean, half := stats.Mean(ratio), 1.96*math.Sqrt(stats.Variance(ratio)/float64(len(ratio)))
		t.Logf("%s: time in the system / Dally's %.3f +- %.3f on %d windows of validation", regime, mean, half,
			len(ratio))
		if i == 1 && !(mean < 1) {
			t.Error("in overload it is no better than Dally")
		}
	}
}

func candidatesOf(global, features, each int) *policy.Candidates {
	return &policy.Candidates{Global: global, Features: features, Each: each}
}

// play is the return of one window.
func play(t *testing.T, e env.Env, window int, act func(dst, obs []float64) error) (total float64) {
	t.Helper()
	seed := uint64(1)
	action := make([]float64, e.Spec().Action.Len())
	obs, _, err := e.Reset(&seed, fmt.Sprintf("window=%d", window))
	for done := false; err == nil && !done; {
		if err = act(action, obs); err != nil {
			break
		}
		var s env.Step
		s, err = e.Step(action)
		obs, done = s.Obs, s.Done()
		total += s.Reward
	}
	if err != nil {
		t.Fatal(err)
	}
	return total
}
